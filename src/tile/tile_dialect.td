// The tile dialect: what one program computes on whole tiles. No hardware words here.
#ifndef TILEWRIGHT_TILE_DIALECT
#define TILEWRIGHT_TILE_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tilewright::tile";
  let summary = "Tile programs: logical axes, views, tiles and nests";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Discardable attribute of a kernel that holds its plan (written by `plan`, read by `lower`).
    static constexpr llvm::StringLiteral plan_attr_name = "tile.plan";
    void register_types();
    void register_attributes();
  }];
}

class Tile_Type<string name, string mnemonic_> : TypeDef<Tile_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Tile_View : Tile_Type<"View", "view"> {
  let summary = "a kernel parameter: storage with extents and strides";
  let description = [{
    `!tile.view<const packed 17x?xf32, unit = 0>`

    `?` is an extent known only at launch. `const` forbids stores through this view and promises
    nothing about aliasing. `packed` says that each stride is the product of the extents behind it
    (row-major, no gaps). `unit` is the dimension whose stride is one: the last one when not
    printed, `none` when no stride is known to be one. All other strides are known at launch.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "mlir::Type":$element_type,
    "int64_t":$unit_dim,
    "bool":$read_only,
    "bool":$packed);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t get_rank() const { return static_cast<int64_t>(getShape().size()); }
  }];
}

def Tile_Tile : Tile_Type<"Tile", "tile"> {
  let summary = "an immutable value over a set of axes";
  let description = [{
    `!tile.tile<[r:17, c:65], f32>`

    The axes are the names of `tile.axis` symbols of the kernel, each with its extent (`?` when it
    is known only at launch). Two tiles match by axis name, never by equal extent. A value over no
    axes is a plain scalar (`f32`), not a tile.
  }];
  let parameters = (ins
    ArrayRefParameter<"mlir::StringAttr">:$axes,
    ArrayRefParameter<"int64_t">:$extents,
    "mlir::Type":$element_type);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_ReduceOrder : I32EnumAttr<"ReduceOrder", "in which order a reduction combines elements", [
    I32EnumAttrCase<"unordered", 0>,
    I32EnumAttrCase<"fold_left", 1>,
    I32EnumAttrCase<"fold_right", 2>]> {
  let cppNamespace = "::tilewright::tile";
}

def Tile_Bounds : I32EnumAttr<"Bounds", "what an access does outside of its view", [
    I32EnumAttrCase<"zero", 0>,    // a load gives the fill there, a store writes nothing there
    I32EnumAttrCase<"assume", 1>]> { // nothing is outside: proved, or the user's promise
  let cppNamespace = "::tilewright::tile";
}

def Tile_Block : AttrDef<Tile_Dialect, "Block"> {
  let mnemonic = "block";
  let summary = "how a block spans a view's dimension: point i of the axis is at origin + i";
  let description = [{
    `@h at %o` or `@h at %o assume` among the indices of an access. The origin is an operand of the
    access, any `index`; its arithmetic is modulo 2^64. The axis's extent is the block's length and
    need not be the dimension's. Bounds `zero` (not printed): an element outside of the view is
    the load's `fill`, or zero, and is not stored to. `assume`: no element is outside.
  }];
  let parameters = (ins "mlir::FlatSymbolRefAttr":$axis,
                        "::tilewright::tile::Bounds":$bounds);
  let assemblyFormat = "`<` $axis `,` $bounds `>`";
}

def Tile_Grouping : AttrDef<Tile_Dialect, "Grouping"> {
  let mnemonic = "grouping";
  let summary = "the canonical grouping of an unordered reduction";
  let description = [{
    `#tile.grouping<slots = 64>`: element e goes to slot e mod `slots`; every slot starts at the
    identity and takes its elements in increasing e (`step`); then a halving tree merges slot i with
    slot i + slots/2, then i + slots/4, ... down to slot 0 (`merge`, lower slot on the left); last,
    the seed merges with that result, the seed on the left. `slots` is a power of two. Numbering
    the slots from (e + p) mod `slots` for any p gives the same bits when `merge` commutes.
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` `slots` `=` $slots `>`";
  let genVerifyDecl = 1;
}

#endif
