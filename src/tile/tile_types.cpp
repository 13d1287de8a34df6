// Text form and rules of the tile dialect's types and attributes.
#include "mlir/IR/DialectImplementation.h"
#include "tile/tile.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "tile_dialect.cpp.inc"
#include "tile_enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tile_attributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tile_types.cpp.inc"

namespace tilewright::tile {

using mlir::failure;
using mlir::LogicalResult;
using mlir::ShapedType;
using mlir::success;

void TileDialect::register_types() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile_types.cpp.inc"
      >();
}

void TileDialect::register_attributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile_attributes.cpp.inc"
      >();
}

namespace {

mlir::ParseResult parse_extent(mlir::AsmParser &parser, int64_t &extent) {
  if (succeeded(parser.parseOptionalQuestion())) {
    extent = ShapedType::kDynamic;
    return success();
  }
  return parser.parseInteger(extent);
}

void print_extent(mlir::AsmPrinter &printer, int64_t extent) {
  if (ShapedType::isDynamic(extent))
    printer << '?';
  else
    printer << extent;
}

bool is_element_type(mlir::Type type) { return type.isIntOrFloat(); }

} // namespace

// !tile.view<const packed 17x?xf32, unit = 0>
mlir::Type ViewType::parse(mlir::AsmParser &parser) {
  if (parser.parseLess())
    return {};
  bool read_only = succeeded(parser.parseOptionalKeyword("const"));
  bool packed = succeeded(parser.parseOptionalKeyword("packed"));
  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/true, /*withTrailingX=*/true) ||
      parser.parseType(element))
    return {};
  int64_t unit = static_cast<int64_t>(shape.size()) - 1;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("unit") || parser.parseEqual())
      return {};
    if (succeeded(parser.parseOptionalKeyword("none")))
      unit = -1;
    else if (parser.parseInteger(unit))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(parser.getContext(), shape, element, unit, read_only, packed);
}

void ViewType::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  if (getReadOnly())
    printer << "const ";
  if (getPacked())
    printer << "packed ";
  printer.printDimensionList(getShape());
  if (!getShape().empty())
    printer << 'x';
  printer << getElementType();
  if (getUnitDim() == -1 && get_rank() > 0)
    printer << ", unit = none";
  else if (getUnitDim() != get_rank() - 1)
    printer << ", unit = " << getUnitDim();
  printer << '>';
}

LogicalResult ViewType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emit_error,
                               llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t unit_dim,
                               bool, bool packed) {
  auto rank = static_cast<int64_t>(shape.size());
  if (!is_element_type(element))
    return emit_error() << "a view holds numbers, not " << element;
  if (rank > 8)
    return emit_error() << "a view has at most 8 dimensions, not " << rank;
  if (unit_dim < -1 || unit_dim >= rank)
    return emit_error() << "unit dimension " << unit_dim << " is outside rank " << rank;
  if (packed && unit_dim != rank - 1)
    return emit_error() << "a packed view has unit stride in its last dimension";
  for (int64_t extent : shape)
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return emit_error() << "a view's extent is not negative";
  return success();
}

// !tile.tile<[r:17, c:?], f32>
mlir::Type TileType::parse(mlir::AsmParser &parser) {
  llvm::SmallVector<mlir::StringAttr> axes;
  llvm::SmallVector<int64_t> extents;
  auto parse_axis = [&]() -> mlir::ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseColon() ||
        parse_extent(parser, extents.emplace_back()))
      return failure();
    axes.push_back(mlir::StringAttr::get(parser.getContext(), name));
    return success();
  };
  mlir::Type element;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parse_axis) ||
      parser.parseComma() || parser.parseType(element) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(parser.getContext(), axes, extents, element);
}

void TileType::print(mlir::AsmPrinter &printer) const {
  printer << "<[";
  for (size_t i = 0; i < getAxes().size(); ++i) {
    if (i > 0)
      printer << ", ";
    printer.printKeywordOrString(getAxes()[i].getValue());
    printer << ':';
    print_extent(printer, getExtents()[i]);
  }
  printer << "], " << getElementType() << '>';
}

LogicalResult TileType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emit_error,
                               llvm::ArrayRef<mlir::StringAttr> axes,
                               llvm::ArrayRef<int64_t> extents, mlir::Type element) {
  if (axes.empty())
    return emit_error() << "a tile has at least one axis; a scalar has none";
  if (axes.size() != extents.size())
    return emit_error() << "a tile has one extent per axis";
  if (!is_element_type(element))
    return emit_error() << "a tile holds numbers, not " << element;
  llvm::SmallDenseSet<mlir::Attribute, 8> seen;
  for (mlir::StringAttr axis : axes)
    if (!seen.insert(axis).second)
      return emit_error() << "a tile has axis " << axis << " only once";
  for (int64_t extent : extents)
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return emit_error() << "a tile's extent is not negative";
  return success();
}

LogicalResult GroupingAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emit_error,
                                   int64_t slots) {
  if (slots < 1 || !llvm::isPowerOf2_64(static_cast<uint64_t>(slots)))
    return emit_error() << "the slot count of a grouping is a power of two, not " << slots;
  return success();
}

} // namespace tilewright::tile
