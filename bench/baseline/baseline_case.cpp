#include "baseline/baseline_case.h"

#include <algorithm>
#include <cassert>
#include <random>

namespace tilewright {
namespace {

std::vector<std::size_t> input_bytes(const std::string &family, oracle::Shape shape) {
  std::size_t elements = std::size_t(shape.rows * shape.cols), cols = std::size_t(shape.cols);
  if (family == "rms_norm")
    return {4 * elements, 4 * cols};
  if (family == "layer_norm")
    return {4 * elements, 4 * cols, 4 * cols};
  if (family == "masked_softmax")
    return {4 * elements, elements};
  if (family == "rope")
    return {4 * elements, 2 * elements, 2 * elements};
  assert(family == "swiglu" || family == "gelu_residual");
  return {4 * elements, 4 * elements};
}

/// Padded tensors are 17 lines further into their page than the one before.
GuardedBuffer allocate(std::size_t bytes, Placement placement, std::size_t number) {
  switch (placement) {
  case Placement::ends_at_page:
    return GuardedBuffer::ends_at_page(bytes);
  case Placement::begins_at_page:
    return GuardedBuffer::begins_at_page(bytes);
  case Placement::padded:
    break;
  }
  return GuardedBuffer::padded(bytes, number * 17 * 64 % 4096);
}

} // namespace

std::span<const char *const> baseline_families() {
  static constexpr const char *families[] = {"rms_norm", "layer_norm",    "masked_softmax",
                                             "swiglu",   "gelu_residual", "rope"};
  return families;
}

BaselineCase::BaselineCase(std::string family, oracle::Shape shape, Placement placement)
    : family_(std::move(family)), shape_(shape),
      output_(allocate(std::size_t(4 * shape.rows * shape.cols), placement, 3)) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 2);
  for (std::size_t bytes : input_bytes(family_, shape)) {
    inputs_.push_back(allocate(bytes, placement, inputs_.size()));
    if (family_ == "masked_softmax" && inputs_.size() == 2)
      std::generate(mask().begin(), mask().end(), [&] { return random() % 4 != 0; });
    else
      for (float &value : inputs_.back().span<float>())
        value = normal(random);
  }
  inputs_changed();
}

std::string BaselineCase::title() const {
  return family_ + " " + std::to_string(shape_.rows) + "x" + std::to_string(shape_.cols);
}

void BaselineCase::inputs_changed() {
  copies_.clear();
  for (const GuardedBuffer &input : inputs_)
    copies_.emplace_back(input.data(), input.data() + input.bytes());
  auto floats = [&](std::size_t i) { return oracle::Floats(inputs_[i].span<float>()); };
  if (family_ == "rms_norm")
    want_ = oracle::rms_norm(shape_, floats(0), floats(1));
  else if (family_ == "layer_norm")
    want_ = oracle::layer_norm(shape_, floats(0), floats(1), floats(2));
  else if (family_ == "masked_softmax")
    want_ = oracle::masked_softmax(shape_, floats(0), mask());
  else if (family_ == "swiglu")
    want_ = oracle::swiglu(shape_, floats(0), floats(1));
  else if (family_ == "gelu_residual")
    want_ = oracle::gelu_residual(shape_, floats(0), floats(1));
  else
    want_ = oracle::rope(shape_, floats(0), floats(1), floats(2));
}

tw_baseline_call BaselineCase::call() const {
  tw_baseline_call call{};
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    call.inputs[i] = inputs_[i].data();
  call.outputs[0] = output_.data();
  call.rows = shape_.rows;
  call.cols = shape_.cols;
  call.eps = TW_BASELINE_EPS;
  return call;
}

tw_stream_call BaselineCase::stream() const {
  tw_stream_call call{};
  // Halves of a rope's x and y advance with its cosines and sines, which have as many bytes.
  std::size_t parts = family_ == "rope" ? 2 : 1;
  for (const GuardedBuffer &input : inputs_) {
    std::size_t pieces = &input == inputs_.data() ? parts : 1;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      call.inputs[call.input_count] = input.data() + piece * (input.bytes() / pieces);
      call.input_bytes[call.input_count++] = input.bytes() / pieces;
    }
  }
  for (std::size_t piece = 0; piece < parts; ++piece) {
    call.outputs[call.output_count] = output_.data() + piece * (output_.bytes() / parts);
    call.output_bytes[call.output_count++] = output_.bytes() / parts;
  }
  return call;
}

std::string BaselineCase::check(Tolerance tolerance) const {
  Comparison comparison = compare(output(), want_, tolerance);
  return comparison.ok() ? check_inputs_and_guards() : comparison.message;
}

std::string BaselineCase::check_inputs_and_guards() const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    std::string which = "input " + std::to_string(i);
    if (!std::equal(copies_[i].begin(), copies_[i].end(), inputs_[i].data()))
      return which + " was changed";
    if (std::string damage = inputs_[i].guard_damage(); !damage.empty())
      return which + ": " + damage;
  }
  std::string damage = output_.guard_damage();
  return damage.empty() ? damage : "output: " + damage;
}

} // namespace tilewright
