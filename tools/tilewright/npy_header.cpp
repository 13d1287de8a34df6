#include "npy_header.h"

#include <array>
#include <cctype>
#include <charconv>

namespace tilewright::cli {
namespace {

/// Reads a header from left to right. Functions leave the position unspecified when they fail.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  std::optional<NpyHeader> parse() {
    NpyHeader header;
    int entries = 0;
    if (!accept('{'))
      return std::nullopt;
    while (!accept('}')) {
      if (!parse_entry(header) || (!accept(',') && !peek('}')))
        return std::nullopt;
      ++entries;
    }
    skip_space();
    if (entries != 3 || !text_.empty())
      return std::nullopt;
    return header;
  }

private:
  bool parse_entry(NpyHeader &header) {
    std::optional<std::string> key = string();
    if (!key || !accept(':'))
      return false;
    if (*key == "descr")
      return parse_descr(header.descr);
    if (*key == "fortran_order")
      return parse_bool(header.fortran_order);
    return *key == "shape" && parse_tuple(header.shape);
  }

  bool parse_descr(std::string &descr) {
    if (peek('['))
      return skip_list();
    std::optional<std::string> text = string();
    if (text)
      descr = *text;
    return text.has_value();
  }

  bool parse_bool(bool &value) {
    value = word("True");
    return value || word("False");
  }

  bool parse_tuple(std::vector<int64_t> &numbers) {
    if (!accept('('))
      return false;
    while (!accept(')')) {
      skip_space();
      int64_t number = 0;
      auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
      if (error != std::errc() || number < 0)
        return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      accept_long_suffix();
      numbers.push_back(number);
      if (!accept(',') && !peek(')'))
        return false;
    }
    return true;
  }

  // Python 2 wrote long integers as 3L.
  void accept_long_suffix() {
    if (!text_.empty() && text_.front() == 'L')
      text_.remove_prefix(1);
  }

  bool skip_list() {
    int depth = 0;
    while (!text_.empty()) {
      char c = text_.front();
      text_.remove_prefix(1);
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth == 0)
        return true;
    }
    return false;
  }

  std::optional<std::string> string() {
    skip_space();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"'))
      return std::nullopt;
    std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string result(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return result;
  }

  bool word(std::string_view expected) {
    skip_space();
    if (!text_.starts_with(expected))
      return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  bool peek(char c) {
    skip_space();
    return !text_.empty() && text_.front() == c;
  }

  bool accept(char c) {
    bool there = peek(c);
    if (there)
      text_.remove_prefix(1);
    return there;
  }

  void skip_space() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())))
      text_.remove_prefix(1);
  }

  std::string_view text_;
};

struct Descr {
  ElementType type;
  const char *descr;
};

constexpr std::array<Descr, 11> descrs = {{{ElementType::f32, "<f4"},
                                           {ElementType::f64, "<f8"},
                                           {ElementType::i8, "|i1"},
                                           {ElementType::i16, "<i2"},
                                           {ElementType::i32, "<i4"},
                                           {ElementType::i64, "<i8"},
                                           {ElementType::u8, "|u1"},
                                           {ElementType::u16, "<u2"},
                                           {ElementType::u32, "<u4"},
                                           {ElementType::u64, "<u8"},
                                           {ElementType::boolean, "|b1"}}};

} // namespace

std::optional<NpyHeader> parse_npy_header(std::string_view text) {
  return HeaderParser(text).parse();
}

std::optional<ElementType> element_of_descr(std::string_view descr) {
  for (const Descr &known : descrs)
    if (descr == known.descr)
      return known.type;
  return std::nullopt;
}

std::string descr_of(ElementType type) {
  for (const Descr &known : descrs)
    if (type == known.type)
      return known.descr;
  return "";
}

} // namespace tilewright::cli
