#include "peer_case.h"

#include <fmt/format.h>

#include <filesystem>

#include "peers/captured.h"

namespace tilewright::cli {
namespace {

std::vector<peers::Memory> memory_of(const CheckedCase &checked) {
  std::vector<peers::Memory> result;
  for (std::size_t i = 0; i < checked.arguments().size(); ++i) {
    const ArgumentShape &shape = checked.kernel().arguments[i];
    const Argument &argument = checked.arguments()[i];
    result.push_back({shape.name, argument.data, bytes_of(argument), shape.output});
  }
  return result;
}

} // namespace

Result<Yardstick> peer_yardstick(CheckedCase &checked, const PeerOptions &options,
                                 const std::string &peer, int threads) {
  const std::string shape = to_string(checked.kernel().shape);
  const std::filesystem::path folder = std::filesystem::path(options.captures) / peer /
                                       fmt::format("{}-{}-{}", checked.family(), shape, threads);
  if (!std::filesystem::exists(folder))
    return Error{ErrorKind::user,
                 fmt::format("{} has no capture {}; make it with ./dev capture {} --cases "
                             "{}-{}-{}",
                             peer, folder.string(), peer, checked.family(), shape, threads),
                 {}};
  Result<peers::Captured> captured = peers::Captured::load(folder, memory_of(checked));
  if (!captured)
    return captured.error();
  Yardstick yardstick{peer, {}};
  yardstick.subject.label = peer;
  yardstick.subject.prepare = [&checked] { checked.prepare(); };
  yardstick.subject.run = [captured = std::move(*captured)](std::int64_t repetitions) {
    captured.run(repetitions);
  };
  yardstick.subject.check = [&checked] { return checked.check().failure; };
  return yardstick;
}

} // namespace tilewright::cli
