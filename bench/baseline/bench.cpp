// Prints how the yardsticks of every family compare with one another and with the bare loops. Times
// are those that the one thread ran.
//
//   tilewright_baseline_bench [--quick] [--peer NAME [--captures FOLDER]] [family or RxC ...]
//
// A shape such as 17x65 is timed instead of the four usual ones.
#include "baseline/baseline_case.h"
#include "measure/sampler.h"
#include "peers/captured.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

using namespace tilewright;

namespace {

std::vector<oracle::Shape> shapes_of(const std::string &family) {
  if (family == "rope")
    return {{17, 66}, {129, 768}, {257, 1538}, {1024, 4098}};
  return {{17, 65}, {129, 768}, {257, 1538}, {1024, 4097}};
}

/// Which peer takes part, and where its captures lie.
struct PeerOptions {
  std::string name;
  std::string captures = "build-bench/captures";
};

/// Names of the inputs, as captures have them.
const std::vector<std::string> &input_names(const std::string &family) {
  static const std::map<std::string, std::vector<std::string>> names = {
      {"rms_norm", {"x", "gamma"}},           {"layer_norm", {"x", "gamma", "beta"}},
      {"masked_softmax", {"scores", "mask"}}, {"swiglu", {"a", "b"}},
      {"gelu_residual", {"x", "r"}},          {"rope", {"x", "cos", "sin"}}};
  return names.at(family);
}

/// "17x65"; nothing for other texts.
std::optional<oracle::Shape> parse_shape(const std::string &text) {
  oracle::Shape shape{};
  const char *end = text.data() + text.size();
  auto [cross, rows_error] = std::from_chars(text.data(), end, shape.rows);
  if (rows_error != std::errc() || cross == end || *cross != 'x')
    return std::nullopt;
  auto [last, columns_error] = std::from_chars(cross + 1, end, shape.cols);
  if (columns_error != std::errc() || last != end)
    return std::nullopt;
  return shape;
}

struct Contest {
  std::vector<Subject> subjects;
  std::size_t loops = 0; ///< the first subjects are the bare loops
};

Contest contest_of(BaselineCase &problem) {
  Contest contest;
  std::size_t count = 0;
  const tw_stream_entry *loops = tw_stream_entries(&count);
  for (const tw_stream_entry &entry : std::span(loops, count)) {
    Subject &subject = contest.subjects.emplace_back();
    subject.label = std::string("stream ") + entry.variant;
    subject.run = [run = entry.run, call = problem.stream()](std::int64_t repetitions) {
      for (std::int64_t i = 0; i < repetitions; ++i)
        run(&call);
    };
  }
  contest.loops = count;
  const tw_baseline_entry *entries = tw_baseline_entries(&count);
  for (const tw_baseline_entry &entry : std::span(entries, count)) {
    if (entry.family != problem.family() || !tw_cpu_supports(entry.requires_))
      continue;
    Subject &subject = contest.subjects.emplace_back();
    subject.label = entry.variant;
    subject.prepare = [&problem] { problem.fill_output_nan(); };
    subject.run = [run = entry.run, call = problem.call()](std::int64_t repetitions) {
      for (std::int64_t i = 0; i < repetitions; ++i)
        run(&call);
    };
    subject.check = [&problem] { return problem.check(); };
  }
  return contest;
}

/// Adds what the peer made for this case on one thread; says why where it cannot.
void add_peer(const PeerOptions &peer, BaselineCase &problem, oracle::Shape shape,
              Contest &contest) {
  if (peer.name.empty())
    return;
  const tw_baseline_call call = problem.call();
  std::vector<peers::Memory> memory;
  for (const std::string &name : input_names(problem.family())) {
    const std::size_t i = memory.size();
    memory.push_back({name, const_cast<void *>(call.inputs[i]), problem.bytes_of_input(i), false});
  }
  memory.push_back({"y", call.outputs[0], problem.output().size_bytes(), true});
  const std::string folder = peer.captures + "/" + peer.name + "/" + problem.family() + "-" +
                             std::to_string(shape.rows) + "x" + std::to_string(shape.cols) + "-1";
  Result<peers::Captured> captured = peers::Captured::load(folder, memory);
  if (!captured) {
    std::fprintf(stderr, "%s\n", captured.error().text.c_str());
    std::exit(2);
  }
  Subject &subject = contest.subjects.emplace_back();
  subject.label = peer.name;
  subject.prepare = [&problem] { problem.fill_output_nan(); };
  subject.run = [captured = std::move(*captured)](std::int64_t repetitions) {
    captured.run(repetitions);
  };
  subject.check = [&problem] { return problem.check(); };
}

const Measurement *fastest(std::span<const Measurement> measurements) {
  const Measurement *best = nullptr;
  for (const Measurement &m : measurements)
    if (!m.refused() && !m.is_control && (!best || m.time_us < best->time_us))
      best = &m;
  return best;
}

void print(const std::string &title, const std::vector<Measurement> &measurements,
           std::size_t loops) {
  std::span<const Measurement> all = measurements;
  const Measurement *stream = fastest(all.first(loops));
  const Measurement *best = fastest(all.subspan(loops));
  std::printf("\n%-28s %12s %10s %10s\n", title.c_str(), "us", "/ stream", "/ best");
  for (const Measurement &m : measurements) {
    if (m.refused()) {
      std::printf("  %-26s refused: %s\n", m.label.c_str(), m.refusal.c_str());
      continue;
    }
    std::printf("  %-26s %12.4f %10.3f", m.label.c_str(), m.time_us, ratio(m, *stream).median);
    if (best)
      std::printf(" %10.3f", ratio(m, *best).median);
    std::printf("%s\n", &m == best ? "  best" : &m == stream ? "  stream" : "");
  }
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> families;
  SamplingOptions options;
  PeerOptions peer;
  std::vector<oracle::Shape> shapes;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0)
      options = SamplingOptions::quick();
    else if (std::strcmp(argv[i], "--peer") == 0 && i + 1 < argc)
      peer.name = argv[++i];
    else if (std::strcmp(argv[i], "--captures") == 0 && i + 1 < argc)
      peer.captures = argv[++i];
    else if (std::optional<oracle::Shape> shape = parse_shape(argv[i]))
      shapes.push_back(*shape);
    else
      families.emplace_back(argv[i]);
  }
  if (families.empty())
    families.assign(baseline_families().begin(), baseline_families().end());
  for (const std::string &family : families) {
    if (std::ranges::find(baseline_families(), family) == baseline_families().end()) {
      std::fprintf(stderr, "no family is called %s\n", family.c_str());
      return 1;
    }
    for (oracle::Shape shape : shapes.empty() ? shapes_of(family) : shapes) {
      BaselineCase problem(family, shape);
      Contest contest = contest_of(problem);
      add_peer(peer, problem, shape, contest);
      print(problem.title(), measure(contest.subjects, options, {}, thread_cpu_seconds),
            contest.loops);
      std::fflush(stdout);
    }
  }
}
