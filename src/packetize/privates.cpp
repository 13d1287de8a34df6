// Private arrays, interleaved as [slot][lane]: a uniform slot is one vector, and so are as many
// elements of the array as one row from any element on.
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "packetize/converter.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;

namespace {

mlir::Type element_of(Value array) {
  return llvm::cast<lane::PrivateArrayType>(array.getType()).getElementType();
}

} // namespace

// When no lane is active the index may be anything, so zero takes its place.
Converter::PrivatePacket Converter::private_packet(Value array, const Packet &index, bool row) {
  mlir::Type element = element_of(array);
  int64_t scale = row ? 1 : width_;
  Value pointer = private_arrays_.lookup(array);
  bool whole = !row || (index.offset % width_ == 0 &&
                        (!index.scalar || emitter_.is_multiple(index.scalar, width_)));
  int64_t bytes = memory_bytes(element);
  int64_t alignment = whole ? std::min<int64_t>(64, width_ * bytes) : bytes;
  if (!index.scalar)
    return {emitter_.element_pointer(element, pointer, index.offset * scale), alignment};
  Value first = emitter_.mul(index.scalar, emitter_.integer(scale));
  Value active = all_lanes() ? Value() : any_lane(mask_);
  if (!active) {
    pointer = emitter_.element_pointer(element, pointer, first);
    return {emitter_.element_pointer(element, pointer, index.offset * scale), alignment};
  }
  Value there = emitter_.add(first, emitter_.integer(index.offset * scale));
  Value safe =
      arith::SelectOp::create(builder_, emitter_.location, active, there, emitter_.integer(0));
  return {emitter_.element_pointer(element, pointer, safe), alignment};
}

Value Converter::slot_pointers(Value array, const Packet &slot) {
  Value slots = vector(slot, builder_.getIndexType());
  Value scaled = arith::MulIOp::create(builder_, emitter_.location, slots,
                                       emitter_.broadcast(emitter_.integer(width_)));
  Value offsets =
      arith::AddIOp::create(builder_, emitter_.location, scaled, emitter_.lane_numbers(64));
  Value pointer = private_arrays_.lookup(array);
  return LLVM::GEPOp::create(builder_, emitter_.location,
                             mlir::VectorType::get({width_}, pointer.getType()),
                             memory_type(element_of(array)), pointer, mlir::ValueRange{offsets});
}

void Converter::convert_get(lane::GetOp get) {
  const Packet &slot = packet(get.getSlot());
  mlir::Type element = element_of(get.getArray());
  assert(!get.getRow() || slot.is_uniform());
  if (!slot.is_uniform()) {
    Value pointers = slot_pointers(get.getArray(), slot);
    return set(get.getResult(), Packet::of_vector(gather_lanes(element, pointers)));
  }
  // Inactive lanes may be read too.
  mlir::Type type = emitter_.lanes_type(memory_type(element));
  PrivatePacket from = private_packet(get.getArray(), slot, get.getRow());
  Value lanes = LLVM::LoadOp::create(builder_, get.getLoc(), type, from.pointer, from.alignment);
  lanes = from_memory(element, lanes);
  set(get.getResult(), width_ == 1 ? Packet::of_scalar(lanes) : Packet::of_vector(lanes));
}

void Converter::convert_put(lane::PutOp put) {
  const Packet &slot = packet(put.getSlot());
  mlir::Type element = element_of(put.getArray());
  unsigned bits = memory_type(element).getIntOrFloatBitWidth();
  assert(!put.getRow() || slot.is_uniform());
  if (!slot.is_uniform()) {
    Value lanes = to_memory(element, vector(put.getValue()));
    LLVM::masked_scatter::create(builder_, put.getLoc(), lanes, slot_pointers(put.getArray(), slot),
                                 mask_vector(mask_, bits),
                                 builder_.getI32IntegerAttr(static_cast<int32_t>(bits / 8)));
    return;
  }
  Value lanes = to_memory(element, vector(put.getValue()));
  auto [pointer, alignment] = private_packet(put.getArray(), slot, put.getRow());
  if (!all_lanes()) {
    Value before =
        LLVM::LoadOp::create(builder_, put.getLoc(), lanes.getType(), pointer, alignment);
    lanes =
        arith::SelectOp::create(builder_, put.getLoc(), mask_vector(mask_, bits), lanes, before);
  }
  LLVM::StoreOp::create(builder_, put.getLoc(), lanes, pointer, alignment);
}

} // namespace tilewright::packetize
