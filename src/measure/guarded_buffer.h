#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tilewright {

/// Memory for one view, with means to notice an access outside it.
///
/// Whatever the mapping holds beside the data is filled with a pattern; `guards_intact` tells
/// whether it still is. The pages before and after the mapping allow no access at all, so:
///   padded          both neighbours are pattern bytes: stray *stores* show.
///   ends_at_page    the byte after the data faults: stray *loads* behind the end show too.
///   begins_at_page  the byte before the data faults.
class GuardedBuffer {
public:
  /// The machine's page size in bytes.
  static std::size_t page();

  /// Data at `offset` bytes past a page border, so buffers with equal offsets alias at 4 KiB and
  /// a multiple of 64 is the start of a cache line. At least one page of pattern on either side.
  static GuardedBuffer padded(std::size_t bytes, std::size_t offset = 0);
  /// The data's last byte is the last of a page. Its start is as aligned as its size is.
  static GuardedBuffer ends_at_page(std::size_t bytes);
  static GuardedBuffer begins_at_page(std::size_t bytes);

  GuardedBuffer(GuardedBuffer &&other) noexcept;
  GuardedBuffer &operator=(GuardedBuffer &&other) noexcept;
  ~GuardedBuffer();

  std::byte *data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  template <typename T>
  T *as() const {
    return reinterpret_cast<T *>(data_);
  }
  template <typename T>
  std::span<T> span() const {
    return {as<T>(), bytes_ / sizeof(T)};
  }

  /// Sets every bit of the data: a NaN in every floating-point format, −1 in every signed integer.
  void fill_nan();

  bool guards_intact() const { return guard_damage().empty(); }
  /// Empty, or which byte was overwritten, counted from the nearer end of the data.
  std::string guard_damage() const;

private:
  GuardedBuffer(std::size_t bytes, std::size_t offset, std::size_t accessible);

  std::byte *accessible_begin() const { return mapping_ + page(); }
  std::byte *accessible_end() const { return mapping_ + mapped_ - page(); }

  std::byte *mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte *data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace tilewright
