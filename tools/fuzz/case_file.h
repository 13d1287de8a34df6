// A case as a file: tile IR, and in comments the arguments and how to compile.
//
//   // isa x86-64-v3
//   // plan {"mapping":"row",...}
//   // buffer loaded 130
//   // view buffer 0 offset 3 extents 2 65 strides 65 1
//   tile.kernel @fuzz(...) ...
#pragma once

#include "check.h"
#include "tilewright/result.h"

namespace tilewright::fuzz {

std::string to_case_file(const Program &program, const Setting &setting);

struct Case {
  Program program;
  Setting setting; ///< no isa: every setting is tried
};

Result<Case> read_case_file(const std::string &file);

} // namespace tilewright::fuzz
