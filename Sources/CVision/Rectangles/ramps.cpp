#include "Rectangles/steps.hpp"

#include <cmath>

namespace ocv::rectangles {

namespace {

/// Where the plane passes from what is outside of a side to what is inside, in pixels from the side, over 0 inside.
struct Ramp {
    double middle = 0;
    /// From a tenth of the height to nine tenths.
    double width = 0;
};

/// The ramp across the stretch `first`…`last` (0…1) of the side `from` → `to`, of the given polarity; of width 0 where none
/// is seen.
Ramp rampAcross(const cv::Mat &plane, Point from, Point to, double first, double last, int polarity) {
    const double length = cv::norm(to - from);
    const Point along = (to - from) / length, inward(-along.y, along.x);
    constexpr int reach = maximumReach, width = 2 * reach + 1;
    float row[width], sum[width] = {};
    const int places = std::clamp(int(length * (last - first) / 3), 8, 40);
    for (int i = 0; i < places; ++i) {
        const Point centre = from + along * (length * (first + (last - first) * (i + 0.5) / places));
        readRow(plane, centre - inward * reach, inward, width, row);
        for (int j = 0; j < width; ++j) sum[j] += row[j];
    }
    // Slopes over two pixels, the sign that of the side.
    double slope[width] = {};
    for (int j = 1; j + 1 < width; ++j)
        slope[j] = (polarity == 0 ? -1 : 1) * double(sum[j + 1] - sum[j - 1]) / (2 * places);
    int peak = reach;
    for (int j = reach - 3; j <= reach + 3; ++j)
        if (slope[j] > slope[peak]) peak = j;
    if (slope[peak] <= 0) return {};
    // A smear is an even slope: it goes on until it is lost for two pixels, the noise of one doesn't end it.
    const double least = 0.3 * slope[peak];
    int low = peak, high = peak;
    while (low > 2 && (slope[low - 1] > least || slope[low - 2] > least)) --low;
    while (high < width - 3 && (slope[high + 1] > least || slope[high + 2] > least)) ++high;
    double height = 0, moment = 0;
    for (int j = low; j <= high; ++j) {
        height += std::max(slope[j], 0.0);
        moment += std::max(slope[j], 0.0) * j;
    }
    double risen = 0, ends[2] = {double(low), double(high)};
    for (int j = low; j <= high; ++j) {
        const double before = risen;
        risen += std::max(slope[j], 0.0);
        for (int end = 0; end < 2; ++end) {
            const double share = (end == 0 ? 0.1 : 0.9) * height;
            if (before < share && risen >= share) ends[end] = j - 0.5 + (share - before) / (risen - before);
        }
    }
    return {moment / height - reach, ends[1] - ends[0]};
}

} // namespace

void settle(const Planes &planes, double sharp, Rectangle &rectangle) {
    std::array<Line, 4> sides;
    double widest = 0;
    bool hasMoved = false;
    for (int i = 0; i < 4; ++i) {
        const Plane &plane = planes[rectangle.plane[i]];
        const Point a = plane.fromPicture(rectangle.quad[i]), b = plane.fromPicture(rectangle.quad[(i + 1) % 4]);
        sides[i] = {rectangle.quad[i], rectangle.quad[(i + 1) % 4]};
        if (i == rectangle.cut || cv::norm(b - a) < 24) continue;
        // Both halves for themselves: the side may have settled on the ramp's foot here and on its head there.
        const Ramp one = rampAcross(plane.samples, a, b, 0.1, 0.5, rectangle.polarity[i]);
        const Ramp other = rampAcross(plane.samples, a, b, 0.5, 0.9, rectangle.polarity[i]);
        const double width = std::min(one.width, other.width) * plane.scale();
        if (std::max(one.width, other.width) * plane.scale() <= sharp) continue;
        widest = std::max(widest, (one.width + other.width) / 2 * plane.scale());
        // What is much wider in one half has something else beside it there.
        if (std::max(one.width, other.width) * plane.scale() > 1.6 * width) continue;
        // And of a ramp whose middle is further away than half of it the side is no part.
        if (std::abs(one.middle) > one.width / 2 + 1 || std::abs(other.middle) > other.width / 2 + 1) continue;
        const double tilt = (other.middle - one.middle) / 0.4, start = one.middle - 0.3 * tilt;
        const Line line = moved(a, b, start, start + tilt);
        sides[i] = {plane.toPicture(line.from), plane.toPicture(line.to)};
        hasMoved = true;
    }
    rectangle.smear = widest / sharp;
    Quad quad;
    if (hasMoved && enclose(sides, quad)) rectangle.quad = quad;
}

} // namespace ocv::rectangles
