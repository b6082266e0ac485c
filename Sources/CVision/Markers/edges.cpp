#include "Markers/edges.hpp"

#include <algorithm>
#include <limits>
#include <opencv2/core.hpp>

namespace ocv::markers {

namespace {

/// Places along a side, at most: a few to get onto the edge, more to measure it.
constexpr int fewPlaces = 16, manyPlaces = 36;
/// Profile samples on each side of the line that is looked for, at most.
constexpr int longestReach = 12;

int placesAlong(double side, int most) { return std::clamp(int(side * 0.75), 6, most); }

} // namespace

/// Finds the edge on lines across the side, `reach` pixels to both hands of where the side is thought to be.
void EdgeFit::locate(const Sampler &luma, const Side &side, int count, double reach, double contrast, float ceiling) {
    places.clear();
    int cut = 0;
    const double full = 2 * side.half;
    // Near the corners the neighbouring side's edge is in the profile.
    const double end = 1 - 2 * std::min(0.2, std::max(1.5, 0.06 * full) / full);
    const int steps = std::min(longestReach, int(std::ceil(reach)));
    float profile[2 * longestReach + 1];
    for (int i = 0; i < count; ++i) {
        const double u = -end + 2 * end * i / (count - 1), base = side.height(u);
        const Point centre = side.at(u);
        for (int k = -steps; k <= steps; ++k)
            profile[k + steps] = std::min(luma(centre + side.outward * double(k)), ceiling);
        // The steepest rise; on a tie, the one nearer to where the side is expected.
        int steepest = -1;
        float rise = 0;
        for (int k = 0; k < 2 * steps; ++k) {
            const float step = profile[k + 1] - profile[k];
            if (step > rise + 1e-3f ||
                (step > rise - 1e-3f && std::abs(k - steps + 0.5) < std::abs(steepest - steps + 0.5)))
                rise = std::max(rise, step), steepest = k;
        }
        if (steepest < 0) continue;
        // From there, as far as it keeps rising by what isn't noise.
        int low = steepest, high = steepest + 1;
        const float least = std::max(1.0f, 0.04f * rise);
        while (low > 0 && profile[low] - profile[low - 1] > least) --low;
        while (high < 2 * steps && profile[high + 1] - profile[high] > least) ++high;
        cut += low == 0 || high == 2 * steps;
        // One step further to each hand, where it is level: the ends of the rise are the levels of dark and light.
        low = low > 0 && std::abs(profile[low] - profile[low - 1]) <= least ? low - 1 : low;
        high = high < 2 * steps && std::abs(profile[high + 1] - profile[high]) <= least ? high + 1 : high;
        const double total = profile[high] - profile[low];
        if (total < contrast) continue;
        double moment = 0;
        for (int k = low; k < high; ++k) moment += (k + 0.5 - steps) * (profile[k + 1] - profile[k]);
        places.push_back({u, base + moment / total, total, rise});
    }
    isCut = 2 * cut > count;
}

bool EdgeFit::fit(Side &side, int expected) {
    if (places.size() < 4 || int(places.size()) * 2 < expected) return false;
    residuals.assign(places.size(), 0);
    double limit = 1e9;
    Side best = side;
    for (int pass = 0; pass < 4; ++pass) {
        // Weighted moments for a parabola; a line is the same without the last row.
        double s[5] = {}, t[3] = {};
        int used = 0;
        for (size_t i = 0; i < places.size(); ++i) {
            if (residuals[i] > limit) continue;
            ++used;
            double power = places[i].weight;
            for (int k = 0; k < 5; ++k, power *= places[i].along) {
                s[k] += power;
                if (k < 3) t[k] += power * places[i].across;
            }
        }
        if (used < 4 || used * 5 < int(places.size()) * 3) return false;
        const double determinant = s[0] * s[2] - s[1] * s[1];
        if (!(determinant > 1e-9 * s[0] * s[0])) return false;
        best.slope = (s[0] * t[1] - s[1] * t[0]) / determinant;
        best.offset = (t[0] - best.slope * s[1]) / s[0];
        best.bend = 0;
        const auto deviation = [&](const Side &model) {
            double sum = 0;
            for (const Place &place : places) {
                const size_t i = size_t(&place - places.data());
                if (residuals[i] > limit) continue;
                const double away = place.across - model.height(place.along);
                sum += place.weight * away * away;
            }
            return sum;
        };
        if (used >= 12) {
            const cv::Matx33d normal(s[0], s[1], s[2], s[1], s[2], s[3], s[2], s[3], s[4]);
            const cv::Vec3d parabola = normal.solve(cv::Vec3d(t[0], t[1], t[2]), cv::DECOMP_LU);
            Side bent = best;
            bent.offset = parabola[0], bent.slope = parabola[1], bent.bend = parabola[2];
            const double straight = deviation(best), curved = deviation(bent);
            // The F test of the third parameter, far beyond chance, since a needless bend loosens the corners; and
            // no lens bends a side by a tenth of its length.
            if ((straight - curved) * (used - 3) > 25 * curved && std::abs(bent.bend) > 0.12 &&
                std::abs(bent.bend) < 0.1 * side.half)
                best = bent;
        }
        for (size_t i = 0; i < places.size(); ++i)
            residuals[i] = std::abs(places[i].across - best.height(places[i].along));
        sorted = residuals;
        std::nth_element(sorted.begin(), sorted.begin() + long(sorted.size() / 2), sorted.end());
        // 1.48 × the median is a standard deviation that outliers don't raise.
        const double scatter = 1.4826 * sorted[sorted.size() / 2];
        if (scatter > std::max(0.8, 0.02 * 2 * side.half)) return false;
        limit = std::max(0.15, 3 * scatter);
    }
    side = best;
    side.fitted = true;
    return true;
}

/// A normal distribution is as high in its middle as its whole divided by √(2π) standard deviations.
double EdgeFit::spread() const {
    double total = 0, rise = 0;
    for (const Place &place : places) total += place.weight, rise += place.rise;
    return total / (std::sqrt(2 * CV_PI) * rise);
}

bool EdgeFit::meet(const Side &before, const Side &after, Point &corner) {
    double u = 1, v = -1;
    // Tangent against tangent; two rounds settle slightly bent sides.
    for (int round = 0; round < 3; ++round) {
        Point next;
        if (!intersect(before.at(u), before.tangent(u), after.at(v), after.tangent(v), next)) return false;
        corner = next;
        u = (next - before.origin).dot(before.direction) / before.half;
        v = (next - after.origin).dot(after.direction) / after.half;
        if (before.bend == 0 && after.bend == 0) break;
    }
    return true;
}

std::array<bool, 4> EdgeFit::refine(
    const Sampler &luma, Quad &quad, int cells, double uncertainty, double contrast, float ceiling, bool followsBlur) {
    std::array<bool, 4> refined{};
    std::array<Side, 4> sides;
    widest = 0;
    for (size_t i = 0; i < 4; ++i) {
        Side &side = sides[i];
        const Point a = quad[i], b = quad[(i + 1) % 4];
        const double full = length(b - a);
        if (full < 6) continue;
        side.origin = (a + b) * 0.5;
        side.direction = (b - a) * (1 / full);
        side.outward = {side.direction.y, -side.direction.x};
        side.half = full / 2;
        // How far the neighbouring sides carry the marker from this one gives the size of its cells across.
        const double depth = 0.5 * (std::abs(cross(side.direction, quad[(i + 2) % 4] - b)) +
                                    std::abs(cross(side.direction, quad[(i + 3) % 4] - a)));
        const double cell = depth / cells;
        const double first = std::max(2.0, std::min({uncertainty + 1.5 + 0.01 * full, cell, double(longestReach)}));
        const double second = std::max(2.0, std::min(cell, 5.0));
        const double widestReach = std::min(cell, double(longestReach));
        const int few = placesAlong(full, fewPlaces), many = placesAlong(full, manyPlaces);
        locate(luma, side, few, first, contrast, ceiling);
        if (!fit(side, few)) continue;
        // Again around the line just found, so that the profiles are centred.
        locate(luma, side, many, second, contrast, ceiling);
        side.fitted = fit(side, many);
        // A wide blur's rise reaches beyond: what was seen of it lies around where the side was thought to be, wherever it is.
        for (double reach = second; followsBlur && side.fitted && isCut && reach < widestReach;) {
            reach = std::min(1.5 * reach, widestReach);
            locate(luma, side, many, reach, contrast, ceiling);
            side.fitted = fit(side, many);
        }
        if (side.fitted) widest = std::max(widest, spread() / cell);
    }
    for (const Side &side : sides)
        if (!side.fitted) widest = std::numeric_limits<double>::infinity();
    const Quad before = quad;
    for (size_t i = 0; i < 4; ++i) {
        const Side &incoming = sides[(i + 3) % 4], &outgoing = sides[i];
        Point corner;
        if (!incoming.fitted || !outgoing.fitted || !meet(incoming, outgoing, corner)) continue;
        const double shorter = 2 * std::min(incoming.half, outgoing.half);
        if (length(corner - before[i]) > std::min(2 * uncertainty + 2 + 0.02 * shorter, 0.25 * shorter)) continue;
        quad[i] = corner;
        refined[i] = true;
    }
    if (!isConvexClockwise(quad)) {
        quad = before;
        return {};
    }
    return refined;
}

} // namespace ocv::markers
