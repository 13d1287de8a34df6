#include "native/math/look_up.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::native {

using namespace mlir;

namespace {

constexpr int table_size = 8;

/// Table entries from a register of the target's, which holds the table as often as it fits.
class RegisterTable {
public:
  RegisterTable(Lanes &lanes, int register_lanes, const int32_t (&table)[table_size])
      : builder_(lanes.builder()), loc_(lanes.loc()) {
    entries_.resize(register_lanes);
    for (int i = 0; i < register_lanes; ++i)
      entries_[i] = table[i % table_size];
    VectorType type = VectorType::get(register_lanes, builder_.getI32Type());
    table_ = arith::ConstantOp::create(builder_, loc_,
                                       DenseElementsAttr::get(type, ArrayRef<int32_t>(entries_)));
  }

  /// For as many lanes as the register has. The instruction ignores the numbers' upper bits.
  Value pick(Value numbers) {
    const char *name =
        entries_.size() == 16 ? "llvm.x86.avx512.permvar.si.512" : "llvm.x86.avx2.permd";
    return LLVM::CallIntrinsicOp::create(builder_, loc_, table_.getType(),
                                         builder_.getStringAttr(name), ValueRange{table_, numbers})
        .getResult(0);
  }

private:
  OpBuilder &builder_;
  Location loc_;
  SmallVector<int32_t> entries_;
  Value table_;
};

/// Lanes `first`, `first` + 1, ... of `vector`, `count` of them; those that it lacks are undefined.
Value take(Lanes &lanes, Value vector, int64_t first, int64_t count) {
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  if (first == 0 && count == size)
    return vector;
  SmallVector<int64_t> from(count);
  std::iota(from.begin(), from.end(), first);
  for (int64_t &lane : from)
    if (lane >= size)
      lane = vector::ShuffleOp::kPoisonIndex;
  return vector::ShuffleOp::create(lanes.builder(), lanes.loc(), vector, vector, from);
}

/// The lanes of `low`, then those of `high`.
Value join(Lanes &lanes, Value low, Value high) {
  SmallVector<int64_t> from(cast<VectorType>(low.getType()).getNumElements() +
                            cast<VectorType>(high.getType()).getNumElements());
  std::iota(from.begin(), from.end(), 0);
  return vector::ShuffleOp::create(lanes.builder(), lanes.loc(), low, high, from);
}

Value look_up_in_register(Lanes &lanes, int register_lanes, const int32_t (&table)[table_size],
                          Value numbers) {
  RegisterTable entries(lanes, register_lanes, table);
  int64_t width = cast<VectorType>(numbers.getType()).getNumElements();
  Value result;
  for (int64_t first = 0; first < width; first += register_lanes) {
    Value picked = entries.pick(take(lanes, numbers, first, register_lanes));
    result = result ? join(lanes, result, picked) : picked;
  }
  return take(lanes, result, 0, width);
}

/// The address of the table as a constant of the module around, made where there is none yet.
Value table_in_memory(Lanes &lanes, const int32_t (&table)[table_size]) {
  OpBuilder &builder = lanes.builder();
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name = "table";
  for (int32_t entry : table)
    name += "_" + llvm::utohexstr(static_cast<uint32_t>(entry));
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder at_start = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), table_size);
    global = LLVM::GlobalOp::create(at_start, module.getLoc(), type, /*isConstant=*/true,
                                    LLVM::Linkage::Private, name,
                                    builder.getI32TensorAttr(ArrayRef<int32_t>(table)));
  }
  return LLVM::AddressOfOp::create(builder, lanes.loc(), global);
}

Value load_entry(Lanes &lanes, Value table, Value number) {
  OpBuilder &builder = lanes.builder();
  Location loc = lanes.loc();
  Type i32 = builder.getI32Type();
  Value mask = arith::ConstantIntOp::create(builder, loc, i32, table_size - 1);
  Value index = arith::AndIOp::create(builder, loc, number, mask);
  // An unsigned index: the code generator would extend the sign of an i32.
  index = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), index);
  Value address =
      LLVM::GEPOp::create(builder, loc, table.getType(), i32, table, ArrayRef<LLVM::GEPArg>{index});
  return LLVM::LoadOp::create(builder, loc, i32, address);
}

/// Entries of a table of four from each 128 bits of a register, with as many lanes as `numbers`.
Value look_up_in_quarters(Lanes &lanes, const float (&table)[4], Value numbers) {
  OpBuilder &builder = lanes.builder();
  int64_t width = cast<VectorType>(numbers.getType()).getNumElements();
  SmallVector<float> entries(width);
  for (int64_t i = 0; i < width; ++i)
    entries[i] = table[i % 4];
  VectorType type = VectorType::get(width, builder.getF32Type());
  Value constant = arith::ConstantOp::create(
      builder, lanes.loc(), DenseElementsAttr::get(type, ArrayRef<float>(entries)));
  const char *name = width == 16  ? "llvm.x86.avx512.vpermilvar.ps.512"
                     : width == 8 ? "llvm.x86.avx.vpermilvar.ps.256"
                                  : "llvm.x86.avx.vpermilvar.ps";
  return LLVM::CallIntrinsicOp::create(builder, lanes.loc(), type, builder.getStringAttr(name),
                                       ValueRange{constant, numbers})
      .getResult(0);
}

/// The entry by two levels of selects.
Value select_entry(Lanes &lanes, const float (&table)[4], Value number) {
  Value odd = lanes.is_bit_set(number, 0);
  Value low = lanes.select(odd, lanes.real(table[1]), lanes.real(table[0]));
  Value high = lanes.select(odd, lanes.real(table[3]), lanes.real(table[2]));
  return lanes.select(lanes.is_bit_set(number, 1), high, low);
}

} // namespace

Value look_up(Lanes &lanes, const Target &target, const int32_t (&table)[8], Value number) {
  auto vector = dyn_cast<VectorType>(number.getType());
  if (vector && vector.getNumElements() > 1 && target.permuted_lanes > 0) {
    // Fewer lanes than the smallest register has are still one instruction there.
    bool narrow = vector.getNumElements() <= table_size;
    return look_up_in_register(lanes, narrow ? table_size : target.permuted_lanes, table, number);
  }
  Value in_memory = table_in_memory(lanes, table);
  if (!vector)
    return load_entry(lanes, in_memory, number);
  OpBuilder &builder = lanes.builder();
  Value result =
      arith::ConstantOp::create(builder, lanes.loc(), builder.getZeroAttr(number.getType()));
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
    Value one = vector::ExtractOp::create(builder, lanes.loc(), number, lane);
    one = load_entry(lanes, in_memory, one);
    result = vector::InsertOp::create(builder, lanes.loc(), one, result, lane);
  }
  return result;
}

Value look_up(Lanes &lanes, const Target &target, const float (&table)[4], Value number) {
  auto vector = dyn_cast<VectorType>(number.getType());
  if (!vector || vector.getNumElements() == 1 || target.permuted_lanes == 0)
    return select_entry(lanes, table, number);
  int64_t width = vector.getNumElements();
  int64_t step = width <= 4 ? 4 : std::min<int64_t>(target.permuted_lanes, width <= 8 ? 8 : 16);
  Value result;
  for (int64_t first = 0; first < width; first += step) {
    Value picked = look_up_in_quarters(lanes, table, take(lanes, number, first, step));
    result = result ? join(lanes, result, picked) : picked;
  }
  return take(lanes, result, 0, width);
}

} // namespace tilewright::native
