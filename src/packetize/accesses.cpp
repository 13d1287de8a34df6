// Loads and stores of views: by how the lanes' addresses relate, and by which lanes are active.
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "packetize/converter.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
namespace scf = mlir::scf;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;

// Addresses: what does not move along the unit dimension first, so that it can leave the loop over
// that dimension; the constant distance between packets last, so that it goes into the instruction.

Value Converter::lane_zero_pointer(const View &view, mlir::ValueRange indices) {
  mlir::Type element = view.type.getElementType();
  Value row = emitter_.integer(0);
  Packet along = Packet::of_constant(0);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Packet first = packet(index);
    assert(first.is_linear() && "packetize: lane 0's address of unrelated lanes");
    first.stride = 0;
    if (static_cast<int64_t>(dim) == view.type.getUnitDim())
      along = first;
    else
      row = emitter_.add(row, emitter_.mul(scalar(first), view.strides[dim]));
  }
  Value pointer = emitter_.element_pointer(element, view.data, row);
  if (along.scalar)
    pointer = emitter_.element_pointer(element, pointer, along.scalar);
  return emitter_.element_pointer(element, pointer, along.offset);
}

Value Converter::lane_pointers(const View &view, mlir::ValueRange indices) {
  mlir::Type element = view.type.getElementType();
  bool linear = llvm::all_of(indices, [&](Value index) { return packet(index).is_linear(); });
  Value pointer = linear ? lane_zero_pointer(view, indices) : view.data;
  Value offsets;
  for (auto [index, stride] : llvm::zip(indices, view.strides)) {
    const Packet &lanes = packet(index);
    if (linear && lanes.stride == 0)
      continue;
    Value steps =
        linear ? emitter_.line(emitter_.integer(0), lanes.stride) : vector(lanes, index.getType());
    Value scaled = steps;
    if (Emitter::known(stride) != 1)
      scaled =
          arith::MulIOp::create(builder_, emitter_.location, steps, emitter_.broadcast(stride));
    offsets = offsets ? Value(arith::AddIOp::create(builder_, emitter_.location, offsets, scaled))
                      : scaled;
  }
  auto type = mlir::VectorType::get({width_}, pointer.getType());
  return LLVM::GEPOp::create(builder_, emitter_.location, type, memory_type(element), pointer,
                             mlir::ValueRange{offsets});
}

View Converter::flatten(lane::FlattenOp op) {
  const View &from = views_[op.getView()];
  View flat;
  flat.type = op.getResult().getType();
  flat.data = from.data;
  Value elements = emitter_.integer(1);
  for (Value extent : from.extents)
    elements = emitter_.mul(elements, extent);
  flat.extents = {elements};
  flat.strides = {emitter_.integer(1)};
  return flat;
}

void Converter::convert_misalignment(lane::MisalignmentOp op) {
  const View &view = views_[op.getView()];
  int64_t bytes = memory_bytes(view.type.getElementType());
  mlir::Location location = op.getLoc();
  Value address = LLVM::PtrToIntOp::create(builder_, location, builder_.getI64Type(),
                                           lane_zero_pointer(view, op.getIndices()));
  Value beyond =
      arith::AndIOp::create(builder_, location, address, emitter_.integer(op.getBytes() - 1));
  // Views start at whole elements, so what is left is a whole number of them.
  Value elements = beyond;
  if (bytes > 1)
    elements =
        arith::ShRUIOp::create(builder_, location, beyond, emitter_.integer(llvm::Log2_64(bytes)));
  emitter_.promise_not_negative(elements);
  set(op.getResult(), Packet::of_scalar(elements));
}

// Forms in memory

Value Converter::to_memory(mlir::Type element, Value value) {
  if (!element.isInteger(1))
    return value;
  mlir::Type type = builder_.getI8Type();
  if (auto lanes = llvm::dyn_cast<mlir::VectorType>(value.getType()))
    type = lanes.clone(type);
  return arith::ExtUIOp::create(builder_, emitter_.location, type, value);
}

Value Converter::from_memory(mlir::Type element, Value value) {
  if (!element.isInteger(1))
    return value;
  return arith::CmpIOp::create(builder_, emitter_.location, arith::CmpIPredicate::ne, value,
                               emitter_.zero(value.getType()));
}

// Loads

Value Converter::when_any_lane(mlir::Type type, llvm::function_ref<Value()> build) {
  Value active = all_lanes() ? Value() : any_lane(mask_);
  if (!active)
    return build();
  mlir::TypeRange types = type ? mlir::TypeRange(type) : mlir::TypeRange();
  auto branch = scf::IfOp::create(builder_, emitter_.location, types, active,
                                  /*withElseRegion=*/type != nullptr);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  if (type) {
    builder_.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder_, emitter_.location, emitter_.zero(type));
    builder_.setInsertionPointToEnd(branch.thenBlock());
    Value value = build();
    scf::YieldOp::create(builder_, emitter_.location, value);
    return branch.getResult(0);
  }
  builder_.setInsertionPointToStart(branch.thenBlock());
  build();
  return {};
}

Value Converter::load_lanes(mlir::Type element, Value pointer, int64_t alignment) {
  mlir::Type type = emitter_.lanes_type(memory_type(element));
  Value lanes;
  if (all_lanes())
    lanes = LLVM::LoadOp::create(builder_, emitter_.location, type, pointer, alignment);
  else
    lanes =
        LLVM::MaskedLoadOp::create(builder_, emitter_.location, type, pointer,
                                   mask_vector(mask_, memory_type(element).getIntOrFloatBitWidth()),
                                   emitter_.zero(type), static_cast<uint32_t>(alignment));
  return from_memory(element, lanes);
}

Value Converter::gather_lanes(mlir::Type element, Value pointers) {
  mlir::Type type = emitter_.lanes_type(memory_type(element));
  Value lanes = LLVM::masked_gather::create(
      builder_, emitter_.location, type, pointers,
      mask_vector(mask_, memory_type(element).getIntOrFloatBitWidth()),
      mlir::ValueRange{emitter_.zero(type)}, static_cast<uint32_t>(memory_bytes(element)));
  return from_memory(element, lanes);
}

LogicalResult Converter::convert_load(lane::LoadOp load) {
  const View &view = views_[load.getView()];
  mlir::Type element = view.type.getElementType();
  int64_t bytes = memory_bytes(element);
  switch (uniformity_.access(view.type, load.getIndices())) {
  case lane::Access::uniform: {
    mlir::Type type = memory_type(element);
    Value value = when_any_lane(type, [&]() -> Value {
      Value pointer = lane_zero_pointer(view, load.getIndices());
      return LLVM::LoadOp::create(builder_, load.getLoc(), type, pointer, bytes);
    });
    set(load.getResult(), Packet::of_scalar(from_memory(element, value)));
    return success();
  }
  case lane::Access::consecutive: {
    Value pointer = lane_zero_pointer(view, load.getIndices());
    set(load.getResult(), Packet::of_vector(load_lanes(element, pointer, bytes)));
    return success();
  }
  default: {
    Value pointers = lane_pointers(view, load.getIndices());
    set(load.getResult(), Packet::of_vector(gather_lanes(element, pointers)));
    return success();
  }
  }
}

// Stores

LogicalResult Converter::convert_store(lane::StoreOp store) {
  const View &view = views_[store.getView()];
  mlir::Type element = view.type.getElementType();
  int64_t bytes = memory_bytes(element);
  lane::Access access = uniformity_.access(view.type, store.getIndices());
  if (access == lane::Access::uniform)
    return store_uniform(store);

  Value lanes = to_memory(element, vector(store.getValue()));
  unsigned bits = memory_type(element).getIntOrFloatBitWidth();
  if (access != lane::Access::consecutive) {
    Value pointers = lane_pointers(view, store.getIndices());
    LLVM::masked_scatter::create(builder_, store.getLoc(), lanes, pointers,
                                 mask_vector(mask_, bits),
                                 builder_.getI32IntegerAttr(static_cast<int32_t>(bytes)));
    return success();
  }
  Value pointer = lane_zero_pointer(view, store.getIndices());
  int64_t alignment = store.getAligned() ? width_ * bytes : bytes;
  if (all_lanes())
    LLVM::StoreOp::create(builder_, store.getLoc(), lanes, pointer, alignment,
                          /*isVolatile=*/false, store.getNontemporal());
  else if (store.getStepDown() && mask_.is_prefix())
    store_pieces(lanes, element, pointer, alignment);
  else
    LLVM::MaskedStoreOp::create(builder_, store.getLoc(), lanes, pointer, mask_vector(mask_, bits),
                                builder_.getI32IntegerAttr(static_cast<int32_t>(alignment)));
  return success();
}

// All lanes store to one place, in their order: the last active one wins.
LogicalResult Converter::store_uniform(lane::StoreOp store) {
  const View &view = views_[store.getView()];
  mlir::Type element = view.type.getElementType();
  const Packet &value = packet(store.getValue());
  if (!value.is_uniform() && mask_.others)
    return bug(store, "lanes under an irregular mask store to one address");
  Value lanes = value.is_uniform() ? Value() : vector(store.getValue());
  when_any_lane({}, [&]() -> Value {
    Value last;
    if (!lanes) {
      last = scalar(value);
    } else {
      const Count &count = mask_.lanes.last;
      Value lane = count.value ? emitter_.sub(count.value, emitter_.integer(1))
                               : emitter_.integer(count.known - 1);
      last = LLVM::ExtractElementOp::create(builder_, store.getLoc(), lanes, lane);
    }
    Value pointer = lane_zero_pointer(view, store.getIndices());
    LLVM::StoreOp::create(builder_, store.getLoc(), to_memory(element, last), pointer,
                          memory_bytes(element));
    return {};
  });
  return success();
}

// A prefix of n lanes as pieces: by the bits of n, from the largest. What a piece leaves moves to
// the front, so each step works on half the lanes of the one before.
void Converter::store_pieces(Value lanes, mlir::Type element, Value pointer, int64_t alignment) {
  mlir::Location location = emitter_.location;
  const Count &count = mask_.lanes.last;
  int64_t bytes = memory_bytes(element);
  auto store = [&](Value piece, Value to, int64_t align) {
    LLVM::StoreOp::create(builder_, location, piece, to, align);
  };

  if (!count.value) {
    int64_t done = 0;
    for (int64_t size = width_; size > 0; size /= 2) {
      if ((count.known & size) == 0)
        continue;
      int64_t align = std::min(alignment, size * bytes);
      store(emitter_.part(lanes, done, size), emitter_.element_pointer(element, pointer, done),
            align);
      done += size;
    }
    return;
  }

  auto has_bit = [&](int64_t bit) -> Value {
    Value masked = arith::AndIOp::create(builder_, location, count.value, emitter_.integer(bit));
    return arith::CmpIOp::create(builder_, location, arith::CmpIPredicate::ne, masked,
                                 emitter_.integer(0));
  };
  auto full = scf::IfOp::create(builder_, location, has_bit(width_), /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(full.thenBlock());
  store(lanes, pointer, alignment);
  builder_.setInsertionPointToStart(full.elseBlock());
  for (int64_t size = width_ / 2; size > 0; size /= 2) {
    int64_t align = std::min(alignment, size * bytes);
    bool last = size == 1;
    mlir::Type rest = last ? mlir::Type() : mlir::VectorType::get({size}, memory_type(element));
    auto branch =
        last ? scf::IfOp::create(builder_, location, has_bit(size),
                                 /*withElseRegion=*/false)
             : scf::IfOp::create(builder_, location, mlir::TypeRange{rest, pointer.getType()},
                                 has_bit(size), /*withElseRegion=*/true);
    mlir::OpBuilder::InsertionGuard inner(builder_);
    if (last) {
      builder_.setInsertionPointToStart(branch.thenBlock());
      store(emitter_.part(lanes, 0, 1), pointer, align);
      break;
    }
    builder_.setInsertionPointToEnd(branch.thenBlock());
    store(emitter_.part(lanes, 0, size), pointer, align);
    Value beyond =
        LLVM::GEPOp::create(builder_, location, pointer.getType(), memory_type(element), pointer,
                            llvm::ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(size)});
    Value upper = emitter_.part(lanes, size, size);
    scf::YieldOp::create(builder_, location, mlir::ValueRange{upper, beyond});
    builder_.setInsertionPointToEnd(branch.elseBlock());
    Value lower = emitter_.part(lanes, 0, size);
    scf::YieldOp::create(builder_, location, mlir::ValueRange{lower, pointer});
    lanes = branch.getResult(0);
    pointer = branch.getResult(1);
  }
}

} // namespace tilewright::packetize
