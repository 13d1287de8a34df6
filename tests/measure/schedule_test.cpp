#include "measure/schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace tilewright {
namespace {

bool is_permutation_of_iota(Order order, std::size_t subjects) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != i)
      return false;
  return order.size() == subjects;
}

void expect_balanced(const std::vector<Order> &orders, std::size_t subjects) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> at_position, adjacent;
  for (const Order &order : orders) {
    ASSERT_TRUE(is_permutation_of_iota(order, subjects));
    for (std::size_t i = 0; i < subjects; ++i) {
      ++at_position[{order[i], i}];
      if (i > 0)
        ++adjacent[{order[i - 1], order[i]}];
    }
  }
  EXPECT_EQ(at_position.size(), subjects * subjects);
  for (auto [key, count] : at_position)
    EXPECT_EQ(count, orders.size() / subjects);
  EXPECT_EQ(adjacent.size(), subjects * (subjects - 1));
  for (auto [pair, count] : adjacent)
    EXPECT_EQ(count, orders.size() / subjects) << pair.first << " before " << pair.second;
}

TEST(Schedule, AllOrdersAreDistinctPermutations) {
  std::vector<Order> orders = all_orders(4);
  EXPECT_EQ(orders.size(), 24u);
  EXPECT_EQ(std::set<Order>(orders.begin(), orders.end()).size(), 24u);
  expect_balanced(orders, 4);
}

TEST(Schedule, WilliamsDesignsAreBalanced) {
  for (std::size_t subjects = 2; subjects <= 12; ++subjects) {
    SCOPED_TRACE(subjects);
    std::vector<Order> orders = balanced_orders(subjects);
    EXPECT_EQ(orders.size(), subjects % 2 == 0 ? subjects : 2 * subjects);
    expect_balanced(orders, subjects);
  }
}

TEST(Schedule, FewSubjectsVisitEveryOrder) {
  EXPECT_EQ(visit_orders(1, 24).size(), 1u);
  EXPECT_EQ(visit_orders(3, 24).size(), 6u);
  EXPECT_EQ(visit_orders(4, 24).size(), 24u);
}

TEST(Schedule, ManySubjectsVisitWholeBalancedDesigns) {
  std::vector<Order> five = visit_orders(5, 24);
  EXPECT_EQ(five.size(), 20u);
  expect_balanced(five, 5);
  std::vector<Order> twelve = visit_orders(12, 24);
  EXPECT_EQ(twelve.size(), 24u);
  expect_balanced(twelve, 12);
}

TEST(Schedule, RoundsAreNeverMoreThanAskedFor) {
  for (std::size_t subjects : {1, 2, 7, 40})
    for (std::size_t rounds : {1, 3, 24}) {
      std::vector<Order> orders = visit_orders(subjects, rounds);
      EXPECT_LE(orders.size(), rounds);
      EXPECT_GE(orders.size(), 1u);
      for (const Order &order : orders)
        EXPECT_TRUE(is_permutation_of_iota(order, subjects));
    }
}

TEST(Schedule, NoSubjectsGiveOneEmptyRound) {
  ASSERT_EQ(visit_orders(0, 24).size(), 1u);
  EXPECT_TRUE(visit_orders(0, 24).front().empty());
}

} // namespace
} // namespace tilewright
