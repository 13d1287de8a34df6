#include "check.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/guarded_buffer.h"
#include "pipeline.h"
#include "runtime/execute.h"

namespace tilewright::fuzz {

namespace {

using Bytes = std::vector<std::byte>;

std::vector<Argument> arguments_of(const Program &program, const std::vector<std::byte *> &data) {
  std::vector<Argument> arguments;
  for (const View &view : program.views) {
    Argument argument;
    argument.type = element_type(program);
    argument.data = data[view.buffer] + view.offset * byte_size(argument.type);
    for (size_t dim = 0; dim < view.axes.size(); ++dim) {
      argument.extents.push_back(program.extent(view, dim));
      argument.strides.push_back(view.strides[dim]);
    }
    arguments.push_back(argument);
  }
  return arguments;
}

template <typename T>
T random_real(std::mt19937_64 &random, bool special) {
  static constexpr T specials[] = {T(0),     T(-0.0), T(NAN),   T(INFINITY), T(-INFINITY),
                                   T(1e-40), T(1e30), T(-1e30), T(1),        T(-1)};
  if (special && random() % 8 == 0)
    return specials[random() % std::size(specials)];
  return std::normal_distribution<T>(0, 2)(random);
}

/// What every buffer holds before the launch.
std::vector<Bytes> initial_data(const Program &program) {
  std::mt19937_64 random(program.data_seed);
  std::vector<Bytes> buffers;
  for (const Buffer &buffer : program.buffers) {
    auto size = static_cast<size_t>(byte_size(element_type(program)));
    Bytes bytes(std::max<int64_t>(buffer.elements, 1) * size, std::byte(0xff));
    bool special = random() % 3 == 0;
    for (size_t at = 0; buffer.loaded && at < bytes.size(); at += size) {
      if (program.element == "f32") {
        auto value = random_real<float>(random, special);
        std::memcpy(&bytes[at], &value, size);
      } else if (program.element == "f64") {
        auto value = random_real<double>(random, special);
        std::memcpy(&bytes[at], &value, size);
      } else {
        auto value = static_cast<int32_t>(special ? random() : random() % 2001 - 1000);
        std::memcpy(&bytes[at], &value, size);
      }
    }
    buffers.push_back(std::move(bytes));
  }
  return buffers;
}

/// Numbers in order, one apart from the next; both zeros are zero.
template <typename Integer, typename T>
Integer rank(T number) {
  Integer bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits < 0 ? std::numeric_limits<Integer>::min() - bits : bits;
}

template <typename T, typename Integer>
bool same_number(const std::byte *a, const std::byte *b, int ulps) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  if (std::memcmp(a, b, sizeof x) == 0 || (std::isnan(x) && std::isnan(y)))
    return true;
  if (ulps == 0 || std::isnan(x) || std::isnan(y))
    return false;
  // In braces: values, where two arguments would give references to temporaries.
  auto [less, more] = std::minmax({rank<Integer>(x), rank<Integer>(y)});
  return more - ulps <= less;
}

/// The first element that is further away than `ulps`, in words; empty when there is none (NaN
/// equals any NaN).
std::string difference(const Program &program, const std::string &expected_name,
                       const std::vector<Bytes> &expected, const std::vector<Bytes> &actual,
                       int ulps) {
  auto size = static_cast<size_t>(byte_size(element_type(program)));
  for (size_t buffer = 0; buffer < expected.size(); ++buffer)
    for (size_t at = 0; at < expected[buffer].size(); at += size) {
      const std::byte *a = &expected[buffer][at], *b = &actual[buffer][at];
      bool same = program.element == "f32"   ? same_number<float, int32_t>(a, b, ulps)
                  : program.element == "f64" ? same_number<double, int64_t>(a, b, ulps)
                                             : std::memcmp(a, b, size) == 0;
      if (same)
        continue;
      std::string text =
          "buffer " + std::to_string(buffer) + " element " + std::to_string(at / size);
      char numbers[128];
      auto show = [&](auto zero) {
        decltype(zero) x, y;
        std::memcpy(&x, a, sizeof x);
        std::memcpy(&y, b, sizeof y);
        const char *name = expected_name.c_str();
        if constexpr (std::is_integral_v<decltype(zero)>)
          std::snprintf(numbers, sizeof numbers, ": %s %d, compiled %d", name, x, y);
        else
          std::snprintf(numbers, sizeof numbers, ": %s %a, compiled %a", name, double(x),
                        double(y));
      };
      program.element == "f32" ? show(0.0f) : program.element == "f64" ? show(0.0) : show(0);
      return text + numbers;
    }
  return {};
}

GuardedBuffer guarded_copy(const Bytes &bytes, size_t element, uint64_t choice) {
  GuardedBuffer buffer = choice % 3 == 0 ? GuardedBuffer::ends_at_page(bytes.size())
                         : choice % 3 == 1
                             ? GuardedBuffer::begins_at_page(bytes.size())
                             : GuardedBuffer::padded(bytes.size(), choice / 3 % 32 * element);
  std::memcpy(buffer.data(), bytes.data(), bytes.size());
  return buffer;
}

/// Runs every phase in two ranges of programs; says what went wrong, if anything.
std::string launch(const CompiledKernel &kernel, const std::vector<Argument> &arguments,
                   uint64_t choice) {
  const runtime::LaunchViews views(arguments);
  for (size_t phase = 0; phase < kernel.phases.size(); ++phase) {
    const int64_t programs = *runtime::count_programs(kernel, kernel.phases[phase], arguments);
    const int64_t cut = programs > 1 ? static_cast<int64_t>(choice % programs) : 0;
    for (auto [begin, end] : {std::pair<int64_t, int64_t>(0, cut), {cut, programs}}) {
      if (begin == end)
        continue;
      std::vector<GuardedBuffer> workspaces;
      Result<runtime::ExecuteReport> ran = runtime::run_programs(
          kernel, phase, views.launch(), begin, end, [&](int64_t bytes) -> Result<tw_worker> {
            workspaces.push_back(GuardedBuffer::padded(bytes));
            return tw_worker{workspaces.back().data(), bytes};
          });
      if (!ran)
        return "run: " + ran.error().message();
      for (const GuardedBuffer &workspace : workspaces)
        if (!workspace.guards_intact())
          return "the workspace: " + workspace.guard_damage();
    }
  }
  return {};
}

/// Compiles and runs; says what went wrong, if anything, else `results` is what the buffers hold.
std::string run_one(const Program &program, const std::string &text, const Setting &setting,
                    const std::vector<Bytes> &initial, uint64_t choice,
                    std::vector<Bytes> &results) {
  CompileOptions options;
  options.isa = setting.isa;
  options.plan_json = setting.plan_json;
  // Programs with even seeds have both bodies in one object.
  options.safe_body = setting.safe_body            ? SafeBody::only
                      : program.data_seed % 2 == 0 ? SafeBody::in_object
                                                   : SafeBody::on_demand;
  auto kernel = compile(std::move(*parse_tile(text, "fuzz.tile")), options);
  if (!kernel)
    return "compile: " + kernel.error().message();
  std::vector<GuardedBuffer> buffers;
  std::vector<std::byte *> data;
  auto element = static_cast<size_t>(byte_size(element_type(program)));
  for (const Bytes &bytes : initial) {
    buffers.push_back(guarded_copy(bytes, element, choice));
    choice = choice * 6364136223846793005u + 1442695040888963407u;
    choice ^= choice >> 29;
  }
  for (const GuardedBuffer &buffer : buffers)
    data.push_back(buffer.data());
  if (std::string wrong = launch(**kernel, arguments_of(program, data), choice); !wrong.empty())
    return wrong;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].guards_intact())
      return "buffer " + std::to_string(i) + ": " + buffers[i].guard_damage();
    results.emplace_back(buffers[i].data(), buffers[i].data() + initial[i].size());
  }
  return {};
}

/// What code has to give: the reference's results, and where those may differ in their last places,
/// also those of the first code for the same instruction set.
class Judge {
public:
  Judge(const Program &program, std::vector<Bytes> reference)
      : program_(program), agreement_(agreement(program)), reference_(std::move(reference)) {}

  std::string operator()(const Setting &setting, const std::vector<Bytes> &results) {
    if (agreement_ != Agreement::plans_only) {
      int ulps = agreement_ == Agreement::two_ulps ? 2 : 0;
      std::string differs = difference(program_, "reference", reference_, results, ulps);
      if (!differs.empty() || ulps == 0)
        return differs;
    }
    auto [first, inserted] = first_results_.try_emplace(setting.isa, results);
    if (inserted)
      return {};
    return difference(program_, "another plan", first->second, results, 0);
  }

private:
  const Program &program_;
  Agreement agreement_;
  std::vector<Bytes> reference_;
  std::map<std::string, std::vector<Bytes>> first_results_;
};

/// Sends what happens to the parent, one line each: "S setting" before a setting runs, "F what",
/// "N why it is not supported".
class Reporter {
public:
  explicit Reporter(int pipe) : pipe_(pipe) {}
  void operator()(char kind, std::string text) const {
    for (char &c : text)
      if (c == '\n')
        c = ' ';
    text = kind + text + "\n";
    if (write(pipe_, text.data(), text.size()) < 0)
      _exit(3);
  }

private:
  int pipe_;
};

void check_in_child(const Program &program, const CheckOptions &options, const Reporter &report) {
  std::string text = to_text(program), simplified;
  auto module = parse_tile(text, "fuzz.tile");
  if (!module)
    return report('F', "the generated text is wrong: " + module.error().message());
  CompileOptions simplify;
  simplify.stop_after = "simplify";
  simplify.after_stage = [&](const std::string &, const std::string &left) { simplified = left; };
  if (auto done = compile(std::move(*module), simplify); !done)
    return report('F', "simplify: " + done.error().message());

  std::vector<Bytes> initial = initial_data(program), expected = initial;
  std::vector<std::byte *> data;
  for (Bytes &bytes : expected)
    data.push_back(bytes.data());
  auto numerics = parse_tile(simplified, "simplified.tile");
  if (!numerics)
    return report('F', "simplified text is wrong: " + numerics.error().message());
  if (auto done = evaluate_reference(*numerics, arguments_of(program, data)); !done)
    return report('F', "reference: " + done.error().message());

  Judge judge(program, std::move(expected));
  std::vector<Setting> settings = options.only;
  if (!settings.empty() && agreement(program) != Agreement::bits)
    settings.insert(settings.begin(), {settings.front().isa, "", true}); // to compare with
  for (const std::string &isa : settings.empty() ? options.isas : std::vector<std::string>{}) {
    CompileOptions plan_only;
    plan_only.isa = isa;
    plan_only.stop_after = "plan";
    auto planned = compile(std::move(*parse_tile(text, "fuzz.tile")), plan_only);
    if (!planned && planned.error().kind == ErrorKind::user)
      return report('N', planned.error().text);
    settings.push_back({isa, "", false});
    settings.push_back({isa, "", true});
    for (std::string &plan : random_plans(simplified, isa, program.data_seed, options.plans))
      settings.push_back({isa, std::move(plan), false});
  }
  for (const Setting &setting : settings) {
    report('S',
           setting.isa + " " + (setting.safe_body ? "safe" : "plan") + " " + setting.plan_json);
    alarm(30);
    std::vector<Bytes> results;
    std::string what = run_one(program, text, setting, initial, program.data_seed, results);
    if (what.empty())
      what = judge(setting, results);
    if (!what.empty())
      return report('F', what);
  }
}

Setting read_setting(const std::string &line) {
  size_t first = line.find(' '), second = line.find(' ', first + 1);
  return {line.substr(0, first), line.substr(second + 1),
          line.substr(first + 1, second - first - 1) == "safe"};
}

} // namespace

Checked check(const Program &program, const CheckOptions &options) {
  int ends[2];
  if (pipe(ends) != 0)
    return {Failure{{}, "no pipe"}, 0, ""};
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    check_in_child(program, options, Reporter(ends[1]));
    _exit(0);
  }
  close(ends[1]);
  std::string lines;
  char chunk[4096];
  for (ssize_t got; (got = read(ends[0], chunk, sizeof chunk)) > 0;)
    lines.append(chunk, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);

  Checked checked;
  Setting last;
  for (size_t at = 0, end; (end = lines.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string rest = lines.substr(at + 1, end - at - 1);
    if (lines[at] == 'S')
      last = read_setting(rest), ++checked.compiled;
    if (lines[at] == 'F')
      checked.failure = Failure{last, rest};
    if (lines[at] == 'N')
      checked.not_supported = rest;
  }
  if (WIFSIGNALED(status))
    checked.failure = Failure{last, std::string("killed: ") + strsignal(WTERMSIG(status))};
  else if (WEXITSTATUS(status) != 0 && !checked.failure)
    checked.failure = Failure{last, "exit status " + std::to_string(WEXITSTATUS(status))};
  return checked;
}

} // namespace tilewright::fuzz
