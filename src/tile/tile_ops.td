// The operations of the tile dialect. This table is the specification: meaning, operands, effects.
#ifndef TILEWRIGHT_TILE_OPS
#define TILEWRIGHT_TILE_OPS

include "tile_dialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_Scalar : AnyTypeOf<[AnyFloat, AnySignlessInteger, Index], "a scalar">;
def Tile_Value : AnyTypeOf<[Tile_Tile, Tile_Scalar], "a tile or a scalar">;

def KernelOp : Tile_Op<"kernel", [IsolatedFromAbove, Symbol, SymbolTable, NoTerminator,
                                  SingleBlock]> {
  let summary = "a kernel: its views, its axes and its root nests";
  let description = [{
    ```mlir
    tile.kernel @copy(%x: !tile.view<const ?x65xf32>, %y: !tile.view<?x65xf32>) {
      tile.axis @r = %x[0] : !tile.view<const ?x65xf32>
      tile.axis @c = %x[1] : !tile.view<const ?x65xf32>
      tile.parallel (%row) over [@r] {
        %v = tile.load %x[%row, @c] : !tile.view<const ?x65xf32> -> !tile.tile<[c:65], f32>
        tile.store %v, %y[%row, @c] : !tile.tile<[c:65], f32>, !tile.view<?x65xf32>
      }
    }
    ```
    `contract` allows a multiplication and an addition to become one `fma` (in `simplify` only).
    Code outside any `parallel` is one program. Arguments may overlap in memory in any way.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DefaultValuedAttr<BoolAttr, "true">:$contract);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    mlir::Block* body() { return &getBody().front(); }
    mlir::Block::BlockArgListType views() { return body()->getArguments(); }
  }];
}

def AxisOp : Tile_Op<"axis", [Symbol]> {
  let summary = "a logical dimension with an identity; its extent is that of a view's dimension";
  let arguments = (ins SymbolNameAttr:$sym_name, Tile_View:$view, I64Attr:$dim);
  let assemblyFormat = "$sym_name `=` $view `[` $dim `]` attr-dict `:` qualified(type($view))";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The extent, or ShapedType::kDynamic when it is known only at launch.
    int64_t get_extent();
  }];
}

def ExtentOp : Tile_Op<"extent", [Pure]> {
  let summary = "the extent of an axis, as a scalar";
  let arguments = (ins FlatSymbolRefAttr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def ParallelOp : Tile_Op<"parallel", [
    SingleBlock, NoTerminator, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one program per point of the axes; programs do not interfere";
  let description = [{
    The body's arguments are the point's coordinates, one `index` per axis. Programs run in any
    order or at the same time. A byte that one program writes and another reads or writes is
    unspecified afterwards.
  }];
  let arguments = (ins TypedArrayAttrBase<FlatSymbolRefAttr, "axes">:$axes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    mlir::Block* body() { return &getBody().front(); }
  }];
}

class Tile_AccessOp<string mnemonic> : Tile_Op<mnemonic,
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  code access_declarations = [{
    /// The axis that spans view dimension `dim`, whole or a block of it, or null when a coordinate
    /// selects there.
    mlir::FlatSymbolRefAttr span(int64_t dim) { return spanning_axis(getSpans()[dim]); }
    /// How a block spans view dimension `dim`, or null when none does.
    BlockAttr block(int64_t dim) { return mlir::dyn_cast<BlockAttr>(getSpans()[dim]); }
    /// The coordinate that selects in view dimension `dim`, or null when an axis spans it.
    mlir::Value coordinate(int64_t dim);
    /// The origin of the block that spans view dimension `dim`, or null when none does.
    mlir::Value origin(int64_t dim);
  }];
}

def LoadOp : Tile_AccessOp<"load"> {
  let summary = "a snapshot of a view's elements: later writes never change the value";
  let description = [{
    `%x[%row, @c]`: per view dimension a scalar coordinate, which drops the dimension, an axis,
    which spans it whole (its extent equals the view's; a launch with others is an error), or a
    block `@h at %o`, where an axis spans the dimension from an origin on (see `tile.block`). The
    result is over the spanning axes in the order of the view's dimensions; a scalar if there are
    none. `spans` holds, per view dimension, the axis symbol, a `tile.block`, or `unit` where a
    coordinate selects; `coordinates` holds the coordinates and origins in order. `fill` is what
    elements outside of the view are, zero if there is none.
  }];
  let arguments = (ins Tile_View:$view, Variadic<Index>:$coordinates, ArrayAttr:$spans,
                       OptionalAttr<TypedAttrInterface>:$fill);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $view `` custom<Coordinates>($coordinates, $spans) attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = access_declarations;
}

def StoreOp : Tile_AccessOp<"store"> {
  let summary = "writes a value to a view's elements, matched by axis";
  let description = [{
    The value's axes are the spanning axes in any order, or a subset of them (then the value is
    repeated along the missing ones). The view is not `const`. Of a block with bounds `zero`, what
    is outside of the view is not written.
  }];
  let arguments = (ins Tile_Value:$value, Tile_View:$view, Variadic<Index>:$coordinates,
                       ArrayAttr:$spans);
  let assemblyFormat = [{
    $value `,` $view `` custom<Coordinates>($coordinates, $spans) attr-dict
    `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = access_declarations;
}

def MapOp : Tile_Op<"map", [Pure, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "applies a scalar function to every point of the operands' axes";
  let description = [{
    ```mlir
    %y = tile.map (%v, %g) : (!tile.tile<[c:65], f32>, !tile.tile<[c:65], f32>)
        -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %scale : f32
      %q = arith.mulf %p, %b : f32
      tile.yield %q : f32
    }
    ```
    The region holds `arith` and `math` operations on scalars; it may use scalars from outside.
    The result's axes are those of the operands or more (an operand is repeated along the axes it
    lacks), in any order. No operand is needed: the region then fills the result.
  }];
  let arguments = (ins Variadic<Tile_Tile>:$inputs);
  let results = (outs Tile_Tile:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $result) $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    mlir::Block* body() { return &getBody().front(); }
    mlir::Value yielded() { return body()->getTerminator()->getOperand(0); }
  }];
}

def ReduceOp : Tile_Op<"reduce", [Pure, AttrSizedOperandSegments]> {
  let summary = "combines the elements along axes into one value each";
  let description = [{
    ```mlir
    %s = tile.reduce (%v) over [@c] seed (%zero) identity [-0.0 : f32] unordered
        grouping <slots = 64> : (!tile.tile<[c:65], f32>), (f32) -> (f32)
      step { ^bb0(%acc: f32, %e: f32): %n = math.fma %e, %e, %acc : f32
             tile.yield %n : f32 }
      merge { ^bb0(%a: f32, %b: f32): %n = arith.addf %a, %b : f32
              tile.yield %n : f32 }
    ```
    With k carried values, `step` takes k accumulators and then one element per input, and yields k
    values; `merge` takes k left and then k right accumulators. The seed counts once. Results are
    over the inputs' remaining axes; scalars if none remain. `unordered` uses `grouping`, which
    `simplify` sets; `fold_left` steps from the seed in increasing element order; `fold_right` in
    decreasing order. Over no element the result is the seed. The bodies may use outer scalars.
  }];
  let arguments = (ins
    Variadic<Tile_Tile>:$inputs,
    Variadic<Tile_Scalar>:$seeds,
    TypedArrayAttrBase<FlatSymbolRefAttr, "axes">:$axes,
    ArrayAttr:$identities,
    DefaultValuedAttr<Tile_ReduceOrder, "::tilewright::tile::ReduceOrder::unordered">:$order,
    OptionalAttr<Tile_Grouping>:$grouping);
  let results = (outs Variadic<Tile_Value>:$results);
  let regions = (region SizedRegion<1>:$step, SizedRegion<1>:$merge);
  let assemblyFormat = [{
    `(` $inputs `)` `over` $axes `seed` `(` $seeds `)` `identity` $identities $order
    (`grouping` $grouping^)? attr-dict `:` `(` type($inputs) `)` `,` `(` type($seeds) `)`
    `->` `(` type($results) `)` `step` $step `merge` $merge
  }];
  let hasVerifier = 1;
}

def YieldOp : Tile_Op<"yield", [Pure, Terminator, ParentOneOf<["MapOp", "ReduceOp"]>]> {
  let summary = "ends a region with the values it gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, mlir::ValueRange()); }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
