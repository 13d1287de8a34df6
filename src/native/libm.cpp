#include "native/libm.h"

#include <cmath>
#include <cstring>
#include <unordered_map>

#include "tilewright/abi.h"

namespace tilewright::native {

namespace {

using Table = std::unordered_map<std::string_view, void *>;

template <typename R, typename... A>
void add(Table &table, const char *name, R (*function)(A...)) {
  table[name] = reinterpret_cast<void *>(function);
}

template <typename F, typename D>
void add_pair(Table &table, const char *single, F *single_function, const char *twice,
              D *double_function) {
  add(table, single, single_function);
  add(table, twice, double_function);
}

// Both precisions of a function; the C names, since std:: ones are overloaded.
#define ADD(name) add_pair(table, #name "f", ::name##f, #name, ::name)

Table make_table() {
  Table table;
  ADD(fma);
  ADD(sqrt);
  ADD(exp);
  ADD(exp2);
  ADD(expm1);
  ADD(log);
  ADD(log2);
  ADD(log10);
  ADD(log1p);
  ADD(pow);
  ADD(sin);
  ADD(cos);
  ADD(tan);
  ADD(asin);
  ADD(acos);
  ADD(atan);
  ADD(atan2);
  ADD(sinh);
  ADD(cosh);
  ADD(tanh);
  ADD(asinh);
  ADD(acosh);
  ADD(atanh);
  ADD(erf);
  ADD(erfc);
  ADD(cbrt);
  ADD(floor);
  ADD(ceil);
  ADD(round);
  ADD(trunc);
  ADD(rint);
  ADD(nearbyint);
  ADD(roundeven);
  ADD(fmin);
  ADD(fmax);
  ADD(fmod);
  ADD(ldexp);
  add(table, "memcpy", static_cast<void *(*)(void *, const void *, size_t)>(std::memcpy));
  add(table, "memmove", static_cast<void *(*)(void *, const void *, size_t)>(std::memmove));
  add(table, "memset", static_cast<void *(*)(void *, int, size_t)>(std::memset));
  add(table, "tw_views_apart", tw_views_apart);
  return table;
}

#undef ADD

} // namespace

void *find_library_function(std::string_view name) {
  static const auto *table = new Table(make_table());
  auto found = table->find(name);
  return found == table->end() ? nullptr : found->second;
}

} // namespace tilewright::native
