// Text forms and verifiers of the lane dialect.
#include "lane/lane.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "lane_dialect.cpp.inc"
#include "lane_enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "lane_types.cpp.inc"

namespace tilewright::lane {

using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

void LaneDialect::register_types() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lane_types.cpp.inc"
      >();
}

void LaneDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "lane_ops.cpp.inc"
      >();
  register_types();
}

// !lane.private<9xf32>
mlir::Type PrivateArrayType::parse(mlir::AsmParser &parser) {
  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/true) ||
      parser.parseType(element) || parser.parseGreater())
    return {};
  if (shape.size() != 1) {
    parser.emitError(parser.getCurrentLocation(), "a private array has one slot count");
    return {};
  }
  return PrivateArrayType::get(parser.getContext(), shape.front(), element);
}

void PrivateArrayType::print(mlir::AsmPrinter &printer) const {
  printer << '<' << getSlots() << 'x' << getElementType() << '>';
}

// phase

mlir::ParseResult PhaseOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &result) {
  mlir::StringAttr name;
  int64_t width = 0;
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments, programs;
  if (parser.parseSymbolName(name, mlir::SymbolTable::getSymbolAttrName(), result.attributes) ||
      parser.parseKeyword("width") || parser.parseInteger(width) ||
      parser.parseArgumentList(arguments, mlir::OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseKeyword("programs") ||
      parser.parseArgumentList(programs, mlir::OpAsmParser::Delimiter::Paren))
    return failure();
  result.addAttribute("width", parser.getBuilder().getI64IntegerAttr(width));
  for (mlir::OpAsmParser::Argument &program : programs) {
    program.type = parser.getBuilder().getIndexType();
    arguments.push_back(program);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  if (result.regions[0]->empty())
    result.regions[0]->emplaceBlock();
  return success();
}

void PhaseOp::print(mlir::OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " width " << getWidth() << " (";
  llvm::interleaveComma(views(), printer,
                        [&](mlir::BlockArgument view) { printer.printRegionArgument(view); });
  printer << ") programs (" << begin() << ", " << end() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {mlir::SymbolTable::getSymbolAttrName(), "width"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void PhaseOp::getAsmBlockArgumentNames(mlir::Region &, mlir::OpAsmSetValueNameFn set_name) {
  set_name(begin(), "begin");
  set_name(end(), "end");
}

void IdOp::getAsmResultNames(mlir::OpAsmSetValueNameFn set_name) { set_name(getResult(), "lane"); }

LogicalResult PhaseOp::verify() {
  if (getWidth() < 1 || !llvm::isPowerOf2_64(getWidth()))
    return emitOpError() << "has a width that is a power of two, not " << getWidth();
  auto arguments = body()->getArguments();
  if (arguments.size() < 2 || !begin().getType().isIndex() || !end().getType().isIndex())
    return emitOpError() << "takes its first and last program as two indices";
  for (mlir::BlockArgument view : views())
    if (!llvm::isa<tile::ViewType>(view.getType()))
      return emitOpError() << "takes views, not " << view.getType();
  return success();
}

// accesses

namespace {

LogicalResult verify_access(mlir::Operation *op, tile::ViewType view, size_t indices,
                            mlir::Type value) {
  if (static_cast<int64_t>(indices) != view.get_rank())
    return op->emitOpError() << "has " << indices << " indices for a view of rank "
                             << view.get_rank();
  if (value != view.getElementType())
    return op->emitOpError() << "moves " << value << " where the view holds "
                             << view.getElementType();
  return success();
}

} // namespace

LogicalResult FlattenOp::verify() {
  tile::ViewType from = getView().getType(), to = getResult().getType();
  if (!from.getPacked())
    return emitOpError() << "flattens packed views only";
  if (to.get_rank() != 1 || to.getElementType() != from.getElementType() || !to.getPacked())
    return emitOpError() << "gives a packed view of rank one and the same element type";
  return success();
}

LogicalResult LoadOp::verify() {
  return verify_access(*this, getView().getType(), getIndices().size(), getResult().getType());
}

LogicalResult StoreOp::verify() {
  if (getView().getType().getReadOnly())
    return emitOpError() << "writes through a const view";
  if (getNontemporal() && !getAligned())
    return emitOpError() << "is nontemporal only when aligned";
  return verify_access(*this, getView().getType(), getIndices().size(), getValue().getType());
}

void LoadOp::getEffects(
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(mlir::MemoryEffects::Read::get());
}

void StoreOp::getEffects(
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(mlir::MemoryEffects::Write::get());
}

LogicalResult GuardOp::verify() {
  size_t pairs = getStored().size();
  if (pairs == 0)
    return emitOpError("has no pair of views");
  if (getOthers().size() != pairs || getSameElementFirst().size() != pairs)
    return emitOpError("has ") << pairs << " stored views, " << getOthers().size() << " others and "
                               << getSameElementFirst().size() << " flags; they are pairs";
  return success();
}

LogicalResult ReduceOp::verify() {
  size_t carried = getNumResults();
  if (getPackets() < 1 || !llvm::isPowerOf2_64(getPackets()))
    return emitOpError() << "has a packet count that is a power of two, not " << getPackets();
  if (getAccumulators().size() != carried * getPackets())
    return emitOpError() << "has " << getAccumulators().size() << " accumulators for " << carried
                         << " values in " << getPackets() << " packets";
  for (auto [i, accumulator] : llvm::enumerate(getAccumulators()))
    if (accumulator.getType() != getResultTypes()[i / getPackets()])
      return emitOpError() << "has accumulators of another type than its result";
  mlir::Block &merge = getMerge().front();
  if (merge.getNumArguments() != 2 * carried)
    return emitOpError() << "has a merge of " << 2 * carried << " arguments";
  auto yield = merge.empty() ? YieldOp() : llvm::dyn_cast<YieldOp>(merge.back());
  if (!yield || yield.getOperandTypes() != getResultTypes())
    return emitOpError() << "has a merge that yields one value per result";
  return success();
}

} // namespace tilewright::lane

#define GET_OP_CLASSES
#include "lane_ops.cpp.inc"
