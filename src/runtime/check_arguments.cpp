#include "runtime/check_arguments.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace tilewright::runtime {
namespace {

template <typename... Values>
Error failure(const std::string &kernel, fmt::format_string<Values...> text, Values &&...values) {
  return {
      ErrorKind::user,
      fmt::format("launch of {}: {}", kernel, fmt::format(text, std::forward<Values>(values)...)),
      {}};
}

bool has_elements(const Argument &argument) {
  for (int64_t extent : argument.extents)
    if (extent == 0)
      return false;
  return true;
}

/// Whether every element's byte offset, and the span between the outermost two, fits in 63 bits.
bool addressable(const Argument &argument) {
  const int64_t size = byte_size(argument.type);
  int64_t lowest = 0;
  int64_t highest = size;
  for (std::size_t i = 0; i < argument.extents.size(); ++i) {
    int64_t reach = 0;
    if (__builtin_mul_overflow(argument.extents[i] - 1, argument.strides[i], &reach))
      return false;
    if (__builtin_mul_overflow(reach, size, &reach))
      return false;
    int64_t &end = reach < 0 ? lowest : highest;
    if (__builtin_add_overflow(end, reach, &end))
      return false;
  }
  int64_t span = 0;
  if (__builtin_sub_overflow(highest, lowest, &span))
    return false;
  // And no address wraps around.
  const auto base = static_cast<int64_t>(reinterpret_cast<uintptr_t>(argument.data));
  return base < 0 || (base + lowest >= 0 && !__builtin_add_overflow(base, highest, &span));
}

Status check_one(const std::string &kernel, std::size_t position, const Parameter &parameter,
                 const Argument &argument) {
  if (argument.type != parameter.element)
    return failure(kernel,
                   "argument {} has elements of type {}, but the kernel's view has {}; pass {} "
                   "elements",
                   position, to_string(argument.type), to_string(parameter.element),
                   to_string(parameter.element));
  if (static_cast<int>(argument.extents.size()) != parameter.rank)
    return failure(
        kernel,
        "argument {} has rank {}, but the kernel's view has rank {}; pass one extent per "
        "dimension of the view",
        position, argument.extents.size(), parameter.rank);
  if (argument.strides.size() != argument.extents.size())
    return failure(kernel, "argument {} has {} extents and {} strides; give one stride per extent",
                   position, argument.extents.size(), argument.strides.size());
  if (argument.read_only && !parameter.read_only)
    return failure(kernel,
                   "argument {} is const, but the kernel writes through that view; pass writable "
                   "memory, or declare the view const in the kernel",
                   position);
  for (std::size_t i = 0; i < argument.extents.size(); ++i)
    if (argument.extents[i] < 0)
      return failure(
          kernel, "dimension {} of argument {} has the negative extent {}; extents count elements",
          i, position, argument.extents[i]);
  if (!has_elements(argument))
    return {};
  if (argument.data == nullptr)
    return failure(kernel, "argument {} is a null pointer; pass memory for its elements", position);
  if (reinterpret_cast<uintptr_t>(argument.data) %
          static_cast<uintptr_t>(byte_size(argument.type)) !=
      0)
    return failure(kernel,
                   "argument {} begins at an address that is not a multiple of {}, the size of {}; "
                   "copy it to aligned memory",
                   position, byte_size(argument.type), to_string(argument.type));
  if (!addressable(argument))
    return failure(kernel,
                   "argument {} reaches beyond the address space: extents [{}] with strides [{}]; "
                   "check their order and units (elements, not bytes)",
                   position, fmt::join(argument.extents, ", "), fmt::join(argument.strides, ", "));
  return {};
}

Error extent_failure(const std::string &kernel, const ExtentCheck &check, int64_t extent,
                     int64_t wanted, const char *relation, const std::string &reason) {
  return failure(kernel, "dimension {} of argument {} has extent {}, but {}must be {}{}{}",
                 check.dim, check.view + 1, extent,
                 check.axis.empty() ? "" : fmt::format("axis {} spans it, so it ", check.axis),
                 relation, wanted, reason);
}

/// The positions that a block takes are from the least to the greatest origin on; none where a nest
/// has no point or the axis none. Sums that leave 64 bits are outside.
bool is_inside(const BlockCheck &block, int64_t extent, std::span<const Argument> arguments,
               __int128 &first, __int128 &last) {
  first = last = block.constant;
  const int64_t length = arguments[block.axis_view].extents[block.axis_dim];
  bool nothing = length == 0;
  for (const BlockCheck::Term &term : block.terms) {
    const int64_t number = arguments[term.view].extents[term.dim];
    nothing |= term.index && number == 0;
    const __int128 far = __int128{term.factor} * (term.index ? number - 1 : number);
    if (!term.index || far < 0)
      first += far;
    if (!term.index || far > 0)
      last += far;
  }
  last += length - 1;
  return nothing || (first >= 0 && last < extent);
}

std::string decimal(__int128 number) {
  constexpr auto least = std::numeric_limits<int64_t>::min();
  constexpr auto most = std::numeric_limits<int64_t>::max();
  if (number < least || number > most)
    return number < 0 ? "below -2^63" : "above 2^63";
  return std::to_string(static_cast<int64_t>(number));
}

} // namespace

Status check_arguments(const std::string &kernel, std::span<const Parameter> parameters,
                       std::span<const Argument> arguments) {
  if (arguments.size() != parameters.size())
    return failure(kernel, "it takes {} arguments and got {}", parameters.size(), arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (Status status = check_one(kernel, i + 1, parameters[i], arguments[i]); !status)
      return status;
  return {};
}

Status check_extents(const std::string &kernel, std::span<const ExtentCheck> checks,
                     std::span<const Argument> arguments) {
  for (const ExtentCheck &check : checks) {
    const int64_t extent = arguments[check.view].extents[check.dim];
    if (check.exact >= 0 && extent != check.exact)
      return extent_failure(kernel, check, extent, check.exact, "", "");
    if (check.at_least >= 0 && extent < check.at_least)
      return extent_failure(kernel, check, extent, check.at_least, "at least ", "");
    if (check.block) {
      __int128 first, last;
      if (!is_inside(*check.block, extent, arguments, first, last))
        return failure(kernel,
                       "dimension {} of argument {} has extent {}, but a block of axis {} that is "
                       "assumed to lie inside takes positions {} to {} of it; pass arguments of "
                       "matching shapes",
                       check.dim, check.view + 1, extent, check.axis, decimal(first),
                       decimal(last));
    }
    if (check.other_view >= 0) {
      const int64_t wanted = arguments[check.other_view].extents[check.other_dim];
      if (extent != wanted)
        return extent_failure(kernel, check, extent, wanted, "",
                              fmt::format(", the extent of dimension {} of argument {}",
                                          check.other_dim, check.other_view + 1));
    }
  }
  return {};
}

} // namespace tilewright::runtime
