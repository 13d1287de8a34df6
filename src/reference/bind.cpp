#include "reference/bind.h"

namespace tilewright::reference {

namespace {

std::string argument_name(size_t number) { return "argument " + std::to_string(number); }

Error user_error(mlir::Location location, std::string text) {
  return {ErrorKind::user, std::move(text), source_line(location)};
}

bool same_element(Kind kind, ElementType type) {
  switch (type) {
  case ElementType::f32:
    return kind == Kind::f32;
  case ElementType::f64:
    return kind == Kind::f64;
  case ElementType::boolean: // recorded kernels see the byte and test it
    return kind == Kind::i1 || kind == Kind::i8;
  default:
    return !is_real(kind) && kind != Kind::i1 && bit_width(kind) == 8 * byte_size(type);
  }
}

/// Strides that the view's type promises: one in its unit dimension, or all of them when packed. A
/// dimension of at most one element may have any.
std::optional<int64_t> promised_stride(tile::ViewType view, const Argument &argument, int64_t dim) {
  if (view.getPacked()) {
    int64_t behind = 1;
    for (int64_t inner = dim + 1; inner < view.get_rank(); ++inner)
      behind *= argument.extents[inner];
    return behind;
  }
  return dim == view.getUnitDim() ? std::optional<int64_t>(1) : std::nullopt;
}

Status check_argument(tile::KernelOp kernel, size_t number, const Argument &argument) {
  auto view = llvm::cast<tile::ViewType>(kernel.views()[number].getType());
  auto fail = [&](std::string text) {
    return user_error(kernel.getLoc(), argument_name(number) + " of " + kernel.getSymName().str() +
                                           " " + std::move(text));
  };
  if (!same_element(stored_kind(view.getElementType()), argument.type))
    return fail("holds " + to_string(argument.type) + "; the kernel takes another element type");
  auto rank = static_cast<size_t>(view.get_rank());
  if (argument.extents.size() != rank || argument.strides.size() != rank)
    return fail("has " + std::to_string(argument.extents.size()) + " extents and " +
                std::to_string(argument.strides.size()) + " strides; the kernel takes rank " +
                std::to_string(rank));
  bool empty = llvm::is_contained(argument.extents, 0);
  for (int64_t dim = 0; dim < view.get_rank(); ++dim) {
    int64_t extent = argument.extents[dim], wanted = view.getShape()[dim];
    if (extent < 0)
      return fail("has a negative extent in dimension " + std::to_string(dim));
    if (!mlir::ShapedType::isDynamic(wanted) && extent != wanted)
      return fail("has extent " + std::to_string(extent) + " in dimension " + std::to_string(dim) +
                  "; the kernel takes " + std::to_string(wanted));
    std::optional<int64_t> stride = promised_stride(view, argument, dim);
    if (stride && !empty && extent > 1 && argument.strides[dim] != *stride)
      return fail("has stride " + std::to_string(argument.strides[dim]) + " in dimension " +
                  std::to_string(dim) + "; the kernel takes " + std::to_string(*stride));
  }
  return {};
}

template <typename Access>
Status check_spans(Access access, const Binding &binding) {
  auto number = llvm::cast<mlir::BlockArgument>(access.getView()).getArgNumber();
  for (int64_t dim = 0; dim < access.getView().getType().get_rank(); ++dim) {
    mlir::FlatSymbolRefAttr axis = access.span(dim);
    if (!axis || access.block(dim))
      continue;
    int64_t wanted = binding.extents.at(axis.getValue().str());
    int64_t extent = binding.views[number].extent(dim);
    if (extent != wanted)
      return user_error(access.getLoc(), "axis " + axis.getValue().str() + " has extent " +
                                             std::to_string(wanted) + " and spans dimension " +
                                             std::to_string(dim) + " of " + argument_name(number) +
                                             ", which has " + std::to_string(extent) +
                                             "; pass arguments whose extents agree");
  }
  return {};
}

/// Reports the first access whose axes do not fit or that writes to storage the caller has const.
Status check_accesses(tile::KernelOp kernel, std::span<const Argument> arguments,
                      const Binding &binding) {
  Status status;
  kernel->walk([&](mlir::Operation *op) {
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op))
      status = check_spans(load, binding);
    if (auto store = llvm::dyn_cast<tile::StoreOp>(op)) {
      status = check_spans(store, binding);
      auto number = llvm::cast<mlir::BlockArgument>(store.getView()).getArgNumber();
      if (status && arguments[number].read_only)
        status = user_error(op->getLoc(), argument_name(number) +
                                              " is const and the kernel stores to it; pass storage "
                                              "that may be written");
    }
    return status ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return status;
}

} // namespace

Kind stored_kind(mlir::Type type) {
  if (type.isF32())
    return Kind::f32;
  if (type.isF64())
    return Kind::f64;
  if (type.isIndex())
    return Kind::i64;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return Kind::i1;
  case 8:
    return Kind::i8;
  case 16:
    return Kind::i16;
  case 32:
    return Kind::i32;
  default:
    return Kind::i64;
  }
}

Kind computed_kind(mlir::Type type, Precision precision) {
  Kind kind = stored_kind(type);
  return precision == Precision::wide && is_real(kind) ? Kind::f64 : kind;
}

Result<Binding> bind_arguments(tile::KernelOp kernel, std::span<const Argument> arguments,
                               Precision precision) {
  if (arguments.size() != kernel.views().size())
    return user_error(kernel.getLoc(), kernel.getSymName().str() + " takes " +
                                           std::to_string(kernel.views().size()) +
                                           " arguments and was given " +
                                           std::to_string(arguments.size()));
  Binding binding;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    if (Status status = check_argument(kernel, number, argument); !status)
      return status.error();
    auto view = llvm::cast<tile::ViewType>(kernel.views()[number].getType());
    binding.views.emplace_back(argument, stored_kind(view.getElementType()), precision);
  }
  for (auto axis : kernel.body()->getOps<tile::AxisOp>()) {
    auto number = llvm::cast<mlir::BlockArgument>(axis.getView()).getArgNumber();
    binding.extents[axis.getSymName().str()] = arguments[number].extents[axis.getDim()];
  }
  if (Status status = check_accesses(kernel, arguments, binding); !status)
    return status.error();
  return binding;
}

} // namespace tilewright::reference
