#include "measure/schedule.h"

#include <algorithm>
#include <numeric>

namespace tilewright {
namespace {

/// 0, 1, k−1, 2, k−2, …: the differences of neighbours are all distinct modulo k when k is even,
/// and together with those of the reverse cover each difference twice when k is odd.
Order zigzag(std::size_t subjects) {
  Order order;
  for (std::size_t i = 0; i < subjects; ++i)
    order.push_back(i % 2 == 1 ? (i + 1) / 2 : (subjects - i / 2) % subjects);
  return order;
}

bool factorial_at_most(std::size_t subjects, std::size_t limit) {
  std::size_t product = 1;
  for (std::size_t i = 2; i <= subjects; ++i) {
    product *= i;
    if (product > limit)
      return false;
  }
  return product <= limit;
}

} // namespace

std::vector<Order> all_orders(std::size_t subjects) {
  Order order(subjects);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::vector<Order> orders;
  do
    orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

std::vector<Order> balanced_orders(std::size_t subjects) {
  std::vector<Order> orders;
  Order first = zigzag(subjects);
  bool odd = subjects % 2 == 1;
  for (int direction = 0; direction < (odd && subjects > 1 ? 2 : 1); ++direction) {
    for (std::size_t shift = 0; shift < subjects; ++shift) {
      Order order;
      for (std::size_t subject : first)
        order.push_back((subject + shift) % subjects);
      orders.push_back(order);
    }
    std::reverse(first.begin(), first.end());
  }
  return orders;
}

std::vector<Order> visit_orders(std::size_t subjects, std::size_t max_rounds) {
  max_rounds = std::max<std::size_t>(max_rounds, 1);
  if (factorial_at_most(subjects, max_rounds))
    return all_orders(subjects);
  std::vector<Order> design = balanced_orders(subjects);
  std::vector<Order> orders = design;
  while (orders.size() + design.size() <= max_rounds)
    orders.insert(orders.end(), design.begin(), design.end());
  if (orders.size() > max_rounds)
    orders.resize(max_rounds);
  return orders;
}

} // namespace tilewright
