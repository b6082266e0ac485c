#include "Text/lines.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ocv::text {
namespace {

/// The steepest line: the tangent of 50°.
constexpr float steepest = 1.19f;

/// How far apart two letters of a line may be, in heights of the larger; the space between words is wider.
constexpr float gapInWords = 1.0f, gapBetweenWords = 2.2f;

float gap(const Letter &a, const Letter &b) { return std::abs(b.center.x - a.center.x) - (a.width + b.width) / 2; }

bool areAlike(const Letter &a, const Letter &b) {
    const float ratio = a.height / b.height;
    return ratio > 0.4f && ratio < 2.5f && std::abs(a.grey - b.grey) < 48;
}

float median(std::vector<float> values) {
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

class Chains {
public:
    explicit Chains(const std::vector<Letter> &letters) : letters(letters), used(letters.size(), 0) {
        order.resize(letters.size());
        for (size_t i = 0; i < order.size(); i++) order[i] = int(i);
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            return letters[size_t(a)].center.x != letters[size_t(b)].center.x
                     ? letters[size_t(a)].center.x < letters[size_t(b)].center.x
                     : a < b;
        });
    }

    std::vector<std::vector<int>> all() {
        std::vector<std::vector<int>> chains;
        // The closest pairs begin lines.
        struct Pair {
            float distance;
            int left, right;
        };
        std::vector<Pair> pairs;
        for (size_t a = 0; a < order.size(); a++) {
            const Letter &left = letters[size_t(order[a])];
            int best = -1;
            float nearest = 1e9f;
            for (size_t b = a + 1; b < order.size(); b++) {
                const Letter &right = letters[size_t(order[b])];
                const float taller = std::max(left.height, right.height);
                const float way = right.center.x - left.center.x;
                // Beyond this no letter can be near enough: widths are at most eight heights.
                if (way > 12 * left.height + 40) break;
                if (!areAlike(left, right) || gap(left, right) > gapInWords * taller ||
                    std::abs(right.center.y - left.center.y) > std::max(steepest * way, 0.0f) ||
                    std::abs(right.center.y - left.center.y) > 0.8f * taller + 0.6f * way) {
                    continue;
                }
                const float distance =
                    (way + 2 * std::abs(right.center.y - left.center.y)) / std::min(left.height, right.height);
                if (distance < nearest) {
                    nearest = distance;
                    best = order[b];
                }
            }
            if (best >= 0) pairs.push_back({nearest, order[a], best});
        }
        std::sort(pairs.begin(), pairs.end(), [](const Pair &a, const Pair &b) {
            return std::tie(a.distance, a.left, a.right) < std::tie(b.distance, b.left, b.right);
        });
        for (const Pair &pair : pairs) {
            if (used[size_t(pair.left)] || used[size_t(pair.right)]) continue;
            std::vector<int> chain{pair.left, pair.right};
            grow(chain, true);
            grow(chain, false);
            grow(chain, true);
            if (chain.size() >= 3)
                for (int index : chain) used[size_t(index)] = 1;
            chains.push_back(std::move(chain));
        }
        return chains;
    }

private:
    /// Adds letters at one end while there are any in line.
    void grow(std::vector<int> &chain, bool toTheRight) {
        while (chain.size() < 200) {
            const size_t tail = std::min<size_t>(chain.size(), 8);
            std::vector<float> heights;
            for (int index : chain) heights.push_back(letters[size_t(index)].height);
            const float height = median(heights);
            // The line through the last letters.
            double sx = 0, sy = 0, sxx = 0, sxy = 0;
            for (size_t i = 0; i < tail; i++) {
                const Letter &l = letters[size_t(toTheRight ? chain[chain.size() - 1 - i] : chain[i])];
                sx += l.center.x;
                sy += l.center.y;
                sxx += double(l.center.x) * l.center.x;
                sxy += double(l.center.x) * l.center.y;
            }
            const double n = double(tail), d = n * sxx - sx * sx;
            const double slope =
                std::clamp(d > 1e-6 ? (n * sxy - sx * sy) / d : 0.0, -double(steepest), double(steepest));
            const double across = std::sqrt(1 + slope * slope);
            const int endIndex = toTheRight ? chain.back() : chain.front();
            const Letter &end = letters[size_t(endIndex)];
            int best = -1;
            double nearest = 1e9;
            for (int index : order) {
                const Letter &next = letters[size_t(index)];
                const float way = (next.center.x - end.center.x) * (toTheRight ? 1 : -1);
                if (way <= 0 || used[size_t(index)]) continue;
                if (way * across > 14 * height + next.width) {
                    if (toTheRight) break;
                    continue;
                }
                const float ratio = next.height / height;
                if (ratio < 0.42f || ratio > 2.2f || std::abs(next.grey - end.grey) > 56 ||
                    gap(end, next) * across > gapBetweenWords * std::max(height, next.height * 0.7f)) {
                    continue;
                }
                const double expected = sy / n + slope * (next.center.x - sx / n);
                // Two letters tell little of a line's direction.
                const double tolerance = (tail < 3 ? 0.5 : 0.36) * height * across + (tail < 3 ? 0.25 * way : 0);
                const double off = std::abs(next.center.y - expected);
                if (off > tolerance || std::find(chain.begin(), chain.end(), index) != chain.end()) continue;
                const double distance = way + off;
                if (distance < nearest) {
                    nearest = distance;
                    best = index;
                }
            }
            if (best < 0) return;
            chain.insert(toTheRight ? chain.end() : chain.begin(), best);
        }
    }

    const std::vector<Letter> &letters;
    std::vector<int> order;
    std::vector<char> used;
};

} // namespace

std::vector<std::vector<int>> chainLetters(const std::vector<Letter> &letters) { return Chains(letters).all(); }

} // namespace ocv::text
