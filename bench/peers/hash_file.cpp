#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>

#include <fstream>
#include <iterator>

#include "peers/captured.h"

namespace tilewright::peers {

std::string hash_file(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return "";
  const std::vector<std::uint8_t> bytes(std::istreambuf_iterator<char>(stream), {});
  std::string text;
  for (std::uint8_t byte : llvm::SHA256::hash(bytes)) {
    constexpr char digits[] = "0123456789abcdef";
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

} // namespace tilewright::peers
