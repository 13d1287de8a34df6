#pragma once

#include <cstddef>
#include <vector>

namespace tilewright {

/// One round: the subjects 0 … k−1 in the order in which they are visited.
using Order = std::vector<std::size_t>;

/// All k! orders, in lexicographic order.
std::vector<Order> all_orders(std::size_t subjects);

/// A Williams design: k orders for even k, 2k for odd k. Every subject stands equally often at
/// every position, and every ordered pair of subjects is adjacent equally often, so neither drift
/// within a round nor what the previous subject left in the caches favours anyone.
std::vector<Order> balanced_orders(std::size_t subjects);

/// The rounds of a comparison: all k! orders when there are at most `max_rounds` of them, else as
/// many whole Williams designs as fit, else (many subjects, few rounds) the first `max_rounds`
/// orders of one design, which no longer balances positions exactly.
std::vector<Order> visit_orders(std::size_t subjects, std::size_t max_rounds);

} // namespace tilewright
