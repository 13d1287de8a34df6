// The operations of the lane dialect. This table is the specification: meaning, operands, effects.
#ifndef TILEWRIGHT_LANE_OPS
#define TILEWRIGHT_LANE_OPS

include "lane_dialect.td"
include "../tile/tile_dialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Lane_Op<string mnemonic, list<Trait> traits = []> : Op<Lane_Dialect, mnemonic, traits>;

def Lane_Scalar : AnyTypeOf<[AnyFloat, AnySignlessInteger, Index], "a scalar">;

def PhaseOp : Lane_Op<"phase", [
    IsolatedFromAbove, Symbol, NoTerminator, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a phase: runs programs [begin, end) of one root nest, `width` lanes at a time";
  let description = [{
    ```mlir
    lane.phase @copy.0 width 8 (%x: !tile.view<const ?x65xf32>, %y: !tile.view<?x65xf32>)
        programs (%begin, %end) {
      ...
    }
    ```
    The body is what each lane does. `%begin` and `%end` are uniform `index` values. In an
    `scf.if` on a varying condition only the lanes where it holds are active; an inactive lane has
    no effect. `scf.for` bounds are uniform here. `overlap` and `safe_body` ops mark the path
    taken when a guard fails. `workspace_bytes` is what the private arrays of this phase need beside the stack, per
    worker (filled in by `packetize`).
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$width);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    mlir::Block* body() { return &getBody().front(); }
    mlir::Block::BlockArgListType views() { return body()->getArguments().drop_back(2); }
    mlir::Value begin() { return body()->getArguments().drop_back(1).back(); }
    mlir::Value end() { return body()->getArguments().back(); }
  }];
}

def IdOp : Lane_Op<"id", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the number of this lane in its packet: 0 ... width - 1 (varying)";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def ExtentOp : Lane_Op<"extent", [Pure]> {
  let summary = "the extent of a view's dimension at this launch (uniform)";
  let arguments = (ins Tile_View:$view, I64Attr:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$view `[` $dim `]` attr-dict `:` qualified(type($view))";
}

def FlattenOp : Lane_Op<"flatten", [Pure]> {
  let summary = "a packed view as one dimension: the same elements in memory order";
  let arguments = (ins Tile_View:$view);
  let results = (outs Tile_View:$result);
  let assemblyFormat = "$view attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def LoadOp : Lane_Op<"load", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "this lane's element of a view";
  let description = [{
    `lane.load %x[%row, %e] consecutive : !tile.view<?x65xf32>`. `access` is what the plan claims;
    `packetize` checks it. An inactive lane reads nothing and gives an unspecified value.
  }];
  let arguments = (ins Tile_View:$view, Variadic<Index>:$indices, Lane_Access:$access);
  let results = (outs Lane_Scalar:$result);
  let assemblyFormat = "$view `[` $indices `]` $access attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def StoreOp : Lane_Op<"store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes this lane's element of a view";
  let description = [{
    `step_down`: where the active lanes are a prefix of the packet, write it as pieces of falling
    width (8, 4, 2, 1 lanes ...) instead of one masked store. `aligned`: the packet's first element
    lies on a multiple of the packet's size in bytes. `nontemporal`: bypass the caches (needs
    `aligned` and all lanes active; a `lane.fence` follows before the phase ends).
  }];
  let arguments = (ins Lane_Scalar:$value, Tile_View:$view, Variadic<Index>:$indices,
                       Lane_Access:$access, UnitAttr:$step_down, UnitAttr:$aligned,
                       UnitAttr:$nontemporal);
  let assemblyFormat = [{
    $value `,` $view `[` $indices `]` $access (`step_down` $step_down^)? (`aligned` $aligned^)?
    (`nontemporal` $nontemporal^)? attr-dict `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def PrefetchOp : Lane_Op<"prefetch"> {
  let summary = "asks for the cache line of lane 0's element; never faults, may leave the view";
  let arguments = (ins Tile_View:$view, Variadic<Index>:$indices);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` qualified(type($view))";
}

def FenceOp : Lane_Op<"fence"> {
  let summary = "orders earlier non-temporal stores before everything that follows";
  let assemblyFormat = "attr-dict";
}

def PrivateOp : Lane_Op<"private", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a private array: storage for every lane, alive to the end of the phase";
  let results = (outs Lane_PrivateArray:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def GetOp : Lane_Op<"get", [MemoryEffects<[MemRead]>]> {
  let summary = "reads a slot of a private array";
  let description = [{
    With `row`, the array is one row that all lanes share, of slots * width elements: the index is
    uniform, and lane i reads element index + i. Element e is lane e mod width of slot e / width.
    All width elements from the index on are in the array, whichever lanes are active.
  }];
  let arguments = (ins Lane_PrivateArray:$array, Index:$slot, UnitAttr:$row);
  let results = (outs Lane_Scalar:$result);
  let assemblyFormat = "$array `[` $slot `]` (`row` $row^)? attr-dict `:` qualified(type($array)) `->` qualified(type($result))";
}

def PutOp : Lane_Op<"put", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a slot of a private array; inactive lanes keep every bit";
  let description = "With `row`, lane i writes element index + i, as in `lane.get`.";
  let arguments = (ins Lane_Scalar:$value, Lane_PrivateArray:$array, Index:$slot, UnitAttr:$row);
  let assemblyFormat = "$value `,` $array `[` $slot `]` (`row` $row^)? attr-dict `:` type($value) `,` qualified(type($array))";
}

def ReduceOp : Lane_Op<"reduce", [Pure]> {
  let summary = "merges accumulators across the packet by a halving tree (uniform results)";
  let description = [{
    `%s = lane.reduce (%a0, %a1, %a2, %a3) : f32 { ^bb0(%l: f32, %r: f32): ... }`

    For k carried values the operands are k groups of p accumulators (all p of the first value,
    then all p of the next); p is a power of two. Slot j * width + i is lane i of accumulator j.
    Slot s merges with slot s + n/2, lower slot on the left, n halving from p * width to one. The
    region takes k left then k right values. All lanes are active. Only commutative merges may
    have been started on rotated slots.
  }];
  let arguments = (ins Variadic<Lane_Scalar>:$accumulators, I64Attr:$packets);
  let results = (outs Variadic<Lane_Scalar>:$results);
  let regions = (region SizedRegion<1>:$merge);
  let assemblyFormat = [{
    `(` $accumulators `)` `packets` $packets attr-dict
    `:` `(` type($accumulators) `)` `->` `(` type($results) `)` $merge
  }];
  let hasVerifier = 1;
}

def YieldOp : Lane_Op<"yield", [Pure, Terminator, HasParent<"ReduceOp">]> {
  let summary = "ends a merge region with the values it gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def MisalignmentOp : Lane_Op<"misalignment", [Pure]> {
  let summary = "elements between the last multiple of `bytes` and an element's address (uniform)";
  let arguments = (ins Tile_View:$view, Variadic<Index>:$indices, I64Attr:$bytes);
  let results = (outs Index:$result);
  let assemblyFormat = "$view `[` $indices `]` `bytes` $bytes attr-dict `:` qualified(type($view))";
}

def GuardOp : Lane_Op<"guard", [Pure, AttrSizedOperandSegments]> {
  let summary = "may the stores and accesses of each pair of views share a loop? (uniform)";
  let description = [{
    `lane.guard(%y, %y) against(%x, %z) same_element_first [true, false] : (...), (...)`

    True when for every pair of a stored view and another (1) the views' byte ranges are disjoint, or
    (2) both are slices of one buffer: their strides in every dimension but the unit one are
    multiples of one pitch, and their intervals along the unit dimension do not meet modulo that
    pitch, or (3) `same_element_first` and both views have the same address, extents and strides
    (every load of an element precedes its store in the plan). A view without elements is disjoint
    from everything. Never true by overflow of the arithmetic. The views are arguments of the phase.
  }];
  let arguments = (ins Variadic<Tile_View>:$stored, Variadic<Tile_View>:$others,
                       DenseBoolArrayAttr:$same_element_first);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    `(` $stored `)` `against` `(` $others `)` `same_element_first` $same_element_first attr-dict
    `:` `(` qualified(type($stored)) `)` `,` `(` qualified(type($others)) `)`
  }];
  let hasVerifier = 1;
}

def OverlapOp : Lane_Op<"overlap"> {
  let summary = "marks that nothing runs since a guard failed: the phase returns TW_OVERLAP";
  let assemblyFormat = "attr-dict";
}

def SafeBodyOp : Lane_Op<"safe_body"> {
  let summary = "marks that the safe body runs: the phase returns TW_OK_SAFE_BODY";
  let assemblyFormat = "attr-dict";
}

#endif
