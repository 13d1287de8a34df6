#include "packetize/converter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tilewright/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
namespace scf = mlir::scf;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;

namespace {

constexpr int64_t stack_limit = 8 << 10; // bytes of private arrays; more goes to the workspace
constexpr int64_t workspace_alignment = 64;

void remove_terminator(mlir::Block *block) {
  if (block->mightHaveTerminator())
    block->back().erase();
}

} // namespace

Converter::Converter(lane::PhaseOp phase, const Uniformity &uniformity, mlir::func::FuncOp function)
    : phase_(phase), uniformity_(uniformity), function_(function), width_(phase.getWidth()),
      emitter_(function, phase.getWidth()), guards_(emitter_), builder_(emitter_.builder) {
  mask_.lanes.last.known = width_;
}

LogicalResult Converter::run() {
  map_arguments();
  place_private_arrays();
  mark_status_changes();
  status_ = emitter_.integer(TW_OK, 32);
  if (failed(convert(*phase_.body())))
    return mlir::failure();
  mlir::func::ReturnOp::create(builder_, phase_.getLoc(), status_);
  return success();
}

LogicalResult Converter::bug(mlir::Operation *op, const llvm::Twine &text) {
  return op->emitError() << "internal: packetize: " << text;
}

// Arguments and storage

void Converter::map_arguments() {
  auto arguments = function_.getArguments().begin();
  for (mlir::BlockArgument original : phase_.views()) {
    View &view = views_[original];
    view.type = llvm::cast<tile::ViewType>(original.getType());
    view.number = static_cast<int>(original.getArgNumber());
    int64_t rank = view.type.get_rank();
    view.data = *arguments++;
    for (int64_t extent : view.type.getShape()) {
      Value argument = *arguments++;
      bool known = !mlir::ShapedType::isDynamic(extent);
      if (!known)
        emitter_.promise_not_negative(argument);
      view.extents.push_back(known ? emitter_.integer(extent) : argument);
    }
    view.strides.assign(rank, Value());
    for (int64_t dim = 0; dim < rank; ++dim)
      view.strides[dim] = *arguments++;
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      if (dim == view.type.getUnitDim())
        view.strides[dim] = emitter_.integer(1);
      else if (view.type.getPacked())
        view.strides[dim] = emitter_.mul(view.strides[dim + 1], view.extents[dim + 1]);
    }
  }
  for (Value original : {phase_.begin(), phase_.end()}) {
    Value argument = *arguments++;
    emitter_.promise_not_negative(argument);
    set(original, Packet::of_scalar(argument));
  }
}

void Converter::place_private_arrays() {
  llvm::SmallVector<lane::PrivateOp> arrays;
  phase_.walk([&](lane::PrivateOp array) { arrays.push_back(array); });
  auto bytes = [&](lane::PrivateOp array) {
    lane::PrivateArrayType type = array.getType();
    return type.getSlots() * width_ * memory_bytes(type.getElementType());
  };
  int64_t total = 0;
  for (lane::PrivateOp array : arrays)
    total += llvm::alignTo(bytes(array), workspace_alignment);
  auto pointer = LLVM::LLVMPointerType::get(builder_.getContext());
  Value workspace = function_.getArguments().back();
  for (lane::PrivateOp array : arrays) {
    Value &address = private_arrays_[array.getResult()];
    if (total <= stack_limit) {
      address = LLVM::AllocaOp::create(builder_, array.getLoc(), pointer, builder_.getI8Type(),
                                       emitter_.integer(std::max<int64_t>(bytes(array), 1)),
                                       workspace_alignment);
    } else {
      address = emitter_.element_pointer(builder_.getI8Type(), workspace, workspace_bytes_);
      workspace_bytes_ += llvm::alignTo(bytes(array), workspace_alignment);
    }
  }
}

void Converter::mark_status_changes() {
  phase_.walk([&](mlir::Operation *mark) {
    if (!llvm::isa<lane::SafeBodyOp, lane::OverlapOp>(mark))
      return;
    for (mlir::Operation *op = mark->getParentOp(); op != phase_; op = op->getParentOp())
      changes_status_.insert(op);
  });
}

// Packets as values

const Packet &Converter::packet(Value original) const {
  auto found = packets_.find(original);
  assert(found != packets_.end() && "packetize: a value is used before it is converted");
  return found->second;
}

Packet Converter::uniform(Value original, Value scalar) const {
  if (original.getType().isIndex())
    if (std::optional<int64_t> constant = Emitter::known(scalar))
      return Packet::of_constant(*constant);
  return Packet::of_scalar(scalar);
}

Value Converter::scalar(const Packet &packet) {
  assert(packet.is_linear() && "packetize: a varying value is used as a scalar");
  if (!packet.scalar)
    return emitter_.integer(packet.offset);
  return packet.offset == 0 ? packet.scalar
                            : emitter_.add(packet.scalar, emitter_.integer(packet.offset));
}

Value Converter::vector(const Packet &packet, mlir::Type type) {
  if (packet.vector)
    return packet.vector;
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  if (packet.interval)
    return emitter_.interval_mask(*packet.interval, bits);
  return packet.stride == 0 ? emitter_.broadcast(scalar(packet))
                            : emitter_.line(scalar(packet), packet.stride);
}

// A predicate beside data of `bits` bits is best made by comparing integers of that size.
Value Converter::vector_beside(Value original, unsigned bits) {
  const Packet &lanes = packet(original);
  return lanes.interval ? emitter_.interval_mask(*lanes.interval, bits) : vector(original);
}

// Structure

LogicalResult Converter::convert(mlir::Block &block) {
  for (mlir::Operation &op : block) {
    if (op.hasTrait<mlir::OpTrait::IsTerminator>())
      break;
    emitter_.location = op.getLoc();
    if (failed(convert(op)))
      return mlir::failure();
  }
  return success();
}

LogicalResult Converter::convert(mlir::Operation &op) {
  if (auto load = llvm::dyn_cast<lane::LoadOp>(op))
    return convert_load(load);
  if (auto store = llvm::dyn_cast<lane::StoreOp>(op))
    return convert_store(store);
  if (op.getName().getDialectNamespace() != lane::LaneDialect::getDialectNamespace()) {
    if (auto loop = llvm::dyn_cast<scf::ForOp>(op))
      return convert_for(loop);
    if (auto branch = llvm::dyn_cast<scf::IfOp>(op))
      return convert_if(branch);
    return convert_elementwise(op);
  }
  if (auto get = llvm::dyn_cast<lane::GetOp>(op))
    return convert_get(get), success();
  if (auto put = llvm::dyn_cast<lane::PutOp>(op))
    return convert_put(put), success();
  if (llvm::isa<lane::PrivateOp>(op))
    return success();
  if (auto id = llvm::dyn_cast<lane::IdOp>(op)) {
    Packet lanes = Packet::of_constant(0);
    lanes.stride = width_ == 1 ? 0 : 1;
    set(id.getResult(), lanes);
    return success();
  }
  if (auto extent = llvm::dyn_cast<lane::ExtentOp>(op)) {
    set(extent.getResult(),
        uniform(extent.getResult(), views_[extent.getView()].extents[extent.getDim()]));
    return success();
  }
  if (auto flat = llvm::dyn_cast<lane::FlattenOp>(op)) {
    View view = flatten(flat);
    views_[flat.getResult()] = view;
    return success();
  }
  if (auto reduce = llvm::dyn_cast<lane::ReduceOp>(op))
    return convert_reduce(reduce);
  if (auto misalignment = llvm::dyn_cast<lane::MisalignmentOp>(op))
    return convert_misalignment(misalignment), success();
  if (auto guard = llvm::dyn_cast<lane::GuardOp>(op)) {
    std::vector<GuardedPair> pairs;
    for (auto [stored, other, same] :
         llvm::zip(guard.getStored(), guard.getOthers(), guard.getSameElementFirst())) {
      pairs.push_back({views_[stored], views_[other], same});
      if (!pairs.back().stored.number || !pairs.back().other.number)
        return bug(&op, "a guard is about views of the launch");
    }
    set(guard.getResult(), Packet::of_scalar(guards_.emit(pairs)));
    return success();
  }
  if (auto prefetch = llvm::dyn_cast<lane::PrefetchOp>(op)) {
    Value pointer = lane_zero_pointer(views_[prefetch.getView()], prefetch.getIndices());
    LLVM::Prefetch::create(builder_, op.getLoc(), pointer, /*rw=*/0, /*hint=*/3, /*cache=*/1);
    return success();
  }
  if (llvm::isa<lane::FenceOp>(op)) {
    // x86 alone has non-temporal stores so far; another target needs its own fence here.
    LLVM::CallIntrinsicOp::create(
        builder_, op.getLoc(), builder_.getStringAttr("llvm.x86.sse.sfence"), mlir::ValueRange{});
    return success();
  }
  if (llvm::isa<lane::SafeBodyOp, lane::OverlapOp>(op)) {
    if (!all_lanes())
      return bug(&op, "a guard fails for all lanes or for none");
    status_ = emitter_.integer(llvm::isa<lane::SafeBodyOp>(op) ? TW_OK_SAFE_BODY : TW_OVERLAP, 32);
    return success();
  }
  return bug(&op, "no rule for this operation");
}

mlir::Type Converter::carried_type(Value original) const {
  return uniformity_.of(original).is_varying() ? emitter_.lanes_type(original.getType())
                                               : emitter_.scalar_type(original.getType());
}

void Converter::take(Value original, Value converted) {
  Spread spread = uniformity_.of(original);
  if (spread.is_varying())
    return set(original, Packet::of_vector(converted));
  Packet packet = Packet::of_scalar(converted);
  packet.stride = spread.stride();
  set(original, packet);
}

Value Converter::join_form(const Packet &packet, Value like) {
  Spread spread = uniformity_.of(like);
  if (spread.is_varying())
    return vector(packet, like.getType());
  return packet.is_linear() && packet.stride == spread.stride() ? scalar(packet) : Value();
}

LogicalResult Converter::yield(mlir::Operation *terminator, mlir::ValueRange like,
                               bool with_status) {
  llvm::SmallVector<Value> values;
  for (auto [operand, join] : llvm::zip(terminator->getOperands(), like)) {
    values.push_back(join_form(packet(operand), join));
    if (!values.back())
      return bug(terminator, "a value varies more than analysis found");
  }
  if (with_status)
    values.push_back(status_);
  scf::YieldOp::create(builder_, terminator->getLoc(), values);
  return success();
}

LogicalResult Converter::convert_if(scf::IfOp branch) {
  Packet condition = packet(branch.getCondition());
  if (!condition.is_uniform())
    return convert_masked_if(branch, condition);
  std::optional<int64_t> known = Emitter::known(condition.scalar);
  if (!known)
    return convert_uniform_if(branch, condition.scalar);
  mlir::Block *taken = *known != 0 ? branch.thenBlock() : branch.elseBlock();
  if (!taken)
    return success();
  if (failed(convert(*taken)))
    return mlir::failure();
  for (auto [result, value] : llvm::zip(branch.getResults(), taken->getTerminator()->getOperands()))
    set(result, Packet(packet(value)));
  return success();
}

LogicalResult Converter::convert_uniform_if(scf::IfOp branch, Value condition) {
  bool with_status = changes_status_.contains(branch);
  llvm::SmallVector<mlir::Type> types;
  for (Value result : branch.getResults())
    types.push_back(carried_type(result));
  if (with_status)
    types.push_back(builder_.getI32Type());
  bool with_else = branch.elseBlock() || !types.empty();
  auto converted = scf::IfOp::create(builder_, branch.getLoc(), types, condition,
                                     /*addThenBlock=*/true, with_else);
  Value before = status_;
  auto side = [&](mlir::Block *from, mlir::Block *to) -> LogicalResult {
    mlir::OpBuilder::InsertionGuard guard(builder_);
    remove_terminator(to);
    builder_.setInsertionPointToEnd(to);
    status_ = before;
    if (from && failed(convert(*from)))
      return mlir::failure();
    if (from)
      return yield(from->getTerminator(), branch.getResults(), with_status);
    scf::YieldOp::create(builder_, branch.getLoc(),
                         with_status ? mlir::ValueRange(status_) : mlir::ValueRange());
    return success();
  };
  if (failed(side(branch.thenBlock(), converted.thenBlock())))
    return mlir::failure();
  if (with_else && failed(side(branch.elseBlock(), converted.elseBlock())))
    return mlir::failure();
  for (auto [result, value] : llvm::zip(branch.getResults(), converted.getResults()))
    take(result, value);
  status_ = with_status ? Value(converted.getResults().back()) : before;
  return success();
}

LogicalResult Converter::convert_masked_if(scf::IfOp branch, const Packet &condition) {
  if (changes_status_.contains(branch))
    return bug(branch, "a guard fails for all lanes or for none");
  Mask outside = mask_, inside = narrow(outside, condition);
  bool none = inside.is_empty();
  bool every = condition.interval && Mask{*condition.interval, {}}.is_all(width_);
  if (!none) {
    mask_ = every ? outside : inside;
    LogicalResult done = convert(*branch.thenBlock());
    mask_ = outside;
    if (failed(done))
      return done;
  }
  mlir::Block *other_side = branch.elseBlock();
  if (other_side && !every && !llvm::hasSingleElement(*other_side)) {
    mask_ = none ? outside : narrow(outside, negate(condition));
    LogicalResult done = convert(*other_side);
    mask_ = outside;
    if (failed(done))
      return done;
  }
  if (branch.getNumResults() == 0)
    return success();
  for (auto [result, taken, other] :
       llvm::zip(branch.getResults(), branch.thenYield().getOperands(),
                 branch.elseYield().getOperands())) {
    if (none || every || taken == other) {
      set(result, Packet(packet(none ? other : taken)));
      continue;
    }
    mlir::Type type = result.getType();
    unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
    Value choice =
        condition.interval ? emitter_.interval_mask(*condition.interval, bits) : condition.vector;
    set(result, Packet::of_vector(arith::SelectOp::create(builder_, branch.getLoc(), choice,
                                                          vector(taken), vector(other))));
  }
  return success();
}

LogicalResult Converter::convert_for(scf::ForOp loop) {
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!packet(bound).is_uniform())
      return bug(loop, "divergent loop");
  Value from = scalar(loop.getLowerBound()), to = scalar(loop.getUpperBound()),
        step = scalar(loop.getStep());
  mlir::Block *body = loop.getBody();

  // Loops that run once or not at all are no loops.
  std::optional<int64_t> first = Emitter::known(from), last = Emitter::known(to),
                         stride = Emitter::known(step);
  if (loop.getUnsignedCmp())
    first.reset();
  if (first && last && *first >= *last) {
    for (auto [result, start] : llvm::zip(loop.getResults(), loop.getInitArgs()))
      set(result, Packet(packet(start)));
    return success();
  }
  if (first && last && stride && uint64_t(*last) - uint64_t(*first) <= uint64_t(*stride)) {
    set(loop.getInductionVar(), uniform(loop.getInductionVar(), from));
    for (auto [carried, start] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      set(carried, Packet(packet(start)));
    if (failed(convert(*body)))
      return mlir::failure();
    for (auto [result, next] : llvm::zip(loop.getResults(), loop.getYieldedValues()))
      set(result, Packet(packet(next)));
    return success();
  }

  bool with_status = changes_status_.contains(loop);
  llvm::SmallVector<Value> starts;
  for (auto [carried, start] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs())) {
    starts.push_back(join_form(packet(start), carried));
    if (!starts.back())
      return bug(loop, "a carried value varies more than analysis found");
  }
  if (with_status)
    starts.push_back(status_);
  auto converted = scf::ForOp::create(builder_, loop.getLoc(), from, to, step, starts,
                                      /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  converted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  {
    mlir::OpBuilder::InsertionGuard guard(builder_);
    remove_terminator(converted.getBody());
    builder_.setInsertionPointToEnd(converted.getBody());
    set(loop.getInductionVar(), Packet::of_scalar(converted.getInductionVar()));
    for (auto [carried, value] : llvm::zip(loop.getRegionIterArgs(), converted.getRegionIterArgs()))
      take(carried, value);
    if (with_status)
      status_ = converted.getRegionIterArgs().back();
    if (failed(convert(*body)) ||
        failed(yield(body->getTerminator(), loop.getRegionIterArgs(), with_status)))
      return mlir::failure();
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), converted.getResults()))
    take(result, value);
  if (with_status)
    status_ = converted.getResults().back();
  return success();
}

} // namespace tilewright::packetize
