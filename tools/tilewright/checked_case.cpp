#include "checked_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "host_array.h"
#include "measure/compare.h"
#include "oracle_answer.h"

namespace tilewright::cli {
namespace {

int64_t byte_count(const ArgumentShape &argument) {
  int64_t bytes = byte_size(argument.type);
  for (int64_t extent : argument.extents)
    bytes *= extent;
  return bytes;
}

template <typename T, typename Distribution>
void fill(std::byte *data, std::size_t bytes, Distribution distribution, std::mt19937 &random) {
  T *elements = reinterpret_cast<T *>(data);
  std::generate_n(elements, bytes / sizeof(T),
                  [&] { return static_cast<T>(distribution(random)); });
}

void fill_random(ElementType type, std::byte *data, std::size_t bytes, std::mt19937 &random) {
  std::normal_distribution<double> normal(0, 2);
  std::uniform_int_distribution<int> small(0, 100);
  switch (type) {
  case ElementType::f32:
    return fill<float>(data, bytes, normal, random);
  case ElementType::f64:
    return fill<double>(data, bytes, normal, random);
  case ElementType::boolean:
    return fill<uint8_t>(data, bytes, std::bernoulli_distribution(0.75), random);
  default:
    break;
  }
  switch (byte_size(type)) {
  case 1:
    return fill<uint8_t>(data, bytes, small, random);
  case 2:
    return fill<uint16_t>(data, bytes, small, random);
  case 4:
    return fill<uint32_t>(data, bytes, small, random);
  default:
    return fill<uint64_t>(data, bytes, small, random);
  }
}

template <typename T>
std::vector<double> widen(const std::byte *data, std::size_t bytes) {
  const T *elements = reinterpret_cast<const T *>(data);
  return {elements, elements + bytes / sizeof(T)};
}

std::vector<double> as_doubles(ElementType type, const std::byte *data, std::size_t bytes) {
  switch (type) {
  case ElementType::f32:
    return widen<float>(data, bytes);
  case ElementType::f64:
    return widen<double>(data, bytes);
  case ElementType::i8:
    return widen<int8_t>(data, bytes);
  case ElementType::i16:
    return widen<int16_t>(data, bytes);
  case ElementType::i32:
    return widen<int32_t>(data, bytes);
  case ElementType::i64:
    return widen<int64_t>(data, bytes);
  case ElementType::u8:
  case ElementType::boolean:
    return widen<uint8_t>(data, bytes);
  case ElementType::u16:
    return widen<uint16_t>(data, bytes);
  case ElementType::u32:
    return widen<uint32_t>(data, bytes);
  case ElementType::u64:
    return widen<uint64_t>(data, bytes);
  }
  return {};
}

} // namespace

CheckedCase::CheckedCase(KernelCase kernel)
    : kernel_(std::move(kernel)), family_(family_of(kernel_.name)) {
  std::mt19937 random(1);
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
    const ArgumentShape &argument = kernel_.arguments[i];
    const auto bytes = static_cast<std::size_t>(byte_count(argument));
    // No two arrays begin at the same offset within a page: such neighbours slow each other down.
    GuardedBuffer &buffer = buffers_.emplace_back(GuardedBuffer::padded(bytes, i * 17 * 64 % 4096));
    std::vector<std::byte> &original = originals_.emplace_back();
    if (!argument.output) {
      fill_random(argument.type, buffer.data(), bytes, random);
      original.assign(buffer.data(), buffer.data() + bytes);
    }
    arguments_.push_back({.data = buffer.data(),
                          .type = argument.type,
                          .extents = argument.extents,
                          .strides = row_major_strides(argument.extents),
                          .read_only = !argument.output});
  }
}

Result<std::unique_ptr<CheckedCase>> CheckedCase::make(KernelCase kernel) {
  std::unique_ptr<CheckedCase> result(new CheckedCase(std::move(kernel)));
  if (Status status = result->find_answer(); !status)
    return status.error();
  return result;
}

Status CheckedCase::find_answer() {
  answers_.resize(arguments_.size());
  std::vector<const void *> inputs;
  std::vector<std::size_t> outputs;
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    if (kernel_.arguments[i].output)
      outputs.push_back(i);
    else
      inputs.push_back(arguments_[i].data);
  if (auto answer = oracle_answer(family_, kernel_.shape, inputs)) {
    answers_[outputs.at(0)] = std::move(*answer);
    return {};
  }
  std::vector<HostArray> arrays;
  std::vector<Argument> arguments = arguments_;
  for (std::size_t i : outputs) {
    arrays.emplace_back(arguments_[i].type, arguments_[i].extents);
    arguments[i] = arrays.back().as_argument();
  }
  if (Status status = run_reference(module(), arguments, Precision::wide); !status)
    return status;
  for (std::size_t i : outputs)
    answers_[i] = as_doubles(arguments[i].type, static_cast<const std::byte *>(arguments[i].data),
                             buffers_[i].bytes());
  return {};
}

std::vector<std::vector<int64_t>> CheckedCase::extents() const {
  std::vector<std::vector<int64_t>> result;
  for (const Argument &argument : arguments_)
    result.push_back(argument.extents);
  return result;
}

int64_t CheckedCase::bytes() const {
  int64_t bytes = 0;
  for (const ArgumentShape &argument : kernel_.arguments)
    bytes += byte_count(argument);
  return bytes;
}

void CheckedCase::prepare() {
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (kernel_.arguments[i].output)
      buffers_[i].fill_nan();
}

Verdict CheckedCase::check() const {
  Verdict verdict;
  for (std::size_t i = 0; i < arguments_.size() && verdict.ok(); ++i) {
    if (!kernel_.arguments[i].output)
      continue;
    Verdict one = check_output(i);
    verdict.failure = one.failure;
    verdict.max_absolute_error = std::max(verdict.max_absolute_error, one.max_absolute_error);
  }
  if (verdict.ok())
    verdict.failure = check_memory();
  return verdict;
}

Verdict CheckedCase::check_output(std::size_t argument) const {
  const std::vector<double> got =
      as_doubles(arguments_[argument].type, buffers_[argument].data(), buffers_[argument].bytes());
  const Comparison comparison = compare(std::span<const double>(got), answers_[argument]);
  std::string failure;
  if (!comparison.ok())
    failure = fmt::format("output {}: {}", kernel_.arguments[argument].name, comparison.message);
  return {failure, comparison.max_absolute_error};
}

std::string CheckedCase::check_memory() const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const std::string &name = kernel_.arguments[i].name;
    if (!std::equal(originals_[i].begin(), originals_[i].end(), buffers_[i].data()))
      return fmt::format("input {} was changed", name);
    if (std::string damage = buffers_[i].guard_damage(); !damage.empty())
      return fmt::format("argument {}: {}", name, damage);
  }
  return "";
}

} // namespace tilewright::cli
