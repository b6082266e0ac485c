#include "Rectangles/steps.hpp"

#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>

namespace ocv::rectangles {

namespace {

constexpr int mostPlaces = 48, mostSamples = 65;

/// What crosses a side in one place: a dark or light stroke on paper of one brightness.
struct Crossing {
    double along = 0;  // 0…1
    double centre = 0; // from the side, positive towards the inside, pixels
    double width = 0;  // pixels
    double depth = 0;  // grey levels; 0 where no stroke crosses
};

struct Crossings {
    int count = 0;
    Crossing at[mostPlaces];
};

/// The stroke of one polarity (−1 dark, 1 light) that crosses `row`, of samples `spacing` pixels apart.
Crossing crossing(const float *row, int count, int polarity, double spacing) {
    const int half = count / 2;
    int best = -1;
    float most = -std::numeric_limits<float>::infinity();
    float left[mostSamples], right[mostSamples]; // how far the paper stands out up to here, from either end
    const float sign = float(-polarity);
    float highest = -std::numeric_limits<float>::infinity();
    for (int i = 0; i < count; ++i) left[i] = highest = std::max(highest, sign * row[i]);
    highest = -std::numeric_limits<float>::infinity();
    for (int i = count - 1; i >= 0; --i) right[i] = highest = std::max(highest, sign * row[i]);
    for (int i = 1; i + 1 < count; ++i) {
        const float away = float(i - half) / float(half);
        const float depth = (std::min(left[i], right[i]) - sign * row[i]) * (1 - 0.3f * away * away);
        if (depth > most) {
            most = depth;
            best = i;
        }
    }
    Crossing found;
    const double depth = std::min(left[best], right[best]) - sign * row[best];
    // Where one side is much lighter than the other it is an edge with a line beside it.
    if (depth < 8 || std::abs(left[best] - right[best]) > 0.7 * depth) return found;
    const double level = sign * row[best] + depth / 2;
    int first = best, last = best;
    while (first > 0 && sign * row[first - 1] < level) --first;
    while (last + 1 < count && sign * row[last + 1] < level) ++last;
    if (first == 0 || last + 1 == count) return found;
    const auto between = [&](int below, int above) {
        const double low = sign * row[below], high = sign * row[above];
        return below + (above - below) * (level - low) / (high - low);
    };
    const double begin = between(first, first - 1), end = between(last, last + 1);
    found.centre = ((begin + end) / 2 - half) * spacing;
    found.width = (end - begin) * spacing;
    found.depth = depth;
    return found;
}

/// Looks across the side `from` → `to` in `places`.
void cross(const cv::Mat &luma, Point from, Point to, double reach, int places, Crossings (&crossings)[2]) {
    const double length = cv::norm(to - from), margin = 0.07;
    const Point along = (to - from) / length, inward(-along.y, along.x);
    const double spacing = std::max(1.0, 2 * reach / (mostSamples - 1));
    const int half = std::min((mostSamples - 1) / 2, int(std::ceil(reach / spacing)));
    float row[mostSamples], sum[mostSamples];
    crossings[0].count = crossings[1].count = places;
    for (int place = 0; place < places; ++place) {
        const double at = margin + (1 - 2 * margin) * (place + 0.5) / places;
        const Point middle = from + along * (at * length);
        for (auto &polarity : crossings) polarity.at[place] = {};
        if (middle.x < 0 || middle.y < 0 || middle.x > luma.cols - 1 || middle.y > luma.rows - 1) continue;
        std::fill(sum, sum + 2 * half + 1, 0.f);
        for (int step = -1; step <= 1; ++step) {
            readRow(luma, middle + along * step - inward * (half * spacing), inward * spacing, 2 * half + 1, row);
            for (int i = 0; i < 2 * half + 1; ++i) sum[i] += row[i] / 3;
        }
        for (int polarity = 0; polarity < 2; ++polarity) {
            Crossing &found = crossings[polarity].at[place];
            found = crossing(sum, 2 * half + 1, polarity == 0 ? -1 : 1, spacing);
            found.along = at;
        }
    }
}

/// The middle value of what the crossings that are there have.
double median(const Crossings &crossings, double Crossing::*value) {
    double values[mostPlaces];
    int count = 0;
    for (int i = 0; i < crossings.count; ++i)
        if (crossings.at[i].depth > 0) values[count++] = crossings.at[i].*value;
    if (count == 0) return 0;
    std::nth_element(values, values + count / 2, values + count);
    return values[count / 2];
}

/// One side of a drawn quadrilateral.
struct Side {
    double start = 0, end = 0; // offsets of its middle line from the assumed one at both corners, pixels
    double support = 0;        // share of the places where the stroke crosses near that line
    double sway = 0;           // how far it strays from an even curve, root mean square, pixels
    double width = 0, depth = 0;
};

/// The line through the middle of a stroke that may stray from it by `tolerance`.
Side fitStroke(const Crossings &crossings, double tolerance) {
    Side side;
    side.width = median(crossings, &Crossing::width);
    side.depth = median(crossings, &Crossing::depth);
    if (side.depth <= 0) return side;
    const auto isAlike = [&](const Crossing &of) {
        return of.depth > 0.4 * side.depth && of.width > 0.45 * side.width && of.width < 2.2 * side.width;
    };
    // What most places agree with, then least squares on that.
    int most = 0;
    double least = 0;
    for (int i = 0; i < crossings.count; ++i) {
        if (!isAlike(crossings.at[i])) continue;
        for (int j = i + crossings.count / 2; j < crossings.count; j += 2) {
            const Crossing &a = crossings.at[i], &b = crossings.at[j];
            if (!isAlike(b)) continue;
            const double tilt = (b.centre - a.centre) / (b.along - a.along), start = a.centre - tilt * a.along;
            int agree = 0;
            double sum = 0;
            for (int k = 0; k < crossings.count; ++k) {
                const Crossing &c = crossings.at[k];
                const double off = std::abs(c.centre - start - tilt * c.along);
                if (isAlike(c) && off < tolerance) ++agree, sum += off;
            }
            if (agree > most || (agree == most && sum < least)) {
                most = agree;
                least = sum;
                side.start = start;
                side.end = start + tilt;
            }
        }
    }
    if (most < 5) return side;
    cv::Vec3d curve;
    for (int turn = 0; turn < 2; ++turn) {
        cv::Matx33d normal = cv::Matx33d::zeros();
        cv::Vec3d right;
        for (int k = 0; k < crossings.count; ++k) {
            const Crossing &c = crossings.at[k];
            const double off = c.centre - side.start - (side.end - side.start) * c.along;
            if (!isAlike(c) || std::abs(off) >= tolerance) continue;
            const cv::Vec3d powers(1, c.along, c.along * c.along);
            normal += powers * powers.t();
            right += powers * c.centre;
        }
        const double count = normal(0, 0), spread = count * normal(1, 1) - normal(0, 1) * normal(0, 1);
        if (spread < 1e-3 * count * count) return side;
        const double tilt = (count * right[1] - normal(0, 1) * right[0]) / spread;
        side.start = (right[0] - tilt * normal(0, 1)) / count;
        side.end = side.start + tilt;
        curve = normal.solve(right, cv::DECOMP_CHOLESKY);
    }
    int agree = 0;
    double sum = 0;
    for (int k = 0; k < crossings.count; ++k) {
        const Crossing &c = crossings.at[k];
        if (!isAlike(c) || std::abs(c.centre - side.start - (side.end - side.start) * c.along) >= tolerance) continue;
        const double off = c.centre - curve[0] - curve[1] * c.along - curve[2] * c.along * c.along;
        ++agree;
        sum += off * off;
    }
    side.support = double(agree) / crossings.count;
    side.sway = agree == 0 ? 0 : std::sqrt(sum / agree);
    return side;
}

/// Whether a stroke of one polarity crosses in most of a few places; which of the two may is left in `may`.
bool mayCross(const cv::Mat &luma, const Quad &quad, double reach, bool (&may)[2]) {
    Crossings crossings[2];
    int hits[2] = {0, 0};
    const int places = 5;
    for (int i = 0; i < 4; ++i) {
        cross(luma, quad[i], quad[(i + 1) % 4], reach, places, crossings);
        for (int polarity = 0; polarity < 2; ++polarity) {
            int here = 0;
            for (int k = 0; k < places; ++k) here += crossings[polarity].at[k].depth > 0;
            hits[polarity] += here;
            if (here < 3) may[polarity] = false;
        }
        if (!may[0] && !may[1]) return false;
    }
    return true;
}

} // namespace

bool trace(const cv::Mat &luma, const Quad &quad, double reach, Drawing &drawing) {
    double shorter, longer;
    sideLengths(quad, shorter, longer);
    for (int i = 0; i < 4; ++i)
        if (cv::norm(quad[(i + 1) % 4] - quad[i]) < 10) return false;
    bool may[2] = {true, true};
    if (!mayCross(luma, quad, reach, may)) return false;

    std::array<Side, 4> sides[2];
    double total[2] = {0, 0};
    for (int i = 0; i < 4; ++i) {
        const Point a = quad[i], b = quad[(i + 1) % 4];
        const double length = cv::norm(b - a);
        Crossings crossings[2];
        cross(luma, a, b, reach, std::clamp(int(length / 3), 10, mostPlaces), crossings);
        for (int polarity = 0; polarity < 2; ++polarity) {
            if (!may[polarity]) continue;
            // A hand strays in proportion to what it draws.
            sides[polarity][i] = fitStroke(crossings[polarity], std::max(1.5, 0.03 * length));
            total[polarity] += sides[polarity][i].support;
            if (sides[polarity][i].support < 0.7) may[polarity] = false;
        }
        if (!may[0] && !may[1]) return false;
    }
    if (!may[0]) total[0] = 0;
    if (!may[1]) total[1] = 0;
    const int polarity = total[0] >= total[1] ? 0 : 1;
    if (total[polarity] < 4 * 0.85) return false;

    const std::array<Side, 4> &best = sides[polarity];
    double thinnest = best[0].width, widest = thinnest, sway = 0;
    for (const Side &side : best) {
        thinnest = std::min(thinnest, side.width);
        widest = std::max(widest, side.width);
        sway += side.sway * side.sway / 4;
    }
    // One pen drew all sides, and drew a line rather than a frame.
    if (widest > 2 * thinnest + 1 || widest > 0.15 * shorter) return false;
    std::array<Line, 4> lines;
    Rectangle &rectangle = drawing.rectangle;
    for (int i = 0; i < 4; ++i) {
        lines[i] = moved(quad[i], quad[(i + 1) % 4], best[i].start, best[i].end);
        rectangle.support[i] = best[i].support;
        rectangle.polarity[i] = polarity;
        rectangle.strength[i] = best[i].depth;
    }
    drawing.width = (thinnest + widest) / 2;
    drawing.sway = std::sqrt(sway);
    return enclose(lines, rectangle.quad);
}

} // namespace ocv::rectangles
