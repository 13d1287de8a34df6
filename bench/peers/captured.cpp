#include "peers/captured.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace tilewright::peers {
namespace {

using Json = nlohmann::json;

constexpr int known_format = 1;
constexpr std::size_t most_arguments = 16;
constexpr std::size_t scratch_alignment = 64;

template <std::size_t>
using Word = std::uint64_t;

template <std::size_t... Index>
void call_with(void *function, const std::uint64_t *arguments, std::index_sequence<Index...>) {
  reinterpret_cast<void (*)(Word<Index>...)>(function)(arguments[Index]...);
}

using Call = void (*)(void *function, const std::uint64_t *arguments);

template <std::size_t... Count>
constexpr std::array<Call, sizeof...(Count)> calls_of(std::index_sequence<Count...>) {
  return {+[](void *function, const std::uint64_t *arguments) {
    call_with(function, arguments, std::make_index_sequence<Count>());
  }...};
}

/// How to call a function of that many addresses and 64-bit integers.
constexpr auto calls = calls_of(std::make_index_sequence<most_arguments + 1>());

} // namespace

/// Builds a Captured, one part of the manifest after the other. An error is thrown as an Error and
/// leaves through load(), so that the parts need not pass it on.
class CaptureLoader {
public:
  CaptureLoader(const std::filesystem::path &folder, std::span<const Memory> arguments)
      : folder_(folder), arguments_(arguments) {}

  Captured load() {
    read_manifest();
    check_files();
    for (const Json &buffer : manifest_.at("buffers"))
      add_buffer(buffer);
    if (bound_ != arguments_.size())
      fail(fmt::format("it uses {} of the case's {} arguments", bound_, arguments_.size()));
    for (const Json &library : manifest_.at("outside"))
      open_outside(library);
    for (const std::string file : manifest_.at("load_first"))
      open_own(file, RTLD_NOW | RTLD_GLOBAL);
    for (const Json &step : manifest_.at("steps"))
      add_step(step);
    return std::move(captured_);
  }

private:
  struct Buffer {
    std::byte *data = nullptr;
    std::size_t bytes = 0;
  };

  [[noreturn]] void fail(const std::string &why) const {
    throw Error{ErrorKind::user,
                fmt::format("the capture in {} cannot be used: {}", folder_.string(), why),
                {}};
  }

  void read_manifest() {
    std::ifstream stream(folder_ / "manifest.json");
    if (!stream)
      fail("it has no manifest.json");
    manifest_ = Json::parse(stream);
    if (manifest_.at("format") != known_format)
      fail(fmt::format("its manifest is of format {}, not {}", manifest_.at("format").dump(),
                       known_format));
  }

  void check_files() const {
    for (const auto &[name, hash] : manifest_.at("files").items()) {
      const std::string found = hash_file(folder_ / name);
      if (found.empty())
        fail(name + " is missing");
      if (found != hash.get<std::string>())
        fail(name + " was changed after the capture: its SHA-256 is not the manifest's");
    }
  }

  void add_buffer(const Json &json) {
    const std::string kind = json.at("kind"), name = json.at("name");
    const std::size_t bytes = json.at("bytes");
    if (kind == "scratch") {
      const std::size_t rounded =
          (bytes + scratch_alignment) / scratch_alignment * scratch_alignment;
      std::shared_ptr<void> memory(std::aligned_alloc(scratch_alignment, rounded), std::free);
      if (!memory)
        fail(fmt::format("its scratch buffer {} of {} bytes could not be allocated", name, bytes));
      buffers_.push_back({static_cast<std::byte *>(memory.get()), bytes});
      captured_.scratch_.push_back(std::move(memory));
      return;
    }
    for (const Memory &memory : arguments_) {
      if (memory.name != name || memory.output != (kind == "output"))
        continue;
      if (memory.bytes != bytes)
        fail(fmt::format("its {} {} has {} bytes, and the case's {}", kind, name, bytes,
                         memory.bytes));
      buffers_.push_back({static_cast<std::byte *>(memory.data), bytes});
      ++bound_;
      return;
    }
    fail(fmt::format("the case has no {} {}", kind, name));
  }

  void *open(const std::filesystem::path &path, int mode) const {
    void *library = dlopen(std::filesystem::absolute(path).c_str(), mode);
    if (!library)
      fail(dlerror());
    return library;
  }

  void *open_own(const std::string &file, int mode) const {
    if (!manifest_.at("files").contains(file))
      fail(file + " is not among the files of its manifest");
    return open(folder_ / file, mode);
  }

  /// A library that the peer's installation keeps, of some hundred megabytes: hashed once a
  /// process.
  void open_outside(const Json &json) const {
    static std::map<std::string, std::string> hashes;
    const std::string path = json.at("path");
    auto [known, inserted] = hashes.try_emplace(path);
    if (inserted)
      known->second = hash_file(path);
    if (known->second != json.at("sha256").get<std::string>())
      fail(path + " is not the library that it was captured with; capture it again");
    open(path, RTLD_LAZY | RTLD_LOCAL);
  }

  void add_step(const Json &json) {
    const std::string file = json.at("library"), symbol = json.at("symbol");
    Captured::Step step;
    void *library = open_own(file, RTLD_LAZY | RTLD_LOCAL);
    step.function = dlsym(library, symbol.c_str());
    if (!step.function)
      fail(fmt::format("{} has no function {}", file, symbol));
    // Code with OpenMP takes as many threads as the calling thread last asked for. The name is also
    // looked for in what the library is linked with.
    if (void *set_threads = dlsym(library, "omp_set_num_threads"))
      reinterpret_cast<void (*)(int)>(set_threads)(manifest_.at("threads"));
    for (const Json &argument : json.at("arguments"))
      step.arguments.push_back(word_of(argument));
    if (step.arguments.size() > most_arguments)
      fail(fmt::format("{} has {} arguments, and at most {} are passed on", symbol,
                       step.arguments.size(), most_arguments));
    captured_.steps_.push_back(std::move(step));
  }

  std::uint64_t word_of(const Json &argument) const {
    if (argument.contains("integer"))
      return static_cast<std::uint64_t>(argument.at("integer").get<std::int64_t>());
    const std::size_t buffer = argument.at("buffer"), offset = argument.at("offset");
    if (buffer >= buffers_.size() || offset > buffers_[buffer].bytes)
      fail(fmt::format("there is no byte {} of buffer {}", offset, buffer));
    return reinterpret_cast<std::uint64_t>(buffers_[buffer].data + offset);
  }

  const std::filesystem::path &folder_;
  std::span<const Memory> arguments_;
  Json manifest_;
  std::vector<Buffer> buffers_;
  std::size_t bound_ = 0; ///< arguments that a buffer stands for
  Captured captured_;
};

Result<Captured> Captured::load(const std::filesystem::path &folder,
                                std::span<const Memory> arguments) {
  try {
    return CaptureLoader(folder, arguments).load();
  } catch (const Error &error) {
    return error;
  } catch (const nlohmann::json::exception &error) {
    return Error{
        ErrorKind::user,
        fmt::format("{} is not a manifest: {}", (folder / "manifest.json").string(), error.what()),
        {}};
  }
}

void Captured::run(std::int64_t repetitions) const {
  for (std::int64_t r = 0; r < repetitions; ++r)
    for (const Step &step : steps_)
      calls[step.arguments.size()](step.function, step.arguments.data());
}

} // namespace tilewright::peers
