#include "Horizon/split.hpp"
#include "Pixels/Guard.hpp"
#include "ocv_horizon.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::horizon {
namespace {

constexpr double pi = CV_PI;
/// Of the picture: a strip along its edge may be anything.
constexpr double leastSky = 0.03;

Planes small(const ocv_picture &picture, double longest) {
    const double scale = std::min(1.0, longest / std::max(picture.planes[0].width, picture.planes[0].height));
    const cv::Size size(
        std::max(8, cvRound(picture.planes[0].width * scale)), std::max(8, cvRound(picture.planes[0].height * scale)));
    Planes planes;
    const int count = picture.format == OCV_PICTURE_YUV ? 3 : 1;
    for (int i = 0; i < count; i++) {
        cv::Mat plane, reduced;
        cv::resize(ocv::view(picture.planes[i]), reduced, size, 0, 0, cv::INTER_AREA);
        reduced.convertTo(plane, CV_32F);
        cv::GaussianBlur(plane, plane, cv::Size(), 0.8);
        planes.push_back(plane);
    }
    return planes;
}

/// How well a line passes for a horizon, 0…1: with the sky above it, which is even, and brighter than what is below, at
/// the border and as a whole. Kerbs, wakes and the edges of tables are borders too.
double rating(const Evidence &seen) {
    const double even = std::clamp((seen.even - 0.68) / 0.14, 0.0, 1.0);
    const double bright = seen.isBrightAbove ? std::clamp((seen.brighter - 8) / 12, 0.0, 1.0) : 0;
    const double strong = std::clamp((seen.contrast - 3) / 9, 0.0, 1.0);
    return seen.length < 0.75 || seen.sky < leastSky ? 0 : seen.support * even * bright * strong;
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
    for (int i = -80; i <= 80; i++) {
        const double u = i * std::hypot(width, height) / 160;
        const cv::Point2d p = foot + along * u;
        if (p.x < 1 || p.y < 1 || p.x > width - 2 || p.y > height - 2) continue;
        places.push_back(u);
        for (size_t k = 0; k < planes.size(); k++) {
            const cv::Point2d below = p + down * (reach + 1), above = p - down * (reach + 1);
            mean[k] += at(planes[k], below.x, below.y) - at(planes[k], above.x, above.y);
        }
    }
    double size = 0;
    for (double m : mean) size += m * m;
    if (places.size() < 8 || size <= 0) return line;
    std::vector<cv::Point2d> points;
    const int steps = int(std::ceil(reach * 2));
    for (double u : places) {
        std::vector<double> slopes;
        for (int j = -steps - 1; j <= steps + 1; j++) {
            const cv::Point2d p = foot + along * u + down * (j * 0.5), a = p - down, b = p + down;
            double slope = 0;
            for (size_t k = 0; k < planes.size(); k++)
                slope += (at(planes[k], b.x, b.y) - at(planes[k], a.x, a.y)) * mean[k];
            slopes.push_back(slope / std::sqrt(size));
        }
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
        const Planes planes = small(*picture, 200);
        const double scale = double(picture->planes[0].width) / planes[0].cols;
        const auto answer = [&](ocv_horizon_kind kind, const Line &line, double per, double confidence) {
            *horizon = {kind, line.angle * 180 / pi, line.offset * per, std::min(confidence, 1.0)};
        };
        std::vector<Line> lines = edgeLines(planes, 7);
        const Split split = bestSplit(planes);
        lines.push_back(split.line);
        Line best;
        double bestRating = 0;
        Evidence bestSeen;
        for (const Line &line : lines) {
            const Line moved = refined(planes, line, 2, 0.7);
            const Evidence seen = evidence(planes, moved);
            const double r = rating(seen);
            if (r > bestRating) {
                bestRating = r;
                best = moved;
                bestSeen = seen;
            }
        }
        // Few cameras are held aslant by more than 20°: the steeper, the surer it has to be.
        const double steep = std::clamp((std::abs(best.angle) * 180 / pi - 20) / 20, 0.0, 1.0);
        if (bestRating >= 0.3 && bestSeen.support >= 0.6 + 0.3 * steep) {
            const Planes fine = small(*picture, 800);
            const double per = double(picture->planes[0].width) / fine[0].cols;
            const Line start{best.angle, best.offset * scale / per};
            // Roofs on most of a line and gaps between them: the border's mean is level, not its highest parts.
            if (bestSeen.support < 0.87) {
                const Line ragged = refined(planes, split.line, 16, 12);
                if (evidence(planes, ragged).isBrightAbove && std::abs(ragged.angle - best.angle) < 5 * pi / 180) {
                    answer(OCV_HORIZON_SKYLINE, ragged, scale, bestRating);
                    return;
                }
            }
            answer(OCV_HORIZON_LINE, refined(fine, start, 6, 1.2), per, bestRating);
            return;
        }
        // A ragged border: the two sides are most of what there is to tell apart, and it is even above; or, under clouds,
        // there is no doubt about the border.
        const Evidence seen = evidence(planes, split.line);
        const bool isPlain =
            seen.contrast >= 40 && seen.brighter >= 40 &&
            (seen.support >= 0.85 || evidence(planes, refined(planes, split.line, 2, 0.7)).support >= 0.85);
        if (!seen.isBrightAbove || seen.brighter < 15 || split.explained < (isPlain ? 0.5 : 0.55) ||
            seen.contrast < 18 || seen.length < 0.75 || seen.support < 0.6 ||
            (seen.even < 0.6 && (seen.even < 0.38 || !isPlain))) {
            return;
        }
        const Line line = refined(planes, split.line, 16, 5);
        answer(OCV_HORIZON_SKYLINE, line, scale, (isPlain ? 0.75 : 0.6) * split.explained);
    });
}
