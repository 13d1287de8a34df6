// Scalars of the reference: a number in one of the language's exact types.
#pragma once

#include <bit>
#include <cstdint>

namespace tilewright::reference {

enum class Kind : uint8_t { f32, f64, i1, i8, i16, i32, i64 };

constexpr bool is_real(Kind kind) { return kind == Kind::f32 || kind == Kind::f64; }

/// Bits of a number: 1 for i1, although it takes a byte in memory.
constexpr int bit_width(Kind kind) {
  switch (kind) {
  case Kind::i1:
    return 1;
  case Kind::i8:
    return 8;
  case Kind::i16:
    return 16;
  case Kind::f32:
  case Kind::i32:
    return 32;
  default:
    return 64;
  }
}

/// A number. Integers are held sign-extended to 64 bits (so a true i1 is -1); `index` is i64.
struct Scalar {
  Kind kind = Kind::f32;
  union {
    float f32 = 0;
    double f64;
    int64_t integer;
  };
};

inline Scalar real(float value) {
  Scalar scalar{Kind::f32, {}};
  scalar.f32 = value;
  return scalar;
}

inline Scalar real(double value) {
  Scalar scalar{Kind::f64, {}};
  scalar.f64 = value;
  return scalar;
}

/// The low bits of `bits` as an integer of that kind: what does not fit wraps around.
inline Scalar integer(Kind kind, uint64_t bits) {
  int unused = 64 - bit_width(kind);
  Scalar scalar{kind, {}};
  scalar.integer = static_cast<int64_t>(bits << unused) >> unused;
  return scalar;
}

inline Scalar boolean(bool value) { return integer(Kind::i1, value ? 1 : 0); }
inline Scalar index(int64_t value) { return integer(Kind::i64, static_cast<uint64_t>(value)); }

/// The integer read as an unsigned number of its width.
inline uint64_t as_unsigned(Scalar scalar) {
  int unused = 64 - bit_width(scalar.kind);
  return static_cast<uint64_t>(scalar.integer) << unused >> unused;
}

inline bool is_true(Scalar scalar) { return scalar.integer != 0; }

/// The real number in double precision (exact).
inline double as_double(Scalar scalar) {
  return scalar.kind == Kind::f32 ? static_cast<double>(scalar.f32) : scalar.f64;
}

/// A real number of that kind: rounded where it does not fit.
inline Scalar real_of(Kind kind, double value) {
  return kind == Kind::f32 ? real(static_cast<float>(value)) : real(value);
}

} // namespace tilewright::reference
