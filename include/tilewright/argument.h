// What a launch passes for one kernel parameter: the element type and where the elements are.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "tilewright/dimensions.h"

namespace tilewright {

/// Types of elements in memory. Boolean elements take one byte each, 0 or 1.
enum class ElementType { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean };

/// "f32", "i64", "bool", ...
std::string to_string(ElementType type);

/// Bytes of one element.
int64_t byte_size(ElementType type);

/// The ElementType of a C++ type (const or not).
template <typename T>
constexpr ElementType element_type_of() {
  using U = std::remove_const_t<T>;
  if constexpr (std::is_same_v<U, bool>)
    return ElementType::boolean;
  else if constexpr (std::is_same_v<U, float>)
    return ElementType::f32;
  else if constexpr (std::is_same_v<U, double>)
    return ElementType::f64;
  else {
    static_assert(std::is_integral_v<U>, "elements are float, double, bool or integers");
    constexpr bool is_signed = std::is_signed_v<U>;
    if constexpr (sizeof(U) == 1)
      return is_signed ? ElementType::i8 : ElementType::u8;
    else if constexpr (sizeof(U) == 2)
      return is_signed ? ElementType::i16 : ElementType::u16;
    else if constexpr (sizeof(U) == 4)
      return is_signed ? ElementType::i32 : ElementType::u32;
    else
      return is_signed ? ElementType::i64 : ElementType::u64;
  }
}

/// One argument, its type erased. Extents and strides count elements; element (i, j) is at
/// `data + (i * strides[0] + j * strides[1]) * byte_size(type)`. Strides may be zero or negative.
struct Argument {
  void *data = nullptr;
  ElementType type = ElementType::f32;
  Dimensions extents;
  Dimensions strides;
  bool read_only = false; ///< the caller's storage is const: a kernel that writes it is refused
};

} // namespace tilewright
