#include "oracle_answer.h"

#include "baseline/oracle.h"

namespace tilewright::cli {

std::string family_of(const std::string &kernel) {
  std::string family = kernel.ends_with("_div") ? kernel.substr(0, kernel.size() - 4) : kernel;
  for (const char *known :
       {"rms_norm", "layer_norm", "masked_softmax", "swiglu", "gelu_residual", "rope"})
    if (family == known)
      return family;
  return "";
}

std::optional<std::vector<double>> oracle_answer(const std::string &family, const Shape &shape,
                                                 std::span<const void *const> inputs) {
  const oracle::Shape at{shape.rows, shape.columns};
  const auto elements = static_cast<std::size_t>(shape.rows * shape.columns);
  const auto columns = static_cast<std::size_t>(shape.columns);
  auto floats = [&](std::size_t i, std::size_t count) {
    return oracle::Floats(static_cast<const float *>(inputs[i]), count);
  };
  if (family == "rms_norm")
    return oracle::rms_norm(at, floats(0, elements), floats(1, columns));
  if (family == "layer_norm")
    return oracle::layer_norm(at, floats(0, elements), floats(1, columns), floats(2, columns));
  if (family == "masked_softmax")
    return oracle::masked_softmax(
        at, floats(0, elements),
        oracle::Bytes(static_cast<const std::uint8_t *>(inputs[1]), elements));
  if (family == "swiglu")
    return oracle::swiglu(at, floats(0, elements), floats(1, elements));
  if (family == "gelu_residual")
    return oracle::gelu_residual(at, floats(0, elements), floats(1, elements));
  if (family == "rope")
    return oracle::rope(at, floats(0, elements), floats(1, elements / 2), floats(2, elements / 2));
  return std::nullopt;
}

} // namespace tilewright::cli
