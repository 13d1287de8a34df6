#include "tilewright/argument.h"

namespace tilewright {

std::string to_string(ElementType type) {
  switch (type) {
  case ElementType::f32:
    return "f32";
  case ElementType::f64:
    return "f64";
  case ElementType::i8:
    return "i8";
  case ElementType::i16:
    return "i16";
  case ElementType::i32:
    return "i32";
  case ElementType::i64:
    return "i64";
  case ElementType::u8:
    return "u8";
  case ElementType::u16:
    return "u16";
  case ElementType::u32:
    return "u32";
  case ElementType::u64:
    return "u64";
  case ElementType::boolean:
    return "bool";
  }
  return "unknown";
}

int64_t byte_size(ElementType type) {
  switch (type) {
  case ElementType::i8:
  case ElementType::u8:
  case ElementType::boolean:
    return 1;
  case ElementType::i16:
  case ElementType::u16:
    return 2;
  case ElementType::f32:
  case ElementType::i32:
  case ElementType::u32:
    return 4;
  case ElementType::f64:
  case ElementType::i64:
  case ElementType::u64:
    return 8;
  }
  return 0;
}

} // namespace tilewright
