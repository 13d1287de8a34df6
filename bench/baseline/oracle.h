#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::oracle {

/// The six measured families, evaluated in FP64 from f32 inputs, one plain loop each. They share
/// nothing with the compiler or with the yardsticks. Tensors are contiguous, row-major, rows × cols
/// unless said otherwise; a span may be longer than its tensor, never shorter.
struct Shape {
  std::int64_t rows, cols;
};
using Floats = std::span<const float>;
using Bytes = std::span<const std::uint8_t>;

/// y = x / sqrt(mean(x²) + eps) · gamma[cols]
std::vector<double> rms_norm(Shape shape, Floats x, Floats gamma, double eps = 1e-6);

/// y = (x − mean) / sqrt(mean((x − mean)²) + eps) · gamma[cols] + beta[cols]
std::vector<double> layer_norm(Shape shape, Floats x, Floats gamma, Floats beta, double eps = 1e-6);

/// s = mask ? scores : −inf; y = exp(s − max s) / Σ exp(s − max s); zeros where a row is all masked
std::vector<double> masked_softmax(Shape shape, Floats scores, Bytes mask);

/// y = a / (1 + exp(−a)) · b
std::vector<double> swiglu(Shape shape, Floats a, Floats b);

/// y = 0.5 · x · (1 + erf(x / √2)) + r
std::vector<double> gelu_residual(Shape shape, Floats x, Floats r);

/// y1 = x1 · cos − x2 · sin, y2 = x2 · cos + x1 · sin, where x1 and x2 are the halves of a row;
/// cos and sin are rows × cols/2 and cols is even.
std::vector<double> rope(Shape shape, Floats x, Floats cos, Floats sin);

} // namespace tilewright::oracle
