// The lane dialect: a structured scalar program per lane (with scf, arith and math).
#ifndef TILEWRIGHT_LANE_DIALECT
#define TILEWRIGHT_LANE_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Lane_Dialect : Dialect {
  let name = "lane";
  let cppNamespace = "::tilewright::lane";
  let summary = "What one lane of a packet does, with access classes carried from the plan";
  let dependentDialects = ["::tilewright::tile::TileDialect"];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{ void register_types(); }];
}

def Lane_PrivateArray : TypeDef<Lane_Dialect, "PrivateArray"> {
  let mnemonic = "private";
  let summary = "per-lane storage of a kept tile: slots of one element type";
  let description = [{
    `!lane.private<9xf32>`: nine slots in every lane, interleaved in memory as `[slot][lane]`.
  }];
  let parameters = (ins "int64_t":$slots, "mlir::Type":$element_type);
  let hasCustomAssemblyFormat = 1;
}

def Lane_Access : I32EnumAttr<"Access", "how the addresses of a packet's lanes relate", [
    I32EnumAttrCase<"uniform", 0>,      // the same address in all lanes
    I32EnumAttrCase<"consecutive", 1>,  // lane i is i elements after lane 0
    I32EnumAttrCase<"strided", 2>,      // lane i is i strides after lane 0
    I32EnumAttrCase<"unknown", 3>]> {
  let cppNamespace = "::tilewright::lane";
}

#endif
