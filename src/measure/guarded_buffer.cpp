#include "measure/guarded_buffer.h"

#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tilewright {
namespace {

constexpr std::byte pattern{0xA5};

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + GuardedBuffer::page() - 1) / GuardedBuffer::page() * GuardedBuffer::page();
}

} // namespace

std::size_t GuardedBuffer::page() {
  static const std::size_t size = std::size_t(sysconf(_SC_PAGESIZE));
  return size;
}

GuardedBuffer GuardedBuffer::padded(std::size_t bytes, std::size_t offset) {
  std::size_t start = page() + offset;
  return GuardedBuffer(bytes, start, whole_pages(start + bytes) + page());
}

GuardedBuffer GuardedBuffer::ends_at_page(std::size_t bytes) {
  return GuardedBuffer(bytes, whole_pages(bytes) - bytes, whole_pages(bytes));
}

GuardedBuffer GuardedBuffer::begins_at_page(std::size_t bytes) {
  return GuardedBuffer(bytes, 0, whole_pages(bytes));
}

GuardedBuffer::GuardedBuffer(std::size_t bytes, std::size_t offset, std::size_t accessible)
    : mapped_(accessible + 2 * page()), bytes_(bytes) {
  void *mapping = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  mapping_ = static_cast<std::byte *>(mapping);
  data_ = accessible_begin() + offset;
  if (accessible == 0)
    return;
  if (mprotect(accessible_begin(), accessible, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, mapped_);
    throw std::bad_alloc();
  }
  std::memset(accessible_begin(), int(pattern), accessible);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)), mapped_(std::exchange(other.mapped_, 0)),
      data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

GuardedBuffer &GuardedBuffer::operator=(GuardedBuffer &&other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_)
    munmap(mapping_, mapped_);
}

void GuardedBuffer::fill_nan() { std::memset(data_, 0xFF, bytes_); }

std::string GuardedBuffer::guard_damage() const {
  if (!mapping_)
    return {};
  for (const std::byte *p = data_; p != accessible_begin(); --p)
    if (p[-1] != pattern)
      return "byte " + std::to_string(data_ - p + 1) + " before the data was overwritten";
  for (const std::byte *p = data_ + bytes_; p != accessible_end(); ++p)
    if (*p != pattern)
      return "byte " + std::to_string(p - data_ - bytes_ + 1) + " after the data was overwritten";
  return {};
}

} // namespace tilewright
