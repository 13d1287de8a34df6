// tilewright list: the kernels of the library.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "kernel_case.h"

namespace tilewright::cli {
namespace {

int list_as_json() {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const std::string &name : kernel_names()) {
    nlohmann::ordered_json kernel = {{"kernel", name}, {"summary", kernel_summary(name)}};
    for (const std::string &argument : kernel_arguments(name))
      kernel["arguments"].push_back(argument);
    kernels.push_back(kernel);
  }
  fmt::print("{}\n", kernels.dump(2));
  return exit_ok;
}

int list_as_text() {
  std::size_t width = 0;
  for (const std::string &name : kernel_names())
    width = std::max(width, name.size());
  for (const std::string &name : kernel_names()) {
    fmt::print("{:{}}  {}\n", name, width, kernel_summary(name));
    fmt::print("{:{}}    {}\n", "", width, fmt::join(kernel_arguments(name), ", "));
  }
  return exit_ok;
}

} // namespace

void add_list(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("list", "The kernels of the library and their arguments");
  command->footer("Examples:\n"
                  "  tilewright list\n"
                  "  tilewright list --json\n"
                  "JSON: an array of {kernel, summary, arguments}.");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->callback([&action, json] { action = *json ? list_as_json : list_as_text; });
}

} // namespace tilewright::cli
