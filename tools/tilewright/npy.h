// NumPy's .npy files: versions 1, 2 and 3, little-endian numbers and booleans in C order.
#pragma once

#include <string>

#include "host_array.h"
#include "tilewright/result.h"

namespace tilewright::cli {

/// Reads a file. What is wrong with it, or what it holds that is not known here, is an error that
/// names the file and says what to do.
Result<HostArray> read_npy(const std::string &path);

/// Writes version 1.0. The file is complete or an error is returned.
Status write_npy(const std::string &path, const HostArray &array);

} // namespace tilewright::cli
