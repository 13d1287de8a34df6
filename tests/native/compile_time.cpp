// Prints what each stage of `generate` costs: first compile of the process, then the median of warm
// ones and the lowest in brackets. Usage: native_compile_time [--isa=LEVEL] [--show=STAGE]
// [--rounds=N] [FILE.mlir ...]; without files, a built-in rms_norm.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "compile_text.h"
#include "kernels.h"

using namespace tilewright;
using namespace tilewright::native;

static double lowest(const std::vector<double> &values) {
  return *std::min_element(values.begin(), values.end());
}
static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

int main(int argc, char **argv) {
  std::string isa, show;
  int rounds = 40;
  std::vector<std::pair<std::string, std::string>> inputs;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.starts_with("--isa=")) {
      isa = argument.substr(6);
      continue;
    }
    if (argument.starts_with("--show=")) {
      show = argument.substr(7);
      continue;
    }
    if (argument.starts_with("--rounds=")) {
      rounds = std::stoi(argument.substr(9));
      continue;
    }
    std::stringstream text;
    text << std::ifstream(argument).rdbuf();
    inputs.emplace_back(argument, text.str());
  }
  if (inputs.empty())
    inputs.emplace_back("rms_norm", rms_norm_text(8));
  auto target = named(isa);
  if (!target)
    return std::fprintf(stderr, "%s\n", target.error().message().c_str()), 2;
  bool first = true;
  for (const auto &[name, text] : inputs) {
    std::map<std::string, std::vector<double>> samples;
    std::vector<std::string> order;
    for (int round = 0; round < rounds; ++round) {
      NativeOptions options;
      if (round == 0 && !show.empty())
        options.after_stage = [&](const std::string &stage, const std::string &ir) {
          if (stage == show)
            std::fputs(ir.c_str(), stderr);
        };
      auto code = compile_text(text, *target, options);
      if (!code)
        return std::fprintf(stderr, "%s: %s\n", name.c_str(), code.error().message().c_str()), 1;
      double total = 0;
      for (const StageTime &time : code->times) {
        if (round == 0)
          order.push_back(time.stage);
        samples[time.stage].push_back(time.milliseconds);
        total += time.milliseconds;
      }
      samples["total"].push_back(total);
    }
    order.push_back("total");
    std::printf("%-40s", name.c_str());
    for (const std::string &stage : order)
      std::printf(" %s %.2f (%.2f)", stage.c_str(), median(samples[stage]), lowest(samples[stage]));
    std::printf("\n");
    if (first) {
      std::printf("%-40s", "  first of the process");
      for (const std::string &stage : order)
        std::printf(" %s %.2f", stage.c_str(), samples[stage][0]);
      std::printf("\n");
    }
    first = false;
  }
  return 0;
}
