#pragma once
#include "Markers/geometry.hpp"
#include "Markers/model.hpp"

#include <opencv2/core.hpp>

namespace ocv::markers {

/// Cells along a side are fewer than this.
constexpr int mostEdges = 11;
/// Steps of a motion at the most; how far one may be spread along the way, in standard deviations of the blur across it; and
/// the least that counts as such, pixels.
constexpr int mostMotion = 8;
constexpr double widestStep = 1.25, smoothStep = 0.5;

/// The normal distribution and its density, by table: what an edge shows at t standard deviations from it.
class Normal {
public:
    /// In standard deviations: an edge that is farther away leaves 0.02 % of its light.
    static constexpr double farthest = 3.5;

    Normal() {
        for (int i = 0; i < size; ++i) {
            const double t = double(i) / perUnit - farthest;
            below[i] = 0.5 * std::erfc(-t / std::sqrt(2.0));
            density[i] = std::exp(-0.5 * t * t) / std::sqrt(2 * CV_PI);
        }
    }
    void at(double t, double &share, double &steepness) const {
        const double place = (t + farthest) * perUnit;
        const int i = std::clamp(int(place), 0, size - 2);
        const double rest = place - i;
        share = below[i] + rest * (below[i + 1] - below[i]);
        steepness = density[i] + rest * (density[i + 1] - density[i]);
    }

private:
    static constexpr int perUnit = 64, size = int(2 * farthest * perUnit) + 1;
    double below[size], density[size];
};

inline const Normal normalDistribution;

/// How much of the light comes from between two edges; how that changes with the place; with the blur, in units of itself;
/// and the normal densities' difference at the two edges.
struct Share {
    double value, slope, widening, density;

    /// From beyond an edge.
    static Share beyond(double place, double edge, double blur) {
        const double t = (place - edge) / blur;
        if (std::abs(t) >= Normal::farthest) return {t > 0 ? 1.0 : 0.0, 0, 0, 0};
        double share, density;
        normalDistribution.at(t, share, density);
        return {share, density / blur, -t * density, density};
    }
    Share operator-(const Share &other) const {
        return {value - other.value, slope - other.slope, widening - other.widening, density - other.density};
    }
};

constexpr Share everything{1, 0, 0, 0}, nothing{0, 0, 0, 0};

/// The blurred edges along one axis as they are seen at one place.
struct Edges {
    /// What comes from each cell, from all of them, and from the three parts of the surroundings: before the gap, from there
    /// to the other gap's end, and behind that.
    Share cells[mostEdges - 1], all, before, within, behind;
    /// The cells from which light comes.
    int first, last;

    /// - place, blur: in cells.
    /// - gap: in front of the first cell and behind the last, cells.
    Edges(double place, double blur, int count, double gap) {
        first = std::clamp(int(std::floor(place - Normal::farthest * blur)), 0, count - 1);
        last = std::clamp(int(std::floor(place + Normal::farthest * blur)), 0, count - 1);
        Share edge = Share::beyond(place, first, blur);
        const Share start = first == 0 ? edge : everything;
        for (int i = first; i <= last; ++i) {
            const Share next = Share::beyond(place, i + 1, blur);
            cells[i] = edge - next;
            edge = next;
        }
        all = start - (last == count - 1 ? edge : nothing);
        before = everything - Share::beyond(place, -gap, blur);
        behind = Share::beyond(place, count + gap, blur);
        within = everything - before - behind;
    }
};

/// What a place shows, 0 to 1, and how that changes: with the place, with the blur across and down in units of itself, and
/// with the correlation of these two.
struct Light {
    double value = 0, across = 0, down = 0, widening[2] = {}, correlated = 0;

    void add(const Share &u, const Share &v, double correlation) { put(1, u, v, correlation); }
    void subtract(const Share &u, const Share &v, double correlation) { put(-1, u, v, correlation); }

private:
    void put(double sign, const Share &u, const Share &v, double correlation) {
        // Out of sight.
        if (u.value == 0 || v.value == 0) return;
        // Where the axes aren't seen at a right angle, or blur has a direction, the blur along one goes with that along the
        // other: the first term of Mehler's series.
        value += sign * (u.value * v.value + correlation * u.density * v.density);
        across += sign * u.slope * v.value;
        down += sign * u.value * v.slope;
        widening[0] += sign * u.widening * v.value;
        widening[1] += sign * u.value * v.widening;
        correlated += sign * u.density * v.density;
    }
};

/// The covariance of a blur (xx, xy, yy), pixels².
using Covariance = cv::Vec3d;

/// The nearest one whose standard deviations lie between two.
inline Covariance limited(const Covariance &blur, double least, double most) {
    const double mean = (blur[0] + blur[2]) / 2, half = (blur[0] - blur[2]) / 2;
    const double spread = std::sqrt(half * half + blur[1] * blur[1]);
    const double high = std::clamp(mean + spread, least * least, most * most);
    const double low = std::clamp(mean - spread, least * least, most * most);
    const double scale = spread > 0 ? (high - low) / 2 / spread : 0;
    return {(high + low) / 2 + half * scale, blur[1] * scale, (high + low) / 2 - half * scale};
}

/// A blur as motion makes it: a way on which light is spread evenly, as so many steps of one normal blur each. Where it goes
/// about as far to all sides it is a single one.
struct Motion {
    int steps;
    /// Its direction, and one at a right angle.
    Point way, aside;
    /// The variance that is more along the way than across it, and the length of the even spread that has it, pixels.
    double along, length;
    Covariance each;

    explicit Motion(const Covariance &blur) {
        const double mean = (blur[0] + blur[2]) / 2, half = (blur[0] - blur[2]) / 2;
        const double spread = std::sqrt(half * half + blur[1] * blur[1]);
        along = 2 * spread;
        length = std::sqrt(12 * along);
        const double across = std::sqrt(std::max(mean - spread, smoothStep * smoothStep));
        steps = std::clamp(int(std::ceil(std::sqrt(along) / (widestStep * across))), 1, mostMotion);
        const double angle = 0.5 * std::atan2(2 * blur[1], blur[0] - blur[2]);
        way = {std::cos(angle), std::sin(angle)};
        aside = {-way.y, way.x};
        each = blur - Covariance(way.x * way.x, way.x * way.y, way.y * way.y) * (along * (1 - 1.0 / (steps * steps)));
    }

    /// Where along the way a step is, −0.5…0.5.
    double at(int index) const { return (index - (steps - 1) / 2.0) / steps; }

    /// How what is seen changes with the blur's covariance.
    ///
    /// - bySteps: with that of each step, the mean of them.
    /// - slope: with the place, per pixel, times where along the way it is: the mean of the steps'.
    Covariance change(const Covariance &bySteps, Point slope) const {
        if (steps == 1) return bySteps;
        const double share = 1.0 / (steps * steps), byLength = -slope.dot(way) * 6 / length;
        const double stepAlong = bySteps.dot(Covariance(way.x * way.x, way.x * way.y, way.y * way.y));
        const double stepAside = bySteps.dot(Covariance(aside.x * aside.x, aside.x * aside.y, aside.y * aside.y));
        const double mixed = way.x * aside.y + way.y * aside.x;
        const double stepTurned = bySteps.dot(Covariance(2 * way.x * aside.x, mixed, 2 * way.y * aside.y));
        // What is more across is less along, where the whole along stays.
        const double byAlong = share * stepAlong + byLength, byAside = stepAside + stepAlong - byAlong;
        const double byTurn = share * stepTurned - slope.dot(aside) * length / along;
        return {
            way.x * way.x * byAlong + aside.x * aside.x * byAside + way.x * aside.x * byTurn,
            2 * way.x * way.y * byAlong + 2 * aside.x * aside.y * byAside + mixed * byTurn,
            way.y * way.y * byAlong + aside.y * aside.y * byAside + way.y * aside.y * byTurn};
    }
};

/// What the ground around a marker shows.
inline Light groundLight(const Edges &across, const Edges &down, const Surroundings &surroundings, double correlation) {
    Light ground;
    ground.add(everything, everything, 0);
    if (surroundings.kind == Surroundings::Kind::unknown) return ground;
    // On a chessboard a dark square beside a light one is as wide as that, on a grid one marker as the other; across the
    // corners there are light squares, or markers.
    const bool isGrid = surroundings.kind == Surroundings::Kind::grid;
    const Share &column = isGrid ? across.all : across.within, &row = isGrid ? down.all : down.within;
    const auto &is = surroundings.hasNeighbour;
    if (is[0]) ground.subtract(column, down.before, correlation);
    if (is[1]) ground.subtract(across.behind, row, correlation);
    if (is[2]) ground.subtract(column, down.behind, correlation);
    if (is[3]) ground.subtract(across.before, row, correlation);
    if (isGrid && is[0] && is[1]) ground.subtract(across.behind, down.before, correlation);
    if (isGrid && is[1] && is[2]) ground.subtract(across.behind, down.behind, correlation);
    if (isGrid && is[2] && is[3]) ground.subtract(across.before, down.behind, correlation);
    if (isGrid && is[3] && is[0]) ground.subtract(across.before, down.before, correlation);
    return ground;
}

} // namespace ocv::markers
