// The user's tool: lists, runs, checks, times and explains kernels.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command.h"

int main(int argc, char **argv) {
  using namespace tilewright::cli;
  CLI::App app{"Tilewright compiles tile programs for this CPU and runs them.", "tilewright"};
  app.require_subcommand(1);
  app.footer("`tilewright COMMAND --help` explains a command, with examples.\n"
             "Exit codes: 0 done, 1 a check failed, 2 wrong usage or input.");
  Action action;
  add_list(app, action);
  add_run(app, action);
  add_check(app, action);
  add_bench(app, action);
  add_explain(app, action);
  add_doctor(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    return report(usage_error(fmt::format("{}; see tilewright --help", error.what())));
  }
  return action();
}
