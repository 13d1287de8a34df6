// Other compilers' code as a rival in a bench case.
#pragma once

#include <string>
#include <vector>

#include "checked_case.h"
#include "yardsticks.h"

namespace tilewright::cli {

/// Which peers a case is timed against, and where their captures lie.
struct PeerOptions {
  std::vector<std::string> names; ///< such as "inductor"
  std::string captures = "build-bench/captures";
};

/// The code that a peer made for this case on that many threads, on the case's own memory. An error
/// when there is no capture, or when it is not what was captured.
Result<Yardstick> peer_yardstick(CheckedCase &checked, const PeerOptions &options,
                                 const std::string &peer, int threads);

} // namespace tilewright::cli
