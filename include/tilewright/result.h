// Errors are values: what went wrong, where in the user's source, and what to do about it.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tilewright {

/// A line of the user's source. `line` is 1-based; 0 means that no line is known.
struct SourceLine {
  std::string file;
  int line = 0;
};

/// Who has to act on an error.
enum class ErrorKind {
  user,    ///< the program, its arguments or its input files are wrong
  internal ///< Tilewright broke one of its own rules: a bug to report
};

/// One thing that went wrong. `text` says which operation failed, which fact did not hold, and the
/// remedy, in one or two sentences without a line break.
struct Error {
  ErrorKind kind = ErrorKind::user;
  std::string text;
  SourceLine where;

  /// "file.cpp:12: text", or just the text where no line is known.
  std::string message() const;
};

/// A value or an Error. Test it before use: `if (!result) return result.error();`
///
///     tw::Result<Kernel> k = load("k.tile");
///     if (!k) { std::cerr << k.error().message() << '\n'; return 2; }
///     k->run(...);
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  T &operator*() { return value(); }
  const T &operator*() const { return value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

  T &value() {
    assert(*this && "value() of a failed Result");
    return std::get<0>(content_);
  }
  const T &value() const {
    assert(*this && "value() of a failed Result");
    return std::get<0>(content_);
  }
  const Error &error() const {
    assert(!*this && "error() of a successful Result");
    return std::get<1>(content_);
  }

private:
  std::variant<T, Error> content_;
};

/// Success without a value, or an Error.
///
///     if (auto status = rms_norm(cpu, x, gamma, y); !status)
///       std::cerr << status.error().message() << '\n';
template <>
class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_.has_value(); }
  const Error &error() const {
    assert(error_ && "error() of a successful Result");
    return *error_;
  }

private:
  std::optional<Error> error_;
};

using Status = Result<void>;

} // namespace tilewright
