#include "baseline/baseline.h"

#include <string_view>

namespace {

bool has_feature(std::string_view name) {
#if defined(__x86_64__)
  if (name == "avx2")
    return __builtin_cpu_supports("avx2");
  if (name == "fma")
    return __builtin_cpu_supports("fma");
  if (name == "avx512f")
    return __builtin_cpu_supports("avx512f");
  if (name == "avx512bw")
    return __builtin_cpu_supports("avx512bw");
  if (name == "avx512dq")
    return __builtin_cpu_supports("avx512dq");
  if (name == "avx512vl")
    return __builtin_cpu_supports("avx512vl");
#endif
  return name.empty();
}

} // namespace

extern "C" int tw_cpu_supports(const char *features) {
  std::string_view rest = features;
  while (true) {
    std::size_t plus = rest.find('+');
    if (!has_feature(rest.substr(0, plus)))
      return 0;
    if (plus == std::string_view::npos)
      return 1;
    rest.remove_prefix(plus + 1);
  }
}
