// Kernels: named lambdas over views.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilewright/device.h"
#include "tilewright/kernel_source.h"
#include "tilewright/view.h"

namespace tilewright {

namespace detail {

template <typename V>
struct ViewTraits {
  static constexpr bool is_view = false;
};
template <typename T, int R, std::size_t... I>
struct ViewTraits<View<T, R, std::index_sequence<I...>>> {
  static constexpr bool is_view = true;
  static Parameter parameter() { return {element_type_of<T>(), R, std::is_const_v<T>}; }
};

} // namespace detail

/// What to specialise a view's extent on. A kernel is compiled once per value of its fixed extents;
/// one compiled kernel serves every value of the dynamic ones.
enum class ShapeRequest : char {
  automatic = '?', ///< dynamic along the axes of the outermost `parallel`, fixed otherwise
  fixed = 'f',
  dynamic = 'd'
};
inline constexpr ShapeRequest automatic = ShapeRequest::automatic;
inline constexpr ShapeRequest fixed = ShapeRequest::fixed;
inline constexpr ShapeRequest dynamic = ShapeRequest::dynamic;

/// Choices that belong to a kernel as a whole.
///
///     tw::kernel("f", [](...) {...}, {.contract = false, .shapes = {{tw::dynamic, tw::dynamic}}});
struct KernelOptions {
  bool contract = true; ///< a product and a sum may become one fma
  /// Per parameter and dimension; what is left out is `automatic`. All dimensions that an axis
  /// spans or selects follow a request for one of them.
  std::vector<std::vector<ShapeRequest>> shapes = {};
};

/// A kernel over views V... Calling it runs it on a device:
///
///     tw::Device cpu;
///     if (auto status = rms_norm(cpu, x, gamma, y); !status)
///       std::cerr << status.error().message() << '\n';
///
/// Arguments are `Buffer<T>` or `HostView<T>` (anything with `Argument as_argument()`), one per
/// parameter and in order; what is const can only be read. The first launch of a shape class
/// records, plans and compiles; later ones find the code again. The call returns when the outputs
/// are written. Copies share one kernel.
template <typename... V>
class Kernel {
public:
  explicit Kernel(KernelSource source)
      : source_(std::make_shared<const KernelSource>(std::move(source))) {}

  template <typename... Arguments>
  Status operator()(Device &device, Arguments &&...arguments) const {
    static_assert(sizeof...(Arguments) == sizeof...(V),
                  "a kernel takes one argument per parameter of its lambda");
    const std::array<Argument, sizeof...(V)> erased{arguments.as_argument()...};
    return detail::launch(device, *source_, erased);
  }

  /// The kernel with its type erased, for tools.
  const KernelSource &source() const { return *source_; }

private:
  std::shared_ptr<const KernelSource> source_;
};

namespace detail {

template <typename Lambda, typename... V>
Kernel<std::remove_cvref_t<V>...> make_kernel(std::string name, Lambda lambda,
                                              const KernelOptions &options, const Where &where,
                                              void (Lambda::*)(V...) const) {
  static_assert((ViewTraits<std::remove_cvref_t<V>>::is_view && ...),
                "the parameters of a kernel's lambda are tw::View<T, R>");
  KernelSource source;
  source.name = std::move(name);
  source.where = {where.file_name(), static_cast<int>(where.line())};
  source.parameters = {ViewTraits<std::remove_cvref_t<V>>::parameter()...};
  source.contract = options.contract;
  for (const std::vector<ShapeRequest> &view : options.shapes) {
    std::string &requests = source.shape_requests.emplace_back();
    for (ShapeRequest request : view)
      requests += static_cast<char>(request);
  }
  source.body = [lambda = std::move(lambda)] {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      lambda(std::remove_cvref_t<V>(parameter(static_cast<int>(I)))...);
    }(std::index_sequence_for<V...>());
  };
  return Kernel<std::remove_cvref_t<V>...>(std::move(source));
}

} // namespace detail

/// Makes a kernel of a lambda whose parameters are views. The lambda is called once per shape
/// class, to record what one program computes; host code in it runs then, at recording, and not at
/// launch.
///
///     auto scale = tw::kernel("scale", [](tw::View<const float, 1> x, tw::View<float, 1> y) {
///       auto [i] = x.axes("i");
///       y(i).store(2 * x(i).load());
///     });
///
/// `name` is the kernel's name in messages, in the cache and for the command line.
template <typename Lambda>
auto kernel(std::string name, Lambda lambda, const KernelOptions &options = {},
            detail::Where where = detail::Where::current()) {
  static_assert(
      requires { &Lambda::operator(); },
      "a kernel's lambda spells out its parameter types: tw::View<T, R>");
  return detail::make_kernel(std::move(name), std::move(lambda), options, where,
                             &Lambda::operator());
}

} // namespace tilewright
