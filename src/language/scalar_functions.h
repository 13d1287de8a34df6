// The language's scalar functions as arith and math operations. What `arith` leaves undefined
// (division by zero, conversions out of range) is defined here, by selects.
#pragma once

#include <string>

#include "mlir/IR/Builders.h"
#include "tilewright/argument.h"
#include "tilewright/recording.h"

namespace tilewright::language {

/// The type of a scalar of that element type; bool is i1, signed and unsigned integers are alike.
mlir::Type scalar_type(mlir::MLIRContext *context, ElementType type);

/// The type of an element in memory: as scalar_type, but a bool takes a byte, i8.
mlir::Type memory_type(mlir::MLIRContext *context, ElementType type);

bool is_floating(ElementType type);
bool is_signed(ElementType type);

/// The element type of the function's result, given that of its (last) operand.
ElementType result_type(detail::Function function, ElementType operand);

/// How users write the function, for messages: "a * b", "tw::exp(a)".
std::string spelling(detail::Function function);

/// The function of scalars, whose operands have element type `type` (for select: the last two).
mlir::Value emit_function(mlir::OpBuilder &builder, mlir::Location location,
                          detail::Function function, ElementType type, mlir::ValueRange operands);

/// `value` of element type `from` as element type `to`.
mlir::Value emit_cast(mlir::OpBuilder &builder, mlir::Location location, ElementType from,
                      ElementType to, mlir::Value value);

/// A scalar of type `index` (not negative) as element type `to`.
mlir::Value emit_index_cast(mlir::OpBuilder &builder, mlir::Location location, ElementType to,
                            mlir::Value value);

} // namespace tilewright::language
