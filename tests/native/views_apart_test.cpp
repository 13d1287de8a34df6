// tw_views_apart against sets of bytes, and against exact arithmetic where the numbers are extreme.
// (tests/packetize/guard_test.cpp holds the guards that call it to the same.)
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tilewright/abi.h"

namespace tilewright::native {
namespace {

struct Place {
  int64_t address = 0;
  std::vector<int64_t> extents = {}, strides = {}; // in elements
  int bytes = 4;
  int unit_dim = -1;

  tw_view view() const {
    tw_view view{};
    view.data = reinterpret_cast<void *>(address);
    std::copy(extents.begin(), extents.end(), view.extents);
    std::copy(strides.begin(), strides.end(), view.strides);
    return view;
  }

  int32_t form() const {
    return tw_view_form(static_cast<int32_t>(extents.size()), bytes, unit_dim);
  }

  std::set<int64_t> all_bytes() const {
    std::set<int64_t> elements{address};
    for (size_t dim = 0; dim < extents.size(); ++dim) {
      std::set<int64_t> next;
      for (int64_t i = 0; i < extents[dim]; ++i)
        for (int64_t at : elements)
          next.insert(at + i * strides[dim] * bytes);
      elements = next;
    }
    std::set<int64_t> all;
    for (int64_t at : elements)
      for (int64_t byte = 0; byte < bytes; ++byte)
        all.insert(at + byte);
    return all;
  }
};

bool apart(const Place &a, const Place &b, bool same_element_first = false) {
  // Not the first two views of the launch, so that the numbers count.
  const tw_view views[] = {{}, b.view(), {}, a.view()};
  const tw_launch launch{views, 4};
  return tw_views_apart(&launch, 3, 1, a.form(), b.form(), same_element_first) != 0;
}

bool meet(const Place &a, const Place &b) {
  const std::set<int64_t> first = a.all_bytes(), second = b.all_bytes();
  return std::any_of(first.begin(), first.end(),
                     [&](int64_t byte) { return second.contains(byte); });
}

class Random {
public:
  int pick(int from, int to) { return from + static_cast<int>(random_() % (to - from + 1)); }

  Place place() {
    Place place;
    place.bytes = 1 << pick(0, 3);
    place.address = 4096 + pick(-60, 60);
    const int rank = pick(0, 3);
    for (int dim = 0; dim < rank; ++dim) {
      place.extents.push_back(pick(0, 9) == 0 ? 0 : pick(1, 4));
      place.strides.push_back(pick(0, 3) ? 6 * pick(-2, 2) : pick(-9, 9));
    }
    if (rank > 0 && pick(0, 3)) {
      place.unit_dim = pick(0, rank - 1);
      place.strides[place.unit_dim] = 1;
    }
    return place;
  }

private:
  std::mt19937 random_{11};
};

TEST(ViewsApart, never_true_where_bytes_meet) {
  Random random;
  int really = 0, seen = 0;
  for (int round = 0; round < 100000; ++round) {
    const Place a = random.place(), b = random.place();
    const bool says = apart(a, b), is = !meet(a, b);
    ASSERT_TRUE(is || !says) << a.address << ' ' << b.address << ' ' << round;
    ASSERT_EQ(apart(b, a), says);
    really += is;
    seen += says;
  }
  EXPECT_GT(seen, really * 3 / 4);
}

TEST(ViewsApart, ranges) {
  Place a{.address = 4096, .extents = {3, 5}, .strides = {5, 1}, .unit_dim = 1}, b = a;
  for (int64_t distance = -70; distance <= 70; ++distance) {
    b.address = a.address + distance;
    EXPECT_EQ(apart(a, b), std::abs(distance) >= 60) << distance;
  }
}

TEST(ViewsApart, negative_and_zero_strides) {
  // Elements 4096 - 8 * 4 ... 4096 + 3: backwards from the address.
  const Place back{.address = 4096, .extents = {3}, .strides = {-4}};
  EXPECT_FALSE(apart(back, {.address = 4096 - 32, .extents = {1}, .strides = {1}}));
  EXPECT_TRUE(apart(back, {.address = 4096 - 36, .extents = {1}, .strides = {1}}));
  EXPECT_FALSE(apart(back, {.address = 4096, .extents = {1}, .strides = {1}}));
  EXPECT_TRUE(apart(back, {.address = 4100, .extents = {1}, .strides = {1}}));
  const Place still{.address = 4096, .extents = {1000}, .strides = {0}}; // one element
  EXPECT_FALSE(apart(still, {.address = 4096, .extents = {1}, .strides = {1}}));
  EXPECT_TRUE(apart(still, {.address = 4100, .extents = {1}, .strides = {1}}));
}

TEST(ViewsApart, views_without_elements) {
  const Place some{.address = 4096, .extents = {4, 9}, .strides = {9, 1}, .unit_dim = 1};
  Place none = some;
  for (size_t dim : {0, 1}) {
    none = some;
    none.extents[dim] = 0;
    EXPECT_TRUE(apart(some, none));
    EXPECT_TRUE(apart(none, some));
    EXPECT_TRUE(apart(none, none));
  }
  none.strides[0] = INT64_MIN;
  EXPECT_TRUE(apart(some, none));
}

TEST(ViewsApart, scalars) {
  const Place scalar{.address = 4096};
  EXPECT_FALSE(apart(scalar, scalar));
  EXPECT_TRUE(apart(scalar, scalar, /*same_element_first=*/true));
  EXPECT_TRUE(apart(scalar, {.address = 4100}));
  EXPECT_FALSE(apart(scalar, {.address = 4099}));
}

TEST(ViewsApart, slices_of_one_buffer) {
  const auto columns = [](int64_t from, int64_t wide, int64_t rows, int64_t pitch) {
    return Place{.address = (1 << 20) + 4 * from,
                 .extents = {rows, wide},
                 .strides = {pitch, 1},
                 .unit_dim = 1};
  };
  for (int64_t from_a = 0; from_a < 20; ++from_a)
    for (int64_t from_b = 0; from_b < 20; ++from_b) {
      const bool right = from_a + 4 <= from_b || from_b + 3 <= from_a;
      const Place a = columns(from_a, 4, 5, 24);
      EXPECT_EQ(apart(a, columns(from_b, 3, 7, 24)), right) << from_a << ' ' << from_b;
      // Every other row, upwards, or one row alone whose stride says nothing.
      EXPECT_EQ(apart(a, columns(from_b, 3, 3, 48)), right) << from_a << ' ' << from_b;
      EXPECT_EQ(apart(a, columns(from_b + 6 * 24, 3, 7, -24)), right) << from_a << ' ' << from_b;
      EXPECT_EQ(apart(a, columns(from_b, 3, 1, 77)), right) << from_a << ' ' << from_b;
    }
  EXPECT_FALSE(apart(columns(0, 4, 5, 24), columns(8, 4, 5, 25))); // no common pitch
  // Without a dimension of stride one there are no intervals.
  Place a = columns(0, 4, 5, 24), b = columns(8, 4, 5, 24);
  EXPECT_TRUE(apart(a, b));
  b.unit_dim = -1;
  EXPECT_FALSE(apart(a, b));
}

TEST(ViewsApart, slices_of_three_dimensions) {
  Place a{.address = 4096, .extents = {3, 5, 4}, .strides = {60, 12, 1}, .unit_dim = 2}, b = a;
  b.address += 4 * 4;
  EXPECT_TRUE(apart(a, b));
  b.address += 4 * 5; // one column of b is one of a's in the next row
  EXPECT_FALSE(apart(a, b));
  b.address = a.address + 4 * 4;
  a.strides[0] = b.strides[0] = 62; // no multiple of the pitch
  EXPECT_FALSE(apart(a, b));
}

TEST(ViewsApart, same_elements) {
  const Place a{.address = 4096, .extents = {4, 1, 9}, .strides = {9, 3, 1}, .unit_dim = 2};
  EXPECT_FALSE(apart(a, a));
  EXPECT_TRUE(apart(a, a, true));
  Place b = a;
  b.strides[1] = 1000; // of a dimension with one element
  EXPECT_TRUE(apart(a, b, true));
  b = a;
  b.address += 4;
  EXPECT_FALSE(apart(a, b, true));
  b = a;
  b.strides[0] = 10;
  EXPECT_FALSE(apart(a, b, true));
  b = a;
  b.extents[0] = 3;
  EXPECT_FALSE(apart(a, b, true));
  b = a;
  b.bytes = 2;
  EXPECT_FALSE(apart(a, b, true));
}

TEST(ViewsApart, extreme_numbers_never_look_apart) {
  const int64_t extents[] = {
      1,        2, 1 << 20, int64_t{1} << 31, int64_t{1} << 53, int64_t{1} << 61, int64_t{1} << 62,
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
  const auto range = [](const Place &place) {
    __int128 low = static_cast<uint64_t>(place.address), high = low;
    for (size_t dim = 0; dim < place.extents.size(); ++dim) {
      __int128 elements = __int128(place.extents[dim] - 1) * place.strides[dim];
      __int128 far = std::clamp(elements, -far_away, far_away) * place.bytes;
      (far < 0 ? low : high) += far;
    }
    return std::pair(low, high + place.bytes);
  };
  for (int bytes : {1, 4})
    for (int64_t rows : extents)
      for (int64_t columns : extents)
        for (int64_t stride : strides)
          for (uint64_t at_a : addresses)
            for (uint64_t at_b : addresses) {
              const Place a{.address = static_cast<int64_t>(at_a),
                            .extents = {rows, columns},
                            .strides = {stride, 1},
                            .bytes = bytes,
                            .unit_dim = 1};
              const Place b{.address = static_cast<int64_t>(at_b),
                            .extents = {3, 5},
                            .strides = {5, 1},
                            .unit_dim = 1};
              const auto [low_a, high_a] = range(a);
              const auto [low_b, high_b] = range(b);
              // Ranges that reach the last byte of the address space count as wild too.
              const __int128 end = __int128(1) << 64;
              const bool wild = low_a < 0 || high_a >= end || low_b < 0 || high_b >= end;
              const bool disjoint = high_a <= low_b || high_b <= low_a;
              if (apart(a, b)) {
                ASSERT_TRUE(disjoint && !wild) << rows << ' ' << columns << ' ' << stride;
              } else {
                ASSERT_FALSE(disjoint && !wild && high_a - low_a < (__int128(1) << 50))
                    << "apart, yet not seen: " << rows << ' ' << columns << ' ' << stride << ' '
                    << at_a << ' ' << at_b;
              }
            }
}

} // namespace
} // namespace tilewright::native
