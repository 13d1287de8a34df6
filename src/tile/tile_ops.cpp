// Verifiers and hand-written text forms of the tile dialect's operations.
#include "tile/tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/STLExtras.h"

namespace tilewright::tile {

using mlir::failure;
using mlir::FlatSymbolRefAttr;
using mlir::LogicalResult;
using mlir::ShapedType;
using mlir::success;

void TileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tile_ops.cpp.inc"
      >();
  register_types();
  register_attributes();
}

AxisOp find_axis(mlir::Operation *op, mlir::StringRef name) {
  auto kernel =
      llvm::isa<KernelOp>(op) ? llvm::cast<KernelOp>(op) : op->getParentOfType<KernelOp>();
  if (!kernel)
    return {};
  return llvm::dyn_cast_or_null<AxisOp>(mlir::SymbolTable::lookupSymbolIn(kernel, name));
}

FlatSymbolRefAttr spanning_axis(mlir::Attribute span) {
  if (auto block = llvm::dyn_cast<BlockAttr>(span))
    return block.getAxis();
  return llvm::dyn_cast<FlatSymbolRefAttr>(span);
}

mlir::Type element_type(mlir::Type value) {
  if (auto tile = llvm::dyn_cast<TileType>(value))
    return tile.getElementType();
  return value;
}

namespace {

bool is_scalar_function_op(mlir::Operation &op) {
  llvm::StringRef dialect = op.getDialect() ? op.getDialect()->getNamespace() : "";
  return dialect == "arith" || dialect == "math" || llvm::isa<YieldOp, ExtentOp>(op);
}

LogicalResult verify_scalar_function(mlir::Operation *owner, mlir::Region &region,
                                     llvm::StringRef name, mlir::TypeRange arguments,
                                     mlir::TypeRange results) {
  mlir::Block &block = region.front();
  if (block.getArgumentTypes() != arguments)
    return owner->emitOpError() << name << " takes " << arguments << ", but its block takes "
                                << block.getArgumentTypes();
  for (mlir::Operation &op : block)
    if (!is_scalar_function_op(op))
      return owner->emitOpError() << name << " holds scalar operations only, not '" << op.getName()
                                  << "'";
  auto yield = llvm::dyn_cast_or_null<YieldOp>(block.empty() ? nullptr : &block.back());
  if (!yield)
    return owner->emitOpError() << name << " ends with tile.yield";
  if (yield.getOperandTypes() != results)
    return owner->emitOpError() << name << " yields " << yield.getOperandTypes() << " where "
                                << results << " is needed";
  return success();
}

/// Every axis of a tile type is an axis of the kernel and has its extent.
LogicalResult verify_axes_exist(mlir::Operation *op, mlir::Type type) {
  auto tile = llvm::dyn_cast<TileType>(type);
  if (!tile)
    return success();
  for (auto [name, extent] : llvm::zip(tile.getAxes(), tile.getExtents())) {
    AxisOp axis = find_axis(op, name);
    if (!axis)
      return op->emitOpError() << "names axis @" << name.getValue()
                               << ", which the kernel does not declare";
    if (axis.get_extent() != extent)
      return op->emitOpError() << "gives axis @" << name.getValue()
                               << " another extent than its declaration";
  }
  return success();
}

template <typename Access>
LogicalResult verify_access(Access op, llvm::SmallVectorImpl<mlir::StringAttr> &axes,
                            llvm::SmallVectorImpl<int64_t> &extents) {
  ViewType view = op.getView().getType();
  if (static_cast<int64_t>(op.getSpans().size()) != view.get_rank())
    return op.emitOpError() << "indexes " << op.getSpans().size()
                            << " dimensions of a view of rank " << view.get_rank();
  size_t coordinates = 0;
  for (auto [dim, span] : llvm::enumerate(op.getSpans())) {
    if (llvm::isa<mlir::UnitAttr>(span)) {
      ++coordinates;
      continue;
    }
    FlatSymbolRefAttr symbol = spanning_axis(span);
    if (!symbol)
      return op.emitOpError() << "spans are axis symbols, blocks or unit";
    bool whole = llvm::isa<FlatSymbolRefAttr>(span);
    coordinates += whole ? 0 : 1;
    AxisOp axis = find_axis(op, symbol.getValue());
    if (!axis)
      return op.emitOpError() << "names axis " << symbol << ", which the kernel does not declare";
    int64_t view_extent = view.getShape()[dim];
    if (whole && !ShapedType::isDynamic(view_extent) && !ShapedType::isDynamic(axis.get_extent()) &&
        view_extent != axis.get_extent())
      return op.emitOpError() << "spans dimension " << dim << " of extent " << view_extent
                              << " with axis " << symbol << " of extent " << axis.get_extent();
    if (llvm::is_contained(axes, symbol.getAttr()))
      return op.emitOpError() << "spans two dimensions with axis " << symbol;
    axes.push_back(symbol.getAttr());
    extents.push_back(axis.get_extent());
  }
  if (coordinates != op.getCoordinates().size())
    return op.emitOpError() << "has " << op.getCoordinates().size() << " coordinates for "
                            << coordinates << " selected dimensions and blocks";
  return success();
}

/// What a load gives outside of its view has the view's type, and there has to be an outside.
LogicalResult verify_fill(LoadOp load) {
  mlir::TypedAttr fill = load.getFillAttr();
  if (!fill)
    return success();
  mlir::Type element = load.getView().getType().getElementType();
  if (fill.getType() != element)
    return load.emitOpError() << "has a fill of " << fill.getType() << " for a view of " << element;
  bool tested = llvm::any_of(load.getSpans(), [](mlir::Attribute span) {
    auto block = llvm::dyn_cast<BlockAttr>(span);
    return block && block.getBounds() == Bounds::zero;
  });
  if (!tested)
    return load.emitOpError() << "has a fill, but no block whose bounds are zero";
  return success();
}

/// Whether view dimension `dim` takes an entry of the coordinates.
bool takes_coordinate(mlir::Attribute span) { return !llvm::isa<FlatSymbolRefAttr>(span); }

/// The entry of the coordinates that belongs to view dimension `dim`, which takes one.
template <typename Access>
mlir::Value coordinate_at(Access op, int64_t dim) {
  auto before = llvm::count_if(op.getSpans().getValue().take_front(dim), takes_coordinate);
  return op.getCoordinates()[before];
}

template <typename Access>
mlir::Value coordinate_of(Access op, int64_t dim) {
  return op.span(dim) ? mlir::Value() : coordinate_at(op, dim);
}

template <typename Access>
mlir::Value origin_of(Access op, int64_t dim) {
  return op.block(dim) ? coordinate_at(op, dim) : mlir::Value();
}

} // namespace

// custom<Coordinates>: [%row, @c, @h at %o, @h at %o assume]

static mlir::ParseResult
parseCoordinates(mlir::OpAsmParser &parser,
                 llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &coordinates,
                 mlir::ArrayAttr &spans) {
  llvm::SmallVector<mlir::Attribute> parsed;
  auto parse_one = [&]() -> mlir::ParseResult {
    mlir::OpAsmParser::UnresolvedOperand operand;
    mlir::OptionalParseResult is_operand = parser.parseOptionalOperand(operand);
    if (is_operand.has_value()) {
      if (failed(*is_operand))
        return failure();
      coordinates.push_back(operand);
      parsed.push_back(parser.getBuilder().getUnitAttr());
      return success();
    }
    mlir::StringAttr name;
    if (parser.parseSymbolName(name))
      return failure();
    auto axis = FlatSymbolRefAttr::get(name);
    if (failed(parser.parseOptionalKeyword("at"))) {
      parsed.push_back(axis);
      return success();
    }
    if (parser.parseOperand(coordinates.emplace_back()))
      return failure();
    bool assumed = succeeded(parser.parseOptionalKeyword("assume"));
    parsed.push_back(
        BlockAttr::get(parser.getContext(), axis, assumed ? Bounds::assume : Bounds::zero));
    return success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parse_one))
    return failure();
  spans = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printCoordinates(mlir::OpAsmPrinter &printer, mlir::Operation *,
                             mlir::OperandRange coordinates, mlir::ArrayAttr spans) {
  auto next = coordinates.begin();
  printer << '[';
  llvm::interleaveComma(spans, printer, [&](mlir::Attribute span) {
    auto block = llvm::dyn_cast<BlockAttr>(span);
    if (next == coordinates.end() || !(block || llvm::isa<mlir::UnitAttr>(span))) {
      printer << span;
      return;
    }
    if (block)
      printer << block.getAxis() << " at ";
    printer << *next++;
    if (block && block.getBounds() == Bounds::assume)
      printer << " assume";
  });
  printer << ']';
}

// kernel

mlir::ParseResult KernelOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &result) {
  mlir::StringAttr name;
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, mlir::SymbolTable::getSymbolAttrName(), result.attributes) ||
      parser.parseArgumentList(arguments, mlir::OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  if (result.regions[0]->empty())
    result.regions[0]->emplaceBlock();
  return success();
}

void KernelOp::print(mlir::OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(views(), printer,
                        [&](mlir::BlockArgument view) { printer.printRegionArgument(view); });
  printer << ')';
  llvm::SmallVector<llvm::StringRef> elided = {mlir::SymbolTable::getSymbolAttrName()};
  if (getContract())
    elided.push_back("contract");
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verify() {
  for (mlir::BlockArgument view : views())
    if (!llvm::isa<ViewType>(view.getType()))
      return emitOpError() << "takes views, not " << view.getType();
  return success();
}

// axes

int64_t AxisOp::get_extent() { return getView().getType().getShape()[getDim()]; }

LogicalResult AxisOp::verify() {
  if (static_cast<int64_t>(getDim()) < 0 ||
      static_cast<int64_t>(getDim()) >= getView().getType().get_rank())
    return emitOpError() << "takes dimension " << static_cast<int64_t>(getDim())
                         << " of a view of rank " << getView().getType().get_rank();
  return success();
}

LogicalResult ExtentOp::verify() {
  if (!find_axis(*this, getAxis()))
    return emitOpError() << "names axis @" << getAxis() << ", which the kernel does not declare";
  return success();
}

// tile.parallel (%row, %column) over [@r, @c] { ... }

mlir::ParseResult ParallelOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &result) {
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments;
  mlir::ArrayAttr axes;
  if (parser.parseArgumentList(arguments, mlir::OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("over") || parser.parseAttribute(axes, "axes", result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (mlir::OpAsmParser::Argument &argument : arguments)
    argument.type = parser.getBuilder().getIndexType();
  if (parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  if (result.regions[0]->empty())
    result.regions[0]->emplaceBlock();
  return success();
}

void ParallelOp::print(mlir::OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(body()->getArguments(), printer,
                        [&](mlir::BlockArgument index) { printer << index; });
  printer << ") over " << getAxes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"axes"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ParallelOp::verify() {
  if (getAxes().empty())
    return emitOpError() << "runs over at least one axis";
  if (body()->getNumArguments() != getAxes().size())
    return emitOpError() << "has " << body()->getNumArguments() << " indices for "
                         << getAxes().size() << " axes";
  for (mlir::BlockArgument index : body()->getArguments())
    if (!index.getType().isIndex())
      return emitOpError() << "has indices of type index";
  for (auto axis : getAxes().getAsRange<FlatSymbolRefAttr>())
    if (!find_axis(*this, axis.getValue()))
      return emitOpError() << "names axis " << axis << ", which the kernel does not declare";
  return success();
}

void ParallelOp::getAsmBlockArgumentNames(mlir::Region &, mlir::OpAsmSetValueNameFn set_name) {
  for (auto [index, axis] :
       llvm::zip(body()->getArguments(), getAxes().getAsRange<FlatSymbolRefAttr>()))
    set_name(index, axis.getValue());
}

// load, store

mlir::Value LoadOp::coordinate(int64_t dim) { return coordinate_of(*this, dim); }
mlir::Value StoreOp::coordinate(int64_t dim) { return coordinate_of(*this, dim); }
mlir::Value LoadOp::origin(int64_t dim) { return origin_of(*this, dim); }
mlir::Value StoreOp::origin(int64_t dim) { return origin_of(*this, dim); }

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

LogicalResult LoadOp::verify() {
  llvm::SmallVector<mlir::StringAttr> axes;
  llvm::SmallVector<int64_t> extents;
  if (failed(verify_access(*this, axes, extents)) || failed(verify_fill(*this)))
    return failure();
  mlir::Type element = getView().getType().getElementType();
  mlir::Type expected =
      axes.empty() ? element : TileType::get(getContext(), axes, extents, element);
  if (getResult().getType() != expected)
    return emitOpError() << "gives " << expected << ", not " << getResult().getType();
  return success();
}

LogicalResult StoreOp::verify() {
  llvm::SmallVector<mlir::StringAttr> axes;
  llvm::SmallVector<int64_t> extents;
  if (failed(verify_access(*this, axes, extents)))
    return failure();
  ViewType view = getView().getType();
  if (view.getReadOnly())
    return emitOpError() << "writes through a const view";
  mlir::Type value = getValue().getType();
  if (element_type(value) != view.getElementType())
    return emitOpError() << "stores " << element_type(value) << " to a view of "
                         << view.getElementType();
  if (failed(verify_axes_exist(*this, value)))
    return failure();
  if (auto tile = llvm::dyn_cast<TileType>(value))
    for (mlir::StringAttr axis : tile.getAxes())
      if (!llvm::is_contained(axes, axis))
        return emitOpError() << "stores a tile over axis @" << axis.getValue()
                             << ", which does not span the destination";
  return success();
}

// map, reduce

LogicalResult MapOp::verify() {
  TileType result = getResult().getType();
  if (failed(verify_axes_exist(*this, result)))
    return failure();
  llvm::SmallVector<mlir::Type> elements;
  for (mlir::Value input : getInputs()) {
    auto tile = llvm::cast<TileType>(input.getType());
    elements.push_back(tile.getElementType());
    for (mlir::StringAttr axis : tile.getAxes())
      if (!llvm::is_contained(result.getAxes(), axis))
        return emitOpError() << "has an operand over axis @" << axis.getValue()
                             << ", which the result lacks";
  }
  return verify_scalar_function(*this, getBody(), "its body", elements, result.getElementType());
}

LogicalResult ReduceOp::verify() {
  size_t carried = getSeeds().size();
  if (getInputs().empty())
    return emitOpError() << "reduces at least one tile";
  if (carried == 0 || getNumResults() != carried || getIdentities().size() != carried)
    return emitOpError() << "has one seed, one identity and one result per carried value";
  if (getAxes().empty())
    return emitOpError() << "reduces over at least one axis";

  // Remaining axes, in the first input's order; all inputs have the same axes.
  auto first = llvm::cast<TileType>(getInputs().front().getType());
  llvm::SmallVector<mlir::Attribute> reduced;
  for (auto axis : getAxes().getAsRange<FlatSymbolRefAttr>()) {
    if (!llvm::is_contained(first.getAxes(), axis.getAttr()))
      return emitOpError() << "reduces over axis " << axis << ", which its input lacks";
    if (llvm::is_contained(reduced, axis.getAttr()))
      return emitOpError() << "reduces over axis " << axis << " twice";
    reduced.push_back(axis.getAttr());
  }
  llvm::SmallVector<mlir::StringAttr> axes;
  llvm::SmallVector<int64_t> extents;
  for (auto [axis, extent] : llvm::zip(first.getAxes(), first.getExtents()))
    if (!llvm::is_contained(reduced, axis)) {
      axes.push_back(axis);
      extents.push_back(extent);
    }

  llvm::SmallVector<mlir::Type> seeds(getSeeds().getTypes());
  llvm::SmallVector<mlir::Type> step_arguments = seeds, merge_arguments = seeds;
  merge_arguments.append(seeds);
  for (mlir::Value input : getInputs()) {
    auto tile = llvm::cast<TileType>(input.getType());
    if (tile.getAxes() != first.getAxes())
      return emitOpError() << "reduces tiles over the same axes only";
    if (failed(verify_axes_exist(*this, tile)))
      return failure();
    step_arguments.push_back(tile.getElementType());
  }
  for (auto [seed, identity, result] : llvm::zip(getSeeds(), getIdentities(), getResults())) {
    auto typed = llvm::dyn_cast<mlir::TypedAttr>(identity);
    if (!typed || typed.getType() != seed.getType())
      return emitOpError() << "has an identity of another type than its seed";
    mlir::Type expected =
        axes.empty() ? seed.getType() : TileType::get(getContext(), axes, extents, seed.getType());
    if (result.getType() != expected)
      return emitOpError() << "gives " << expected << ", not " << result.getType();
  }
  if (getGrouping() && getOrder() != ReduceOrder::unordered)
    return emitOpError() << "has a grouping only when unordered";
  if (failed(verify_scalar_function(*this, getStep(), "step", step_arguments, seeds)))
    return failure();
  return verify_scalar_function(*this, getMerge(), "merge", merge_arguments, seeds);
}

} // namespace tilewright::tile

#define GET_OP_CLASSES
#include "tile_ops.cpp.inc"
