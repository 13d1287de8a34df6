#include "yardsticks.h"

#include <cmath>

#include "baseline/baseline.h"

namespace tilewright::cli {
namespace {

tw_baseline_call baseline_call(const CheckedCase &checked) {
  tw_baseline_call call{};
  std::size_t inputs = 0;
  for (std::size_t i = 0; i < checked.arguments().size(); ++i)
    if (checked.kernel().arguments[i].output)
      call.outputs[0] = checked.arguments()[i].data;
    else
      call.inputs[inputs++] = checked.arguments()[i].data;
  call.rows = checked.kernel().shape.rows;
  call.cols = checked.kernel().shape.columns;
  call.eps = TW_BASELINE_EPS;
  return call;
}

std::optional<tw_stream_call> stream_call(const CheckedCase &checked) {
  tw_stream_call call{};
  for (std::size_t i = 0; i < checked.arguments().size(); ++i) {
    const Argument &argument = checked.arguments()[i];
    if (checked.kernel().arguments[i].output) {
      if (call.output_count == TW_STREAM_MAX_OUTPUTS)
        return std::nullopt;
      call.outputs[call.output_count] = argument.data;
      call.output_bytes[call.output_count++] = bytes_of(argument);
    } else {
      if (call.input_count == TW_STREAM_MAX_INPUTS)
        return std::nullopt;
      call.inputs[call.input_count] = argument.data;
      call.input_bytes[call.input_count++] = bytes_of(argument);
    }
  }
  return call;
}

} // namespace

std::size_t bytes_of(const Argument &argument) {
  int64_t bytes = byte_size(argument.type);
  for (int64_t extent : argument.extents)
    bytes *= extent;
  return static_cast<std::size_t>(bytes);
}

std::vector<Yardstick> hand_written(CheckedCase &checked) {
  std::vector<Yardstick> result;
  std::size_t count = 0;
  const tw_baseline_entry *entries = tw_baseline_entries(&count);
  for (std::size_t i = 0; i < count; ++i) {
    if (checked.family() != entries[i].family || !tw_cpu_supports(entries[i].requires_))
      continue;
    Yardstick yardstick{entries[i].variant, {}};
    yardstick.subject.label = entries[i].variant;
    yardstick.subject.prepare = [&checked] { checked.prepare(); };
    yardstick.subject.run = [call = baseline_call(checked),
                             run = entries[i].run](std::int64_t repetitions) {
      for (std::int64_t r = 0; r < repetitions; ++r)
        run(&call);
    };
    yardstick.subject.check = [&checked] { return checked.check().failure; };
    result.push_back(std::move(yardstick));
  }
  return result;
}

std::vector<Yardstick> streams(CheckedCase &checked) {
  std::vector<Yardstick> result;
  std::optional<tw_stream_call> call = stream_call(checked);
  std::size_t count = 0;
  const tw_stream_entry *entries = tw_stream_entries(&count);
  for (std::size_t i = 0; call && i < count; ++i) {
    if (!tw_cpu_supports(entries[i].requires_))
      continue;
    Yardstick yardstick{entries[i].variant, {}};
    yardstick.subject.label = std::string("stream ") + entries[i].variant;
    yardstick.subject.run = [call = *call, run = entries[i].run](std::int64_t repetitions) {
      for (std::int64_t r = 0; r < repetitions; ++r)
        run(&call);
    };
    result.push_back(std::move(yardstick));
  }
  return result;
}

std::optional<Yardstick> fastest(std::vector<Yardstick> yardsticks) {
  if (yardsticks.empty())
    return std::nullopt;
  SamplingOptions options = SamplingOptions::quick();
  options.identical_object_control = false;
  std::vector<Subject> subjects;
  for (const Yardstick &yardstick : yardsticks)
    subjects.push_back(yardstick.subject);
  const std::vector<Measurement> measurements = measure(subjects, options);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < yardsticks.size(); ++i)
    if (!measurements[i].refused() &&
        (!best || measurements[i].time_us < measurements[*best].time_us))
      best = i;
  if (!best)
    return std::nullopt;
  return std::move(yardsticks[*best]);
}

} // namespace tilewright::cli
