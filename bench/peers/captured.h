// Machine code that another compiler made for one case, frozen by hash and called from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tilewright/result.h"

namespace tilewright::peers {

/// An argument of the case: where it lies, and how large it is.
struct Memory {
  std::string name;
  void *data = nullptr;
  std::size_t bytes = 0;
  bool output = false;
};

/// A capture (bench/peers/peer.py says what is in its folder) on the memory of one case.
class Captured {
public:
  /// Checks that every file of the capture is as its manifest says before any of them is loaded,
  /// and that its inputs and outputs are the given arguments, by name and size. Allocates its
  /// scratch buffers. The arguments' memory has to outlive the result.
  static Result<Captured> load(const std::filesystem::path &folder,
                               std::span<const Memory> arguments);

  /// Runs all of its kernels in order, `repetitions` times.
  void run(std::int64_t repetitions) const;

private:
  struct Step {
    void *function = nullptr;
    std::vector<std::uint64_t> arguments; ///< addresses and integers
  };

  friend class CaptureLoader;

  std::vector<Step> steps_;
  std::vector<std::shared_ptr<void>> scratch_;
};

/// The SHA-256 of a file in hexadecimal; "" when it cannot be read.
std::string hash_file(const std::filesystem::path &path);

} // namespace tilewright::peers
