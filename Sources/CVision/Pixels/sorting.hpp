#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace ocv {
/// Puts what has the highest `score` first; equals keep their order, so that the result is the same with any library.
template <typename Item> void sortByScore(std::vector<Item> &items) {
    std::vector<size_t> order(items.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return items[a].score > items[b].score || (items[a].score == items[b].score && a < b);
    });
    std::vector<Item> sorted;
    sorted.reserve(items.size());
    for (const size_t index : order) sorted.push_back(items[index]);
    items.swap(sorted);
}
} // namespace ocv
