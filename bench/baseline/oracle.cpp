#include "baseline/oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::oracle {
namespace {

using Index = std::size_t;

Index elements(Shape shape) { return Index(shape.rows * shape.cols); }

double mean_of(const double *values, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i)
    sum += values[i];
  return sum / double(count);
}

} // namespace

std::vector<double> rms_norm(Shape shape, Floats x, Floats gamma, double eps) {
  std::vector<double> y(elements(shape));
  Index rows = Index(shape.rows), cols = Index(shape.cols);
  for (Index r = 0; r < rows; ++r) {
    double squares = 0;
    for (Index c = 0; c < cols; ++c)
      squares += double(x[r * cols + c]) * double(x[r * cols + c]);
    double root = std::sqrt(squares / double(cols) + eps);
    for (Index c = 0; c < cols; ++c)
      y[r * cols + c] = double(x[r * cols + c]) / root * double(gamma[c]);
  }
  return y;
}

std::vector<double> layer_norm(Shape shape, Floats x, Floats gamma, Floats beta, double eps) {
  std::vector<double> y(elements(shape));
  Index rows = Index(shape.rows), cols = Index(shape.cols);
  std::vector<double> row(cols), squares(cols);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c)
      row[c] = double(x[r * cols + c]);
    double mean = mean_of(row.data(), cols);
    for (Index c = 0; c < cols; ++c)
      squares[c] = (row[c] - mean) * (row[c] - mean);
    double root = std::sqrt(mean_of(squares.data(), cols) + eps);
    for (Index c = 0; c < cols; ++c)
      y[r * cols + c] = (row[c] - mean) / root * double(gamma[c]) + double(beta[c]);
  }
  return y;
}

std::vector<double> masked_softmax(Shape shape, Floats scores, Bytes mask) {
  std::vector<double> y(elements(shape), 0.0);
  Index rows = Index(shape.rows), cols = Index(shape.cols);
  for (Index r = 0; r < rows; ++r) {
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
    bool any = false, has_nan = false;
    for (Index c = r * cols; c < (r + 1) * cols; ++c)
      if (mask[c]) {
        any = true;
        has_nan |= std::isnan(scores[c]);
        maximum = std::max(maximum, double(scores[c]));
      }
    if (!any)
      continue;
    if (has_nan)
      maximum = std::numeric_limits<double>::quiet_NaN();
    double masked = std::exp(-std::numeric_limits<double>::infinity() - maximum);
    for (Index c = r * cols; c < (r + 1) * cols; ++c) {
      y[c] = mask[c] ? std::exp(double(scores[c]) - maximum) : masked;
      sum += y[c];
    }
    for (Index c = r * cols; c < (r + 1) * cols; ++c)
      y[c] /= sum;
  }
  return y;
}

std::vector<double> swiglu(Shape shape, Floats a, Floats b) {
  std::vector<double> y(elements(shape));
  for (Index i = 0; i < y.size(); ++i)
    y[i] = double(a[i]) / (1 + std::exp(-double(a[i]))) * double(b[i]);
  return y;
}

std::vector<double> gelu_residual(Shape shape, Floats x, Floats r) {
  std::vector<double> y(elements(shape));
  for (Index i = 0; i < y.size(); ++i)
    y[i] = 0.5 * double(x[i]) * (1 + std::erf(double(x[i]) / std::sqrt(2.0))) + double(r[i]);
  return y;
}

std::vector<double> rope(Shape shape, Floats x, Floats cos, Floats sin) {
  std::vector<double> y(elements(shape));
  Index rows = Index(shape.rows), cols = Index(shape.cols), half = cols / 2;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < half; ++c) {
      double x1 = x[r * cols + c], x2 = x[r * cols + half + c];
      double cosine = cos[r * half + c], sine = sin[r * half + c];
      y[r * cols + c] = x1 * cosine - x2 * sine;
      y[r * cols + half + c] = x2 * cosine + x1 * sine;
    }
  return y;
}

} // namespace tilewright::oracle
