#include "reference/memory.h"

#include <cstring>

namespace tilewright::reference {

namespace {

template <typename T>
T read_as(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

template <typename T>
void write_as(char *address, T value) {
  std::memcpy(address, &value, sizeof value);
}

} // namespace

char *ViewMemory::address(std::span<const int64_t> point) const {
  int64_t elements = 0;
  if (point.size() != argument_->extents.size())
    return nullptr;
  for (size_t dim = 0; dim < point.size(); ++dim) {
    if (point[dim] < 0 || point[dim] >= argument_->extents[dim])
      return nullptr;
    elements += point[dim] * argument_->strides[dim];
  }
  return static_cast<char *>(argument_->data) + elements * byte_size(argument_->type);
}

std::optional<Scalar> ViewMemory::read(std::span<const int64_t> point) const {
  const char *element = address(point);
  if (!element)
    return std::nullopt;
  switch (stored_) {
  case Kind::f32: {
    auto value = read_as<float>(element);
    return precision_ == Precision::wide ? real(static_cast<double>(value)) : real(value);
  }
  case Kind::f64:
    return real(read_as<double>(element));
  case Kind::i1:
    return boolean(*element != 0);
  case Kind::i8:
    return integer(stored_, read_as<uint8_t>(element));
  case Kind::i16:
    return integer(stored_, read_as<uint16_t>(element));
  case Kind::i32:
    return integer(stored_, read_as<uint32_t>(element));
  default:
    return integer(stored_, read_as<uint64_t>(element));
  }
}

bool ViewMemory::write(std::span<const int64_t> point, Scalar value) const {
  char *element = address(point);
  if (!element)
    return false;
  switch (stored_) {
  case Kind::f32:
    write_as(element, value.kind == Kind::f32 ? value.f32 : static_cast<float>(value.f64));
    break;
  case Kind::f64:
    write_as(element, value.f64);
    break;
  case Kind::i1:
    *element = is_true(value) ? 1 : 0;
    break;
  case Kind::i8:
    write_as(element, static_cast<uint8_t>(value.integer));
    break;
  case Kind::i16:
    write_as(element, static_cast<uint16_t>(value.integer));
    break;
  case Kind::i32:
    write_as(element, static_cast<uint32_t>(value.integer));
    break;
  default:
    write_as(element, static_cast<uint64_t>(value.integer));
  }
  return true;
}

} // namespace tilewright::reference
