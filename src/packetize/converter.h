// Rebuilds the body of one phase on packets: walks its regions in order, once.
//
// Every value of the phase maps to a Packet. Uniform `scf.if` and `scf.for` stay control flow, with
// the analysis saying which of their values are scalars; an `scf.if` that varies is straightened
// under a mask. (`scf.while` and loops whose bounds vary would keep a mask of the lanes still
// inside as one more carried value; they are refused as yet.)
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "packetize/emitter.h"
#include "packetize/guard.h"
#include "packetize/uniformity.h"

namespace tilewright::packetize {

class Converter {
public:
  /// `function` has the arguments of the phase and an empty entry block.
  Converter(lane::PhaseOp phase, const Uniformity &uniformity, mlir::func::FuncOp function);

  mlir::LogicalResult run();
  int64_t workspace_bytes() const { return workspace_bytes_; }

private:
  // converter.cpp: structure
  void map_arguments();
  void place_private_arrays();
  void mark_status_changes();
  mlir::LogicalResult convert(mlir::Block &block);
  mlir::LogicalResult convert(mlir::Operation &op);
  mlir::LogicalResult convert_if(mlir::scf::IfOp branch);
  mlir::LogicalResult convert_uniform_if(mlir::scf::IfOp branch, mlir::Value condition);
  mlir::LogicalResult convert_masked_if(mlir::scf::IfOp branch, const Packet &condition);
  mlir::LogicalResult convert_for(mlir::scf::ForOp loop);
  mlir::LogicalResult yield(mlir::Operation *terminator, mlir::ValueRange like, bool with_status);
  void take(mlir::Value original, mlir::Value converted);
  mlir::Type carried_type(mlir::Value original) const;
  /// The packet in the form that `like` has where control flow joins; null (with an error) if not.
  mlir::Value join_form(const Packet &packet, mlir::Value like);

  // elementwise.cpp: arith, math
  mlir::LogicalResult convert_elementwise(mlir::Operation &op);
  bool convert_index(mlir::Operation &op);
  bool convert_predicate(mlir::Operation &op);
  void convert_cast(mlir::Operation &op);
  mlir::Value harmless_divisor(mlir::Operation &op, mlir::Value divisor, bool uniform);

  // masks.cpp
  std::optional<Interval> compare_lanes(mlir::arith::CmpIPredicate predicate, const Packet &left,
                                        const Packet &right);
  Count clamp_signed(mlir::Value count);
  Count count_of(mlir::Value count);
  Interval intersect(const Interval &a, const Interval &b);
  std::optional<Interval> complement(const Interval &interval);
  Mask narrow(const Mask &mask, const Packet &condition);
  Packet negate(const Packet &condition);
  mlir::Value mask_vector(const Mask &mask, unsigned bits);
  /// An i1: is any lane active? Null when that is known to be true.
  mlir::Value any_lane(const Mask &mask);
  bool all_lanes() const { return mask_.is_all(width_); }

  // accesses.cpp: views
  mlir::LogicalResult convert_load(lane::LoadOp load);
  mlir::LogicalResult convert_store(lane::StoreOp store);
  mlir::LogicalResult store_uniform(lane::StoreOp store);
  void store_pieces(mlir::Value lanes, mlir::Type element, mlir::Value pointer, int64_t align);
  void convert_misalignment(lane::MisalignmentOp op);
  View flatten(lane::FlattenOp op);
  /// The address of lane 0's element.
  mlir::Value lane_zero_pointer(const View &view, mlir::ValueRange indices);
  /// The addresses of all lanes' elements.
  mlir::Value lane_pointers(const View &view, mlir::ValueRange indices);
  mlir::Value load_lanes(mlir::Type element, mlir::Value pointer, int64_t alignment);
  mlir::Value gather_lanes(mlir::Type element, mlir::Value pointers);
  mlir::Value to_memory(mlir::Type element, mlir::Value value);
  mlir::Value from_memory(mlir::Type element, mlir::Value value);
  mlir::Value when_any_lane(mlir::Type type, llvm::function_ref<mlir::Value()> build);

  // privates.cpp: private arrays
  void convert_get(lane::GetOp get);
  void convert_put(lane::PutOp put);
  struct PrivatePacket {
    mlir::Value pointer;
    int64_t alignment;
  };
  /// Where the packet of a uniform slot, or of the elements from `index` on, lies.
  PrivatePacket private_packet(mlir::Value array, const Packet &index, bool row);
  mlir::Value slot_pointers(mlir::Value array, const Packet &slot);

  // reduce.cpp
  mlir::LogicalResult convert_reduce(lane::ReduceOp reduce);
  mlir::LogicalResult merge(lane::ReduceOp reduce, llvm::ArrayRef<mlir::Value> left,
                            llvm::ArrayRef<mlir::Value> right,
                            llvm::SmallVectorImpl<mlir::Value> &merged);

  // Packets as values
  const Packet &packet(mlir::Value original) const;
  void set(mlir::Value original, Packet packet) { packets_[original] = std::move(packet); }
  Packet uniform(mlir::Value original, mlir::Value scalar) const;
  mlir::Value scalar(const Packet &packet);
  mlir::Value vector(const Packet &packet, mlir::Type type);
  mlir::Value scalar(mlir::Value original) { return scalar(packet(original)); }
  mlir::Value vector(mlir::Value original) { return vector(packet(original), original.getType()); }
  mlir::Value vector_beside(mlir::Value original, unsigned bits);
  mlir::LogicalResult bug(mlir::Operation *op, const llvm::Twine &text);

  lane::PhaseOp phase_;
  const Uniformity &uniformity_;
  mlir::func::FuncOp function_;
  int64_t width_;
  Emitter emitter_;
  GuardEmitter guards_;
  mlir::OpBuilder &builder_;

  llvm::DenseMap<mlir::Value, Packet> packets_;
  llvm::DenseMap<mlir::Value, View> views_;
  llvm::DenseMap<mlir::Value, mlir::Value> private_arrays_; ///< their addresses
  llvm::DenseSet<mlir::Operation *> changes_status_;
  Mask mask_;          ///< of the lanes that are active here
  mlir::Value status_; ///< the phase's status so far
  int64_t workspace_bytes_ = 0;
};

} // namespace tilewright::packetize
