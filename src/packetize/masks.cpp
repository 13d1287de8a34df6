// Which lanes are active: intervals where the structure shows them, vectors of i1 otherwise.
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "packetize/converter.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
using mlir::Value;
using Predicate = arith::CmpIPredicate;

namespace {

bool holds(Predicate predicate, int64_t left, int64_t right) {
  return arith::applyCmpPredicate(predicate, llvm::APInt(64, left, /*isSigned=*/true),
                                  llvm::APInt(64, right, /*isSigned=*/true));
}

Predicate swapped(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  default:
    return predicate;
  }
}

} // namespace

Count Converter::count_of(Value count) {
  if (std::optional<int64_t> known = Emitter::known(count))
    return {*known, {}};
  return {0, count};
}

Count Converter::clamp_signed(Value count) {
  Value below = emitter_.min_signed(count, emitter_.integer(width_));
  return count_of(emitter_.max_signed(below, emitter_.integer(0)));
}

// Where lane i of one side holds base + i and the other side is uniform, the lanes where the
// comparison holds are an interval. Exact for any 64-bit base and bound as long as base + i does
// not wrap: differences are taken only where their order is known or clamped as signed numbers
// whose overflow ends on the same side.
std::optional<Interval> Converter::compare_lanes(Predicate predicate, const Packet &left,
                                                 const Packet &right) {
  if (!left.is_linear() || !right.is_linear())
    return std::nullopt;
  Packet line = left, bound = right;
  if (line.stride == 0) {
    std::swap(line, bound);
    predicate = swapped(predicate);
  }
  if (line.stride != 1 || bound.stride != 0)
    return std::nullopt;

  // Both constant: try every lane.
  if (!line.scalar && !bound.scalar) {
    Interval lanes;
    int64_t edges = 0;
    bool before = false;
    for (int64_t lane = 0; lane < width_; ++lane) {
      bool now = holds(predicate, static_cast<int64_t>(uint64_t(line.offset) + lane), bound.offset);
      if (now && !before)
        lanes.first.known = lane;
      if (now)
        lanes.last.known = lane + 1;
      edges += now != before;
      before = now;
    }
    if (edges > 2)
      return std::nullopt;
    return lanes;
  }

  // <= n is < n + 1, and > n is >= n + 1.
  auto next = [&](Predicate strict) {
    predicate = strict;
    bound.offset = static_cast<int64_t>(uint64_t(bound.offset) + 1);
  };
  if (predicate == Predicate::sle)
    next(Predicate::slt);
  if (predicate == Predicate::sgt)
    next(Predicate::sge);
  if (predicate == Predicate::ule)
    next(Predicate::ult);
  if (predicate == Predicate::ugt)
    next(Predicate::uge);

  Count width{width_, {}};
  bool below = predicate == Predicate::slt || predicate == Predicate::ult;
  if (!below && predicate != Predicate::sge && predicate != Predicate::uge)
    return std::nullopt;
  auto split = [&](Count count) { return below ? Interval{{}, count} : Interval{count, width}; };
  bool is_signed = predicate == Predicate::slt || predicate == Predicate::sge;
  bool starts_above = line.offset >= 0 && (!line.scalar || emitter_.not_negative(line.scalar));
  if (line.scalar == bound.scalar && (is_signed || starts_above)) {
    int64_t distance = static_cast<int64_t>(uint64_t(bound.offset) - uint64_t(line.offset));
    return split({std::clamp<int64_t>(distance, 0, width_), {}});
  }

  Value base = scalar(line), limit = scalar(bound), lanes = emitter_.integer(width_);
  if (is_signed) {
    Value distance = emitter_.sub(emitter_.max_signed(limit, base), base);
    return split(count_of(emitter_.min_unsigned(distance, lanes)));
  }
  if (starts_above) {
    Value distance = emitter_.sub(emitter_.max_unsigned(limit, base), base);
    return split(count_of(emitter_.min_unsigned(distance, lanes)));
  }
  // A base below zero: its lanes up to -base count as huge, so they are no part of it.
  if (below && bound.offset >= 0 && (!bound.scalar || emitter_.not_negative(bound.scalar)))
    return Interval{clamp_signed(emitter_.sub(emitter_.integer(0), base)),
                    clamp_signed(emitter_.sub(limit, base))};
  return std::nullopt;
}

Interval Converter::intersect(const Interval &a, const Interval &b) {
  auto value = [&](const Count &count) {
    return count.value ? count.value : emitter_.integer(count.known);
  };
  auto larger = [&](const Count &x, const Count &y) {
    if (x.is(0))
      return y;
    if (y.is(0))
      return x;
    return count_of(emitter_.max_signed(value(x), value(y)));
  };
  auto smaller = [&](const Count &x, const Count &y) {
    if (x.is(width_))
      return y;
    if (y.is(width_))
      return x;
    return count_of(emitter_.min_signed(value(x), value(y)));
  };
  return {larger(a.first, b.first), smaller(a.last, b.last)};
}

std::optional<Interval> Converter::complement(const Interval &interval) {
  if (interval.first.is(0))
    return Interval{interval.last, {width_, {}}};
  if (interval.last.is(width_))
    return Interval{{}, interval.first};
  return std::nullopt;
}

Mask Converter::narrow(const Mask &mask, const Packet &condition) {
  Mask inside = mask;
  if (condition.interval)
    inside.lanes = intersect(mask.lanes, *condition.interval);
  else
    inside.others =
        mask.others ? emitter_.and_masks(mask.others, condition.vector) : condition.vector;
  return inside;
}

Packet Converter::negate(const Packet &condition) {
  if (condition.interval)
    if (std::optional<Interval> lanes = complement(*condition.interval))
      return Packet::of_interval(*lanes);
  Value lanes = vector(condition, builder_.getI32Type());
  Value every = emitter_.known_mask(0, width_);
  return Packet::of_vector(arith::XOrIOp::create(builder_, emitter_.location, lanes, every));
}

Value Converter::mask_vector(const Mask &mask, unsigned bits) {
  bool bounded = !mask.lanes.first.is(0) || !mask.lanes.last.is(width_);
  if (mask.others && !bounded)
    return mask.others;
  Value lanes = emitter_.interval_mask(mask.lanes, bits);
  return mask.others ? emitter_.and_masks(lanes, mask.others) : lanes;
}

Value Converter::any_lane(const Mask &mask) {
  if (!mask.others) {
    auto value = [&](const Count &count) {
      return count.value ? count.value : emitter_.integer(count.known);
    };
    if (!mask.lanes.first.value && !mask.lanes.last.value && !mask.is_empty())
      return {};
    return arith::CmpIOp::create(builder_, emitter_.location, Predicate::slt,
                                 value(mask.lanes.first), value(mask.lanes.last));
  }
  auto bits = builder_.getIntegerType(width_);
  Value packed =
      mlir::LLVM::BitcastOp::create(builder_, emitter_.location, bits, mask_vector(mask, 32));
  return arith::CmpIOp::create(builder_, emitter_.location, Predicate::ne, packed,
                               emitter_.integer(0, width_));
}

} // namespace tilewright::packetize
