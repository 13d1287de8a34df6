// The tile dialect in C++: types, attributes and operations generated from tile_ops.td.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tile_dialect.h.inc"
#include "tile_enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tile_attributes.h.inc"

namespace tilewright::tile {

/// The axis that an entry of an access's `spans` names, whole or as a block; null where a
/// coordinate selects.
mlir::FlatSymbolRefAttr spanning_axis(mlir::Attribute span);

} // namespace tilewright::tile

#define GET_TYPEDEF_CLASSES
#include "tile_types.h.inc"

#define GET_OP_CLASSES
#include "tile_ops.h.inc"

namespace tilewright::tile {

/// The axis symbol of that name in the kernel around `op`, or null.
AxisOp find_axis(mlir::Operation *op, mlir::StringRef name);

/// The element type of a tile, or the type itself for a scalar.
mlir::Type element_type(mlir::Type value);

} // namespace tilewright::tile
