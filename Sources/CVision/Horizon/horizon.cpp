#include "Horizon/bars.hpp"
#include "Horizon/mirror.hpp"
#include "Horizon/shore.hpp"
#include "Horizon/sides.hpp"
#include "Horizon/sky.hpp"
#include "Pixels/Guard.hpp"
#include "Pixels/blur.hpp"
#include "ocv_horizon.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::horizon {
namespace {

/// Of the picture, above a line and below it: a strip along the edge may be anything.
constexpr double leastSky = 0.09, leastGround = 0.08;
/// The rating that a line needs.
constexpr double least = 0.36;

/// The longer side of the picture in which lines are looked for, and at the most of that in which one is measured, pixels.
constexpr double longestSearched = 200;
constexpr int longestMeasured = 1131;

/// A plane reduced to a size by areas. Halves of even sides first: they are the same areas, at a tenth of the time.
cv::Mat reduced(cv::Mat plane, cv::Size size) {
    while (plane.cols % 2 == 0 && plane.rows % 2 == 0 && plane.cols / 2 >= size.width &&
           plane.rows / 2 >= size.height) {
        cv::Mat half;
        cv::resize(plane, half, cv::Size(plane.cols / 2, plane.rows / 2), 0, 0, cv::INTER_AREA);
        plane = half;
    }
    if (plane.size() == size) return plane;
    cv::Mat out;
    cv::resize(plane, out, size, 0, 0, cv::INTER_AREA);
    return out;
}

/// A picture's planes as bytes, Y′ halved until it is small enough to be measured in; the others as they are, or halved as far
/// as they are no smaller than it.
std::vector<cv::Mat> halves(const ocv_picture &picture) {
    cv::Size size(picture.planes[0].width, picture.planes[0].height);
    while (std::max(size.width, size.height) > longestMeasured && std::min(size.width, size.height) >= 16) size /= 2;
    std::vector<cv::Mat> out{reduced(ocv::view(picture.planes[0]), size)};
    for (int i = 1; i < (picture.format == OCV_PICTURE_YUV ? 3 : 1); i++) {
        const cv::Mat plane = ocv::view(picture.planes[i]);
        out.push_back(plane.cols >= size.width && plane.rows >= size.height ? reduced(plane, size) : plane);
    }
    return out;
}

cv::Mat smoothed(const cv::Mat &plane) {
    cv::Mat out;
    plane.convertTo(out, CV_32F);
    ocv::blurFloats(out, out, 0.8, 0.8);
    return out;
}

Planes small(const std::vector<cv::Mat> &halves, const cv::Size &whole) {
    const double scale = std::min(1.0, longestSearched / std::max(whole.width, whole.height));
    const cv::Size size(std::max(8, cvRound(whole.width * scale)), std::max(8, cvRound(whole.height * scale)));
    Planes planes;
    for (const cv::Mat &plane : halves) planes.push_back(smoothed(reduced(plane, size)));
    return planes;
}

double ramp(double value, double from, double to) { return std::clamp((value - from) / (to - from), 0.0, 1.0); }

/// How well a line passes for a horizon, 0…1: with the sky above it, brighter than what is below, at the border and nearly
/// all of it. The sky is even, or, under clouds, the border stands out from all that is to be seen in it. Kerbs, wakes
/// and the edges of tables are borders too.
double rating(const Evidence &seen) {
    if (seen.length < 0.75 || !seen.isBrightAbove || seen.brighter < 8) return 0;
    const double even = ramp(seen.even, 0.68, 0.82) * ramp(seen.apart, 0.72, 0.9);
    const double plain = ramp(-seen.rough / seen.contrast, -0.25, -0.15) * ramp(seen.apart, 0.93, 0.98);
    const double strong = ramp(seen.contrast, 3, 12) * ramp(seen.contrast / (seen.rough + 1), 1, 3);
    return seen.support * strong * std::max(even, plain);
}

/// How well the colours of a line's sides pass for sky and ground, 0…1: no ground is of a glaring colour, and what is as
/// yellow as an evening's sky outshines the ground.
double coloured(const Sides &sides, double brighter) {
    const double warm = sides.sky.x < -8 ? ramp(brighter, 10, 20) : 1;
    return warm * ramp(-std::hypot(sides.ground.x, sides.ground.y), -75, -55);
}

/// How well a line's sides pass for sky and ground, 0…1. The sky is brightest low down, or as bright as above: what gets
/// darker towards the line is a ceiling under a lamp, a wall or a sheet.
double rating(const Sides &sides, double brighter) { return coloured(sides, brighter) * ramp(-sides.falls, -45, -30); }

/// How well what is above a line passes for a sky as a whole, 0…1: it has no second border in it, along the first and as clear,
/// as a car's body or a page has, and the border stands for much of what tells the sides apart. Hardly any of it is nearly as
/// dark as the ground, unless it gets darker upwards or is brighter all over, and hardly any of the ground as bright as it.
/// Where the border is seen in parts alone, the sky has to be the more even. Few horizons lie close to the picture's edge, eaves
/// and sills do.
double rating(const Sky &sky, const Evidence &seen, const Sides &sides) {
    const double even = 0.1 + 1.5 * seen.support;
    return ramp(-sky.step / seen.contrast, -0.8, -0.6) * ramp(-sky.uneven / seen.contrast, -even - 0.6, -even) *
           ramp(seen.contrast / seen.brighter, 0.2, 0.28) *
           std::max({ramp(-sky.dark, -0.45, -0.3), ramp(-sides.falls, 25, 45), ramp(seen.apart, 0.985, 0.998)}) *
           ramp(-sky.bright, -0.45, -0.3) * (0.6 + 0.4 * ramp(std::min(seen.sky, 1 - seen.sky), 0.1, 0.3));
}

/// How well the colour below a line passes for water, 0…1: grass is green, with as little blue as red.
double wet(const Sides &sides) { return std::max(ramp(sides.ground.x, -22, -12), ramp(sides.ground.y, -6, -2)); }

/// How well a line passes for the far shore of a lake, 0…1: darker above it, and brighter again above that. A shore goes from
/// one side to the other; what is but a little darker has to do so without any gap, lest a line of text be one.
double rating(const Evidence &seen, const Shore &shore, double height) {
    if (seen.length < 0.75 || seen.isBrightAbove || shore.sky <= 0) return 0;
    const double clear = ramp(std::min(shore.sky, shore.water), 30, 80);
    const double whole = ramp(seen.support, 0.8 - 0.25 * clear, 0.95 - 0.15 * clear) *
                         ramp(shore.band, 0.85 - 0.2 * clear, 0.96 - 0.15 * clear) *
                         ramp(shore.apart, 0.9 - 0.15 * clear, 0.98 - 0.1 * clear);
    return whole * ramp(shore.sky, 15, 40) * ramp(shore.water, 10, 30) * ramp(shore.dimmer, 0.5, 0.7) *
           ramp(-shore.dark, -0.12, -0.07) * ramp(-shore.again, -0.6, -0.4) *
           ramp(-shore.rough / shore.sky, -0.22, -0.12) * ramp(-shore.change / height, -0.05, -0.025) *
           ramp(-shore.height / height, -0.21, -0.15);
}

/// Fits points (u along, v off the line) by a straight line, outliers weighing less and less (Cauchy's weights).
bool fit(const std::vector<cv::Point2d> &points, double tolerance, double &slope, double &level) {
    slope = level = 0;
    for (int round = 0; round < 12; round++) {
        double w = 0, su = 0, sv = 0, suu = 0, suv = 0;
        // The first rounds take in more.
        const double reach = tolerance * std::max(1.0, 4.0 - round);
        for (const cv::Point2d &p : points) {
            const double r = (p.y - level - slope * p.x) / reach, k = 1 / (1 + r * r * r * r);
            w += k;
            su += k * p.x;
            sv += k * p.y;
            suu += k * p.x * p.x;
            suv += k * p.x * p.y;
        }
        const double d = w * suu - su * su;
        if (!(d > 1e-9)) return false;
        slope = (w * suv - su * sv) / d;
        level = (sv - slope * su) / w;
    }
    return std::isfinite(slope) && std::isfinite(level);
}

/// Moves a line onto the border: the steepest place across it, at many places along it.
/// - Parameter reach: how far from the line to look, pixels.
Line refined(const Planes &planes, const Line &line, double reach, double tolerance) {
    const int width = planes[0].cols, height = planes[0].rows;
    const cv::Point2d along(std::cos(line.angle), std::sin(line.angle)), down(-along.y, along.x);
    const cv::Point2d foot = cv::Point2d((width - 1) / 2.0, (height - 1) / 2.0) + down * line.offset;
    // The border's mean difference in each plane says what to look for.
    std::vector<double> mean(planes.size(), 0.0);
    std::vector<double> places;
    float lower[3], upper[3];
    for (int i = -80; i <= 80; i++) {
        const double u = i * std::hypot(width, height) / 160;
        const cv::Point2d p = foot + along * u;
        if (p.x < 1 || p.y < 1 || p.x > width - 2 || p.y > height - 2) continue;
        places.push_back(u);
        const cv::Point2d below = p + down * (reach + 1), above = p - down * (reach + 1);
        at(planes, below.x, below.y, lower);
        at(planes, above.x, above.y, upper);
        for (size_t k = 0; k < planes.size(); k++) mean[k] += lower[k] - upper[k];
    }
    double size = 0;
    for (double m : mean) size += m * m;
    if (places.size() < 8 || size <= 0) return line;
    std::vector<cv::Point2d> points;
    const int steps = int(std::ceil(reach * 2));
    // Values half a pixel apart, two pixels more of them than there are slopes.
    std::vector<double> values(size_t(2 * steps + 7)), slopes(size_t(2 * steps + 3));
    for (double u : places) {
        for (size_t j = 0; j < values.size(); j++) {
            const cv::Point2d p = foot + along * u + down * ((double(j) - steps - 3) * 0.5);
            at(planes, p.x, p.y, lower);
            values[j] = 0;
            for (size_t k = 0; k < planes.size(); k++) values[j] += lower[k] * mean[k];
        }
        for (size_t j = 0; j < slopes.size(); j++) slopes[j] = (values[j + 4] - values[j]) / std::sqrt(size);
        const auto best = std::max_element(slopes.begin() + 1, slopes.end() - 1);
        if (*best < 2) continue;
        const double before = *(best - 1), after = *(best + 1), bend = before - 2 * *best + after;
        const double part = bend < 0 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
        points.emplace_back(u, (double(best - slopes.begin()) - steps - 1 + part) * 0.5);
    }
    double slope, level;
    if (points.size() < places.size() / 4 || !fit(points, tolerance, slope, level) || std::abs(slope) > 0.3)
        return line;
    return {line.angle + std::atan(slope), line.offset + level * std::cos(std::atan(slope))};
}

/// The planes at half their size.
Planes halved(const Planes &planes) {
    Planes out;
    for (const cv::Mat &plane : planes) {
        cv::Mat half;
        cv::resize(
            plane, half, cv::Size(std::max(8, plane.cols / 2), std::max(8, plane.rows / 2)), 0, 0, cv::INTER_AREA);
        ocv::blurFloats(half, half, 0.8, 0.8);
        out.push_back(half);
    }
    return out;
}

/// A line measured in a picture's halves, of which no more is looked at than lies near it.
Line measured(const std::vector<cv::Mat> &halves, Line line) {
    const cv::Mat &luma = halves[0];
    // The same shares of the picture at any size.
    const double longest = std::max(luma.cols, luma.rows), reach = longest / 133, tolerance = longest / 667;
    // Beyond what is looked at the blur takes in some more, and bilinear interpolation.
    const double margin = reach + 8;
    const double c = std::cos(line.angle), middle = (luma.rows - 1) / 2.0 + line.offset / c;
    const double rise = std::abs(std::tan(line.angle)) * luma.cols / 2, room = rise + margin / c;
    const int top = std::clamp(int(std::floor(middle - room)), 0, luma.rows);
    const int bottom = std::clamp(int(std::ceil(middle + room)) + 1, 0, luma.rows);
    if (bottom - top < 3) return line;
    Planes band;
    for (const cv::Mat &plane : halves) band.push_back(smoothed(reduced(plane, luma.size()).rowRange(top, bottom)));
    const double lower = (top + bottom - 1) / 2.0 - (luma.rows - 1) / 2.0;
    line.offset -= lower * c;
    line = refined(band, line, reach, tolerance);
    line.offset += lower * std::cos(line.angle);
    return line;
}

struct Found {
    Line line;
    Evidence seen;
    double rating = 0;
};

/// Of the lines near a border, the one on it is the sharpest and parts the picture best.
double rank(const Found &found) {
    return found.rating * std::sqrt(found.seen.contrast) * found.seen.apart * found.seen.apart;
}

/// The share of a line that has to be seen. Few cameras are held aslant by more than 20°: the steeper, the surer.
double needed(const Line &line) { return 0.6 + 0.3 * ramp(std::abs(line.angle) * 180 / CV_PI, 20, 40); }

/// The same for a ragged border: what is aslant and seen in parts is an outline of something near.
double neededOfRagged(const Line &line) { return 0.6 + 0.25 * ramp(std::abs(line.angle) * 180 / CV_PI, 6, 12); }

/// Lines moved onto the border near them, each once, those that may be one at all.
std::vector<Found> candidates(const Planes &planes, const std::vector<Line> &lines) {
    std::vector<Found> out;
    for (const Line &line : lines) {
        Found found;
        found.line = refined(planes, line, 2, 0.7);
        const bool isKnown = std::any_of(out.begin(), out.end(), [&](const Found &other) {
            return std::abs(other.line.angle - found.line.angle) < 0.3 * CV_PI / 180 &&
                   std::abs(other.line.offset - found.line.offset) < 0.3;
        });
        if (isKnown) continue;
        found.seen = evidence(planes, found.line, needed(found.line));
        if (found.seen.support >= needed(found.line) && found.seen.sky >= leastSky && found.seen.sky <= 1 - leastGround)
            out.push_back(found);
    }
    return out;
}

/// True for a shore that counts rather than the outline of what is beyond it, or than a place where the water gets darker.
bool isBefore(const Found &shore, const Found &other, int height) {
    const double lower = (shore.line.offset - other.line.offset) / height;
    if (lower < -0.02) return shore.rating >= 0.6;
    return lower < (other.rating < 0.6 ? 0.13 : 0.08) &&
           std::abs(shore.line.angle - other.line.angle) < 15 * CV_PI / 180;
}

/// How well a line passes for the shore of still water, 0…1.
/// - Parameter some: the likeness that is hardly any.
double rating(const Mirror &mirror, double some) {
    return ramp(mirror.alike, some, some + 0.2) * ramp(mirror.sharp, 0.1, 0.25) * ramp(mirror.wide, 0.6, 0.8);
}

/// The shore of still water: under an outline that has been found, or where a line is about which the picture is like its
/// mirror image.
Found mirrored(const Planes &planes, const std::vector<Found> &found, const Found &outline) {
    const int height = planes[0].rows;
    Found best;
    const auto take = [&](const Mirror &mirror, double some) {
        const double value = rating(mirror, some);
        if (value <= best.rating) return;
        best.line = mirror.line;
        best.rating = value;
    };
    // A straight border is a horizon itself, if there is no doubt about the other.
    if (outline.rating > 0)
        take(mirror(planes[0], outline.line, -2, int(0.14 * height), 6), outline.seen.support < 0.95 ? 0.5 : 0.7);
    for (const Found &one : found) {
        if (one.seen.support < 0.7 || one.seen.brighter < 4) continue;
        // Water is under such a border, not in the clouds above it.
        if (outline.seen.support >= 0.95 && one.line.offset < outline.line.offset - 0.05 * height) continue;
        if (mirror(planes[0], one.line, -1, 1, 0).alike >= 0.5) take(mirror(planes[0], one.line, -3, 3, 2), 0.5);
    }
    if (best.rating > 0) {
        best.seen = evidence(planes, best.line);
        const Sides seen = sides(planes, best.line);
        best.rating *= ramp(best.seen.apart, 0.5, 0.65) * (best.seen.length >= 0.75);
        best.rating *= coloured(seen, best.seen.brighter) * wet(seen);
        if (best.seen.sky < leastSky || best.seen.sky > 1 - leastGround) best.rating = 0;
    }
    return best;
}

/// Finds the horizon of a picture without bars.
void find(const ocv_picture &picture, ocv_horizon &horizon) {
    const std::vector<cv::Mat> measurable = halves(picture);
    const Planes planes = small(measurable, cv::Size(picture.planes[0].width, picture.planes[0].height));
    const double scale = double(picture.planes[0].width) / planes[0].cols;
    std::vector<Line> lines = edgeLines(planes, 7);
    // Blurred and faint borders.
    const Planes coarse = halved(planes);
    for (Line line : edgeLines(coarse, 4)) {
        line.offset *= double(planes[0].cols) / coarse[0].cols;
        lines.push_back(line);
    }
    lines.push_back(bestSplit(planes).line);
    const std::vector<Found> found = candidates(planes, lines);
    Found sky, shore;
    for (Found one : found) {
        if (one.seen.isBrightAbove) {
            one.rating = rating(one.seen);
            if (one.rating >= least && rank(one) > rank(sky)) sky = one;
        } else if (one.seen.length >= 0.75) {
            one.rating = rating(one.seen, ocv::horizon::shore(planes, one.line), planes[0].rows);
            if (one.rating >= least) {
                const Sides seen = sides(planes, one.line);
                one.rating *= wet(seen) * coloured(seen, one.seen.brighter);
            }
            if (one.rating >= least && rank(one) > rank(shore)) shore = one;
        }
    }
    // Where the best border parts no sky from no ground, none that is worse does.
    const Sides about = sky.rating > 0 ? sides(planes, sky.line) : Sides();
    sky.rating *= rating(about, sky.seen.brighter);
    if (sky.rating < least) sky = {};
    const auto answer = [&](ocv_horizon_kind kind, const Line &line, double per, double confidence) {
        horizon = {kind, line.angle * 180 / CV_PI, line.offset * per, std::min(confidence, 1.0)};
    };
    const Found still = mirrored(planes, found, sky);
    if (still.rating >= least) {
        answer(OCV_HORIZON_LINE, still.line, scale, still.rating);
        return;
    }
    const bool isShore = shore.rating > 0 && (sky.rating == 0 || isBefore(shore, sky, planes[0].rows));
    // Not before: under an outline that is no horizon itself there may be one.
    if (!isShore && sky.rating > 0) sky.rating *= rating(ocv::horizon::sky(planes, sky.line), sky.seen, about);
    const Found &best = isShore ? shore : sky;
    if (best.rating < least) return;
    // Roofs on most of a line and gaps between them: the border's mean is level, not its highest parts.
    if (!isShore && best.seen.support < 0.87) {
        if (best.seen.support < neededOfRagged(best.line)) return;
        const Line ragged = refined(planes, best.line, 16, 12);
        if (evidence(planes, ragged).isBrightAbove && std::abs(ragged.angle - best.line.angle) < 5 * CV_PI / 180) {
            answer(OCV_HORIZON_SKYLINE, ragged, scale, best.rating);
            return;
        }
    }
    const double per = double(picture.planes[0].width) / measurable[0].cols;
    answer(OCV_HORIZON_LINE, measured(measurable, {best.line.angle, best.line.offset * scale / per}), per, best.rating);
}

} // namespace
} // namespace ocv::horizon

using namespace ocv::horizon;

ocv_status ocv_find_horizon(const ocv_picture *picture, ocv_horizon *horizon) noexcept {
    if (!picture || !horizon || picture->format == OCV_PICTURE_BGR || !picture->planes[0].data ||
        picture->planes[0].width < 16 || picture->planes[0].height < 16) {
        return ocv::failure("a horizon needs a grey or Y′CbCr picture of 16×16 pixels at least, and a place to go");
    }
    *horizon = {};
    return ocv::guarded([&] {
        const cv::Rect whole(0, 0, picture->planes[0].width, picture->planes[0].height);
        cv::Rect shown = withoutBars(ocv::view(picture->planes[0]));
        if (shown == whole) {
            find(*picture, *horizon);
            return;
        }
        find(part(*picture, shown), *horizon);
        if (horizon->kind == OCV_HORIZON_NONE) return;
        // From the middle of what is shown to the whole picture's.
        const double x = shown.x + (shown.width - whole.width) / 2.0, y = shown.y + (shown.height - whole.height) / 2.0;
        const double angle = horizon->angle * CV_PI / 180;
        horizon->offset += y * std::cos(angle) - x * std::sin(angle);
    });
}
