#include "Labels/model.hpp"
#include "Labels/numbers.hpp"

#include <algorithm>
#include <cmath>

// A plane that grows from the anchor outwards, so that of two surfaces the anchor's own is followed.

namespace ocv::labels {

namespace {

/// Of what grows from the anchor: the pairs that are its beginning, and those that may say where it begins.
constexpr size_t nearest = 5;
constexpr int mostSeeds = 24, mostDraws = 150;
constexpr double mostSlant = 0.05;
/// Another surface: the share of what doesn't agree that agrees on it, and how much it may have beside the anchor of
/// what the anchor's own has there.
constexpr double leastOther = 0.5, mostRival = 0.6;
/// By how much of its distance from the anchor a place may be off while the surface's shape isn't known.
constexpr double mostBent = 0.02;

/// The distance from the anchor within which there are some pairs.
double nearness(const std::vector<Pair> &pairs, double radius) {
    std::vector<double> distances;
    for (const Pair &pair : pairs) distances.push_back(square(pair.from));
    const auto place = distances.begin() + std::ptrdiff_t(std::min(nearest, distances.size()) - 1);
    std::nth_element(distances.begin(), place, distances.end());
    return std::max(std::sqrt(*place), radius / 8);
}

/// How closely what is beside the anchor fits.
double support(const std::vector<Pair> &pairs, const Plane &plane, double near, double close) {
    double result = 0;
    for (const Pair &pair : pairs) {
        const double scale = close * pair.sigma, steep = 1 / (1 + square(pair.from) / (near * near));
        const double fits = 1 / (1 + pair.distance(plane(pair.from) - pair.to) / (scale * scale));
        result += steep * steep * (pair.xx + pair.yy) / pair.sigma * fits * fits;
    }
    return result;
}

} // namespace

bool findOther(std::vector<Pair> &pairs, double radius, double tolerance, const Plane &plane) {
    std::vector<Pair> rest;
    std::vector<size_t> which;
    for (size_t i = 0; i < pairs.size(); i++) {
        pairs[i].isOther = false;
        if (pairs[i].isInlier) continue;
        rest.push_back(pairs[i]);
        rest.back().from = plane(pairs[i].from);
        which.push_back(i);
    }
    Motion motion;
    if (rest.size() < 6 || estimateMotion(rest, tolerance / 2, motion, false) < leastOther) return false;
    if (std::count_if(rest.begin(), rest.end(), [](const Pair &pair) { return pair.isInlier; }) < 5) return false;
    const double near = nearness(pairs, radius);
    if (support(pairs, motion.after(plane), near, tolerance / 8) >
        mostRival * support(pairs, plane, near, tolerance / 8))
        return false;
    for (size_t i = 0; i < rest.size(); i++) pairs[which[i]].isOther = rest[i].isInlier;
    return true;
}

Precision growPlane(std::vector<Pair> &pairs, double radius, double tolerance, const Plane &usual, Plane &plane) {
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < pairs.size(); i++) order.emplace_back(square(pairs[i].from), i);
    std::sort(order.begin(), order.end());
    const double near = nearness(pairs, radius);
    const auto error = [&](const Pair &pair, const Plane &p, double limit) {
        return pair.distance(p(pair.from) - pair.to) / (limit * limit);
    };

    // The map that what is nearest agrees on closely: steps of what is known already, then the plane's usual look turned
    // and zoomed, then any affine ones.
    const double strictest = tolerance / 4;
    double best = 0;
    Plane start = plane;
    const auto consider = [&](const Plane &p, double likely) {
        const double score = likely * support(pairs, p, near, strictest / 2);
        if (score > best) best = score, start = p;
    };
    std::vector<size_t> whole;
    for (const auto &[distance, i] : order)
        if (pairs[i].xx * pairs[i].yy - pairs[i].xy * pairs[i].xy > 0.1) whole.push_back(i);
    const int count = int(whole.size());
    for (int k = 0; k < std::min(count, mostSeeds); k++) {
        const Pair &seed = pairs[whole[size_t(k)]];
        consider(Motion{{}, seed.to - plane(seed.from)}.after(plane), 1);
    }
    Sequence sequence;
    for (int round = 0; round < mostDraws && count >= 5; round++) {
        const Pair &p = pairs[whole[size_t(sequence.below((count + 2) / 3))]],
                   &q = pairs[whole[size_t(sequence.below((2 * count + 2) / 3))]];
        const cv::Point2d from = usual(p.from), b = usual(q.from) - from, e = q.to - p.to;
        const double length = square(b);
        if (length < 0.4 * near * near) continue;
        const double c = (b.x * e.x + b.y * e.y) / length, s = (b.x * e.y - b.y * e.x) / length;
        const Linear linear{c, -s, s, c};
        if (c * c + s * s > 1.0 / 16) consider(Motion{linear, p.to - linear * from}.after(usual), 1);
    }
    for (int round = 0; round < mostDraws && count >= 5; round++) {
        const Pair &p = pairs[whole[size_t(sequence.below((count + 2) / 3))]],
                   &q = pairs[whole[size_t(sequence.below((2 * count + 2) / 3))]],
                   &r = pairs[whole[size_t(sequence.below(count))]];
        const cv::Point2d from = plane(p.from), b = plane(q.from) - from, c = plane(r.from) - from;
        const double area = b.x * c.y - b.y * c.x;
        if (std::abs(area) < 0.2 * near * near) continue;
        const Linear linear = linearBetween(b, c, q.to - p.to, r.to - p.to);
        // A surface doesn't slant much from one look to the next: what seems so is two surfaces.
        const Plane found = Motion{linear, p.to - linear * from}.after(plane);
        const double slant = std::min(slantBetween(plane, found), slantBetween(usual, found)) / mostSlant;
        consider(found, 1 / (1 + slant * slant));
    }

    plane = start;
    Precision result;
    std::vector<Pair> members;
    std::vector<double> errors;
    double limit = strictest, bent = mostBent;
    for (double reach = 2 * near;; reach *= 1.4) {
        members.clear();
        for (const auto &[distance, i] : order)
            if (distance <= reach * reach &&
                error(pairs[i], plane, limit * pairs[i].sigma + bent * std::sqrt(distance)) < 1)
                members.push_back(pairs[i]);
        plane = start;
        result = fitPlane(members, radius, limit, plane);
        errors.clear();
        for (const Pair &pair : members)
            if (pair.isInlier) errors.push_back(std::sqrt(error(pair, plane, pair.sigma)));
        if (!errors.empty()) {
            const auto middle = errors.begin() + std::ptrdiff_t(errors.size() / 2);
            std::nth_element(errors.begin(), middle, errors.end());
            limit = std::clamp(4 * *middle, strictest, tolerance);
        }
        bent *= 0.7;
        if (reach * reach >= order.back().first) break;
    }
    for (auto &pair : pairs) pair.isInlier = error(pair, plane, tolerance * pair.sigma) < 1;
    double most = 0;
    for (const auto &[distance, i] : order) {
        const double steep = 1 / (1 + distance / (near * near));
        most += steep * steep * (pairs[i].xx + pairs[i].yy) / pairs[i].sigma;
    }
    result.closeness = support(pairs, plane, near, strictest / 2) / most;
    return result;
}

} // namespace ocv::labels
