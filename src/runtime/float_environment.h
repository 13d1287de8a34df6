// The floating-point environment that kernels are compiled for.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tilewright::runtime {

/// While it lives, this thread rounds to nearest, keeps denormals and does not trap. Afterwards the
/// thread's control and status bits are what they were before, exception flags included.
class DefaultFloatEnvironment {
public:
#if defined(__x86_64__)
  DefaultFloatEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(default_mxcsr); }
  ~DefaultFloatEnvironment() { _mm_setcsr(saved_); }
#elif defined(__aarch64__)
  DefaultFloatEnvironment() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    asm volatile("mrs %0, fpsr" : "=r"(saved_status_));
    asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
  }
  ~DefaultFloatEnvironment() {
    asm volatile("msr fpcr, %0" : : "r"(saved_));
    asm volatile("msr fpsr, %0" : : "r"(saved_status_));
  }
#endif
  DefaultFloatEnvironment(const DefaultFloatEnvironment &) = delete;
  DefaultFloatEnvironment &operator=(const DefaultFloatEnvironment &) = delete;

private:
#if defined(__x86_64__)
  static constexpr unsigned default_mxcsr = 0x1f80; // all exceptions masked, everything else zero
  unsigned saved_;
#elif defined(__aarch64__)
  uint64_t saved_;
  uint64_t saved_status_;
#endif
};

} // namespace tilewright::runtime
