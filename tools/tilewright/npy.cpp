#include "npy.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "npy_header.h"

namespace tilewright::cli {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

template <typename... Values>
Error failure(const std::string &path, fmt::format_string<Values...> text, Values &&...values) {
  return {ErrorKind::user,
          fmt::format("{}: {}", path, fmt::format(text, std::forward<Values>(values)...)),
          {}};
}

/// An open file and how many of its bytes are not read yet.
struct Input {
  std::ifstream stream;
  int64_t left = 0;

  bool read(void *to, int64_t bytes) {
    if (bytes > left || !stream.read(static_cast<char *>(to), bytes))
      return false;
    left -= bytes;
    return true;
  }
};

Result<Input> open(const std::string &path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0)
    return failure(path, "{}", errno == ENOENT ? "there is no such file" : std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return failure(path, "it is not a regular file; give a .npy file");
  Input input{std::ifstream(path, std::ios::binary), status.st_size};
  if (!input.stream)
    return failure(path, "it cannot be opened: {}", std::strerror(errno));
  return input;
}

Result<std::string> read_header_text(const std::string &path, Input &input) {
  const int64_t file_bytes = input.left;
  unsigned char start[8] = {};
  if (!input.read(start, sizeof start) || std::memcmp(start, magic.data(), magic.size()) != 0)
    return failure(path, "it is not a .npy file; save it with numpy.save");
  const int version = start[6];
  if (version < 1 || version > 3)
    return failure(path, "it has version {}.{} of the .npy format; versions 1 to 3 are known",
                   version, int{start[7]});
  unsigned char length_bytes[4] = {};
  bool complete = input.read(length_bytes, version == 1 ? 2 : 4);
  int64_t length = 0;
  for (int i = 3; i >= 0; --i)
    length = length << 8 | length_bytes[i];
  complete = complete && length <= input.left;
  std::string text(complete ? static_cast<std::size_t>(length) : 0, ' ');
  if (!complete || !input.read(text.data(), length))
    return failure(path, "it is truncated: the file ends after {} bytes, inside its header",
                   file_bytes);
  return text;
}

Result<ElementType> element_type(const std::string &path, const NpyHeader &header) {
  const std::string &descr = header.descr;
  if (descr.empty())
    return failure(path, "it has structured elements; save one plain array per field");
  if (descr.find('O') != std::string::npos)
    return failure(path, "it holds Python objects; convert it with .astype(numpy.float32)");
  std::string little = descr;
  if (little.size() == 3 && little[2] == '1')
    little[0] = '|'; // bytes have no order
  if (std::optional<ElementType> type = element_of_descr(little))
    return *type;
  little[0] = '<';
  if (descr[0] == '>' && element_of_descr(little))
    return failure(path, "it has big-endian elements ('{}'); convert it with .astype('{}')", descr,
                   little);
  return failure(
      path,
      "it has elements of type '{}'; known are float32, float64, int8 to int64, uint8 to "
      "uint64 and bool",
      descr);
}

/// Bytes of the data, or an error when the shape is no array that could be here.
Result<int64_t> data_bytes(const std::string &path, const NpyHeader &header, ElementType type) {
  if (header.shape.size() > TW_MAX_RANK)
    return failure(path, "it has {} dimensions; at most {} are supported", header.shape.size(),
                   int{TW_MAX_RANK});
  const bool empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  int64_t bytes = empty ? 0 : byte_size(type);
  for (int64_t extent : header.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return failure(path, "its shape ({}) holds more bytes than a file can",
                     fmt::join(header.shape, ", "));
  return bytes;
}

Status check_booleans(const std::string &path, const HostArray &array) {
  if (array.type() != ElementType::boolean)
    return {};
  for (uint8_t byte : array.bytes())
    if (byte > 1)
      return failure(path, "it has a bool element with the value {}; 0 and 1 are allowed",
                     int{byte});
  return {};
}

} // namespace

Result<HostArray> read_npy(const std::string &path) {
  Result<Input> input = open(path);
  if (!input)
    return input.error();
  Result<std::string> text = read_header_text(path, *input);
  if (!text)
    return text.error();
  std::optional<NpyHeader> header = parse_npy_header(*text);
  if (!header)
    return failure(path, "its header is damaged; save it again with numpy.save");
  Result<ElementType> type = element_type(path, *header);
  if (!type)
    return type.error();
  if (header->fortran_order)
    return failure(path, "it is in Fortran order; save numpy.ascontiguousarray of it");
  Result<int64_t> bytes = data_bytes(path, *header, *type);
  if (!bytes)
    return bytes.error();
  if (*bytes > input->left)
    return failure(path, "it is truncated: shape ({}) of {} takes {} bytes, and {} are there",
                   fmt::join(header->shape, ", "), to_string(*type), *bytes, input->left);
  if (*bytes < input->left)
    return failure(path, "it has {} bytes after its data; one file holds one array",
                   input->left - *bytes);
  HostArray array(*type, header->shape);
  if (!input->read(array.bytes().data(), *bytes))
    return failure(path, "it cannot be read: {}", std::strerror(errno));
  if (Status status = check_booleans(path, array); !status)
    return status.error();
  return array;
}

Status write_npy(const std::string &path, const HostArray &array) {
  const Dimensions &extents = array.extents();
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                  descr_of(array.type()), fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
  // The data begins on a 64-byte border; the header ends with a line break.
  const std::size_t before = magic.size() + 2 + 2;
  header.resize((before + header.size() + 1 + 63) / 64 * 64 - before, ' ');
  header.back() = '\n';
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << magic << '\1' << '\0' << static_cast<char>(header.size() & 0xff)
         << static_cast<char>(header.size() >> 8) << header;
  stream.write(reinterpret_cast<const char *>(array.bytes().data()),
               static_cast<std::streamsize>(array.bytes().size()));
  stream.close();
  if (!stream)
    return failure(path, "it cannot be written: {}", std::strerror(errno));
  return {};
}

} // namespace tilewright::cli
