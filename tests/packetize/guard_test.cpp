// lane.guard against sets of bytes, and against exact arithmetic where the numbers are extreme.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "compile_lanes.h"

namespace tilewright::packetize {
namespace {

// Writes 1 where the guard holds.
std::string guard_kernel(const std::string &stored, const std::string &other,
                         const std::string &flag) {
  return "lane.phase @guard width 8 (%a: " + stored + ", %b: " + other + R"(,
    %out: !tile.view<1xi32>) programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %yes = arith.constant 1 : i32
  %no = arith.constant 0 : i32
  %ok = lane.guard(%a) against(%b) same_element_first [)" +
         flag + "] : (" + stored + "), (" + other + R"()
  scf.if %ok {
    lane.store %yes, %out[%c0] uniform : i32, !tile.view<1xi32>
  } else {
    lane.safe_body
    lane.store %no, %out[%c0] uniform : i32, !tile.view<1xi32>
  }
})";
}

struct Place {
  int64_t address = 0;
  std::vector<int64_t> extents, strides;

  tw_view view() const {
    tw_view view{};
    view.data = reinterpret_cast<void *>(address);
    for (size_t dim = 0; dim < extents.size(); ++dim) {
      view.extents[dim] = extents[dim];
      view.strides[dim] = strides[dim];
    }
    return view;
  }

  std::set<int64_t> bytes(int64_t size) const {
    std::set<int64_t> offsets{address};
    for (size_t dim = 0; dim < extents.size(); ++dim) {
      std::set<int64_t> next;
      for (int64_t i = 0; i < extents[dim]; ++i)
        for (int64_t at : offsets)
          next.insert(at + i * strides[dim] * size);
      offsets = next;
    }
    std::set<int64_t> all;
    for (int64_t at : offsets)
      for (int64_t byte = 0; byte < size; ++byte)
        all.insert(at + byte);
    return all;
  }
};

bool meet(const std::set<int64_t> &a, const std::set<int64_t> &b) {
  for (int64_t byte : a)
    if (b.contains(byte))
      return true;
  return false;
}

class Guard {
public:
  Guard(const std::string &stored, const std::string &other, const std::string &flag = "false")
      : program_(guard_kernel(stored, other, flag), 8) {}

  bool holds(const Place &a, const Place &b) {
    int32_t result = -1;
    tw_status status = program_.run("guard", {a.view(), b.view(), packed_view(&result, {1})});
    EXPECT_EQ(status, result == 1 ? TW_OK : TW_OK_SAFE_BODY);
    return result == 1;
  }

private:
  LaneProgram program_;
};

TEST(Guard, NeverTrueWhereBytesMeet) {
  Guard guard("!tile.view<?x?xf32>", "!tile.view<const ?x?xf32>");
  std::mt19937 random(5);
  auto pick = [&](int from, int to) { return from + static_cast<int>(random() % (to - from + 1)); };
  int apart = 0, held = 0;
  for (int round = 0; round < 60000; ++round) {
    Place a, b;
    a.extents = {pick(0, 4), pick(0, 4)};
    b.extents = {pick(0, 4), pick(0, 4)};
    a.strides = {pick(-9, 9), 1};
    b.strides = {pick(0, 1) ? a.strides[0] : pick(-9, 9), 1};
    a.address = 4096;
    b.address = 4096 + (pick(0, 3) ? 4 * pick(-30, 30) : pick(-90, 90));
    bool disjoint = !meet(a.bytes(4), b.bytes(4));
    bool holds = guard.holds(a, b);
    ASSERT_TRUE(disjoint || !holds) << a.address << ' ' << b.address;
    apart += disjoint;
    held += holds;
  }
  EXPECT_GT(held, apart * 3 / 4); // it sees most of what is apart
}

// Row-major without gaps: what is known of them makes the straight code shorter.
TEST(Guard, PackedViewsNeverLookApartWhereBytesMeet) {
  Guard rows("!tile.view<packed ?x3xf32>", "!tile.view<const packed ?xf32>");
  Guard blocks("!tile.view<packed ?x?x2xf32>", "!tile.view<const packed 4xf32>");
  for (int64_t n = 0; n < 4; ++n)
    for (int64_t m = 0; m < 4; ++m)
      for (int64_t distance = -60; distance <= 60; ++distance) {
        Place a{4096, {n, 3}, {3, 1}}, b{4096 + distance, {m}, {1}};
        EXPECT_EQ(rows.holds(a, b), !meet(a.bytes(4), b.bytes(4))) << n << ' ' << m;
        Place c{4096, {n, m, 2}, {2 * m, 2, 1}}, d{4096 + distance, {4}, {1}};
        EXPECT_EQ(blocks.holds(c, d), !meet(c.bytes(4), d.bytes(4))) << n << ' ' << m;
      }
}

TEST(Guard, ExtremePackedViewsNeverLookApart) {
  Guard guard("!tile.view<packed ?x3xf32>", "!tile.view<const packed ?x?x?xf32>");
  const int64_t extents[] = {1, 3, int64_t{1} << 31, int64_t{1} << 32, int64_t{1} << 62};
  const Place far{int64_t{1} << 47, {1, 3}, {3, 1}};
  for (int64_t n : extents)
    for (int64_t m : extents)
      for (int64_t k : extents) {
        Place b{4096, {n, m, k}, {0, k, 1}};
        const bool counts = !__builtin_mul_overflow(m, k, &b.strides[0]);
        const __int128 bytes = __int128(n) * b.strides[0] * 4;
        const bool apart = counts && bytes <= (int64_t{1} << 47) - 4096;
        EXPECT_EQ(guard.holds(far, b), apart) << n << ' ' << m << ' ' << k;
        Place a{4096, {n, 3}, {3, 1}};
        EXPECT_EQ(guard.holds(a, {int64_t{1} << 47, {1, 1, 3}, {3, 3, 1}}),
                  __int128(n) * 12 <= (int64_t{1} << 47) - 4096)
            << n;
      }
}

TEST(Guard, SeesSlicesOfOneBuffer) {
  Guard guard("!tile.view<?x?xf32>", "!tile.view<const ?x?xf32>");
  // Columns of a buffer of 24 columns.
  for (int64_t from_a = 0; from_a < 20; ++from_a)
    for (int64_t from_b = 0; from_b < 20; ++from_b)
      for (int64_t wide_a : {1, 4})
        for (int64_t wide_b : {1, 3}) {
          Place a{1 << 20, {5, wide_a}, {24, 1}}, b{1 << 20, {7, wide_b}, {24, 1}};
          a.address += 4 * from_a;
          b.address += 4 * from_b;
          bool apart = from_a + wide_a <= from_b || from_b + wide_b <= from_a;
          EXPECT_EQ(guard.holds(a, b), apart) << from_a << ' ' << from_b;
        }
}

TEST(Guard, SlicesOfThreeDimensions) {
  Guard guard("!tile.view<?x?x4xf32>", "!tile.view<const ?x?x4xf32>");
  Place a{4096, {3, 5, 4}, {60, 12, 1}}, b = a;
  b.address += 4 * 4;
  EXPECT_TRUE(guard.holds(a, b));
  b.address += 4 * 5; // one column of b is one of a's in the next row
  EXPECT_FALSE(guard.holds(a, b));
  b = a;
  b.address += 4 * 4;
  a.strides[0] = b.strides[0] = 62; // no multiple of the pitch
  EXPECT_FALSE(guard.holds(a, b));
}

// Straight code and calls alike hold only where they do for every pair.
TEST(Guard, SeveralPairs) {
  LaneProgram program(R"(lane.phase @guard width 8 (%a: !tile.view<?x?xf32>,
    %b: !tile.view<const ?x?xf32>, %c: !tile.view<const ?x?xf32>, %out: !tile.view<1xi32>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %yes = arith.constant 1 : i32
  %no = arith.constant 0 : i32
  %ok = lane.guard(%a, %a) against(%b, %c) same_element_first [true, false]
      : (!tile.view<?x?xf32>, !tile.view<?x?xf32>),
        (!tile.view<const ?x?xf32>, !tile.view<const ?x?xf32>)
  scf.if %ok {
    lane.store %yes, %out[%c0] uniform : i32, !tile.view<1xi32>
  } else {
    lane.safe_body
    lane.store %no, %out[%c0] uniform : i32, !tile.view<1xi32>
  }
})",
                      8);
  auto holds = [&](int64_t b, int64_t c) {
    auto at = [](int64_t address) { return Place{address, {2, 4}, {4, 1}}.view(); };
    int32_t result = -1;
    program.run("guard", {at(4096), at(b), at(c), packed_view(&result, {1})});
    return result == 1;
  };
  EXPECT_TRUE(holds(4128, 4064));
  EXPECT_FALSE(holds(4124, 4064));
  EXPECT_FALSE(holds(4128, 4068));
  EXPECT_TRUE(holds(4096, 4064)); // the same elements
  EXPECT_FALSE(holds(4128, 4096));
}

TEST(Guard, SameElementFirst) {
  std::string y = "!tile.view<?x?xf32>", x = "!tile.view<const ?x?xf32>";
  Guard strict(y, x), same(y, x, "true");
  Place a{4096, {4, 9}, {9, 1}}, b = a;
  EXPECT_FALSE(strict.holds(a, b));
  EXPECT_TRUE(same.holds(a, b));
  b.address += 4;
  EXPECT_FALSE(same.holds(a, b));
  b = a;
  b.strides[0] = 10;
  EXPECT_FALSE(same.holds(a, b));
  b = a;
  b.extents[0] = 3;
  EXPECT_FALSE(same.holds(a, b));
}

TEST(Guard, EmptyViewsAreApart) {
  Guard guard("!tile.view<?x?xf32>", "!tile.view<const ?x?xf32>");
  Place a{4096, {0, 9}, {9, 1}}, b{4096, {4, 9}, {9, 1}};
  EXPECT_TRUE(guard.holds(a, b));
  EXPECT_TRUE(guard.holds(b, a));
  a.extents = {4, 0};
  EXPECT_TRUE(guard.holds(a, b));
}

TEST(Guard, ExtremeNumbersNeverLookApart) {
  Guard guard("!tile.view<?x?xf32>", "!tile.view<const ?x?xf32>");
  const int64_t extents[] = {1,
                             2,
                             3,
                             1 << 20,
                             int64_t{1} << 31,
                             int64_t{1} << 53,
                             int64_t{1} << 61,
                             int64_t{1} << 62,
                             INT64_MAX};
  const int64_t strides[] = {0,
                             1,
                             -1,
                             7,
                             int64_t{1} << 31,
                             int64_t{1} << 60,
                             int64_t{1} << 62,
                             INT64_MAX,
                             INT64_MIN,
                             INT64_MIN + 1,
                             -(int64_t{1} << 40)};
  const uint64_t addresses[] = {64, 1 << 20, uint64_t{1} << 47, uint64_t{1} << 63, ~uint64_t{63}};
  static constexpr __int128 far_away = __int128{1} << 100; // what is as far is wild all the same
  auto range = [](const Place &place) {
    __int128 low = static_cast<uint64_t>(place.address), high = low;
    for (size_t dim = 0; dim < 2; ++dim) {
      __int128 elements = __int128(place.extents[dim] - 1) * place.strides[dim];
      __int128 far = std::clamp(elements, -far_away, far_away) * 4;
      (far < 0 ? low : high) += far;
    }
    return std::pair(low, high + 4);
  };
  for (int64_t rows : extents)
    for (int64_t columns : extents)
      for (int64_t stride : strides)
        for (uint64_t at_a : addresses)
          for (uint64_t at_b : addresses) {
            Place a{static_cast<int64_t>(at_a), {rows, columns}, {stride, 1}};
            Place b{static_cast<int64_t>(at_b), {3, 5}, {5, 1}};
            auto [low_a, high_a] = range(a);
            auto [low_b, high_b] = range(b);
            // Ranges that reach the last byte of the address space count as wild too.
            __int128 end = __int128(1) << 64;
            bool wild = low_a < 0 || high_a >= end || low_b < 0 || high_b >= end;
            bool apart = high_a <= low_b || high_b <= low_a;
            if (guard.holds(a, b)) {
              EXPECT_TRUE(apart && !wild) << rows << ' ' << columns << ' ' << stride;
            } else if (apart && !wild && high_a - low_a < (__int128(1) << 50)) {
              ADD_FAILURE() << "apart, yet not seen: " << rows << ' ' << columns << ' ' << stride
                            << ' ' << at_a << ' ' << at_b;
            }
          }
}

} // namespace
} // namespace tilewright::packetize
