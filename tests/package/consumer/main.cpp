// A program of someone who installed Tilewright: rms_norm on a few rows, compared with plain C++.
#include <tilewright/tilewright.h>

#include <cmath>
#include <iostream>

namespace tw = tilewright;

auto rms_norm = tw::kernel("rms_norm", [](tw::View<const float, 2> x,
                                          tw::View<const float, 1> gamma, tw::View<float, 2> y) {
  auto [r, c] = x.axes("r", "c");
  for (auto &row : tw::parallel(r)) {
    auto v = x(row, c).load();
    auto mean = tw::sum(v * v, c) / c.extent();
    y(row, c).store(v * tw::rsqrt(mean + 1e-6f) * gamma(c).load());
  }
});

int main() {
  constexpr int64_t rows = 5, columns = 77;
  tw::Buffer<float> x({rows, columns}), gamma({columns}, 0.5f), y({rows, columns});
  for (int64_t i = 0; i < x.size(); ++i)
    x.data()[i] = std::sin(static_cast<float>(i));
  tw::Device cpu;
  if (auto status = rms_norm(cpu, x, gamma, y); !status) {
    std::cerr << status.error().message() << '\n';
    return 1;
  }
  double largest_error = 0;
  for (int64_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (int64_t c = 0; c < columns; ++c)
      sum += double(x(r, c)) * x(r, c);
    const double scale = 0.5 / std::sqrt(sum / columns + 1e-6);
    for (int64_t c = 0; c < columns; ++c)
      largest_error = std::max(largest_error, std::fabs(y(r, c) - x(r, c) * scale));
  }
  // Arguments that do not fit are an error value, and its text comes from the library.
  auto refused = rms_norm(cpu, gamma, gamma, y);
  std::cout << "largest error " << largest_error << "\nrefused: " << refused.error().message()
            << '\n';
  return largest_error < 1e-5 && !refused ? 0 : 1;
}
