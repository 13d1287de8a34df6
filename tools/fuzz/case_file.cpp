#include "case_file.h"

#include <fstream>
#include <sstream>

namespace tilewright::fuzz {

std::string to_case_file(const Program &program, const Setting &setting) {
  std::ostringstream out;
  if (!setting.isa.empty())
    out << "// isa " << setting.isa << '\n';
  if (!setting.plan_json.empty())
    out << "// plan " << setting.plan_json << '\n';
  if (setting.safe_body)
    out << "// safe_body\n";
  out << "// element " << program.element << '\n' << "// data " << program.data_seed << '\n';
  if (agreement(program) == Agreement::two_ulps)
    out << "// agreement two_ulps\n";
  if (agreement(program) == Agreement::plans_only)
    out << "// agreement plans_only\n";
  for (const Buffer &buffer : program.buffers)
    out << "// buffer " << (buffer.loaded ? "loaded " : "nan ") << buffer.elements << '\n';
  for (const View &view : program.views) {
    out << "// view buffer " << view.buffer << " offset " << view.offset << " extents";
    for (size_t dim = 0; dim < view.axes.size(); ++dim)
      out << ' ' << program.extent(view, dim);
    out << " strides";
    for (int64_t stride : view.strides)
      out << ' ' << stride;
    out << '\n';
  }
  out << to_text(program);
  return out.str();
}

namespace {

/// The rest of a "// view" line.
bool read_view(std::istringstream &words, Program &program) {
  View view;
  std::string word;
  if (!(words >> word >> view.buffer >> word >> view.offset >> word) || word != "extents")
    return false;
  while (words >> word && word != "strides") {
    view.axes.push_back(static_cast<int>(program.extents.size()));
    program.extents.push_back(std::stoll(word));
  }
  for (int64_t stride; words >> stride;)
    view.strides.push_back(stride);
  program.views.push_back(view);
  return view.strides.size() == view.axes.size() &&
         view.buffer < static_cast<int>(program.buffers.size());
}

} // namespace

Result<Case> read_case_file(const std::string &file) {
  std::ifstream in(file);
  if (!in)
    return Error{ErrorKind::user, "cannot be read", {file, 1}};
  Case read;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    read.program.text += line + '\n'; // comments too, so that lines in messages agree
    std::istringstream words(line);
    std::string slashes, key, word;
    words >> slashes >> key;
    if (slashes != "//")
      continue;
    bool good = true;
    if (key == "isa")
      good = static_cast<bool>(words >> read.setting.isa);
    if (key == "plan")
      good = static_cast<bool>(std::getline(words >> std::ws, read.setting.plan_json));
    if (key == "safe_body")
      read.setting.safe_body = true;
    if (key == "element")
      good = static_cast<bool>(words >> read.program.element);
    if (key == "data")
      good = static_cast<bool>(words >> read.program.data_seed);
    if (key == "agreement") {
      good = static_cast<bool>(words >> word) && (word == "two_ulps" || word == "plans_only");
      read.program.text_agreement =
          word == "two_ulps" ? Agreement::two_ulps : Agreement::plans_only;
    }
    if (key == "buffer") {
      Buffer buffer;
      good = static_cast<bool>(words >> word >> buffer.elements);
      buffer.loaded = word == "loaded";
      read.program.buffers.push_back(buffer);
    }
    if (key == "view")
      good = read_view(words, read.program);
    if (!good)
      return Error{ErrorKind::user, "the line is not as the fuzzer writes it", {file, number}};
  }
  return read;
}

} // namespace tilewright::fuzz
