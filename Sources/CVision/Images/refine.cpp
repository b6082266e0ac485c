#include "Images/refine.hpp"
#include "Pixels/modules.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::images {
namespace {

constexpr double shutterStep = 0.25;
/// The shortest side of a picture that is still recognised, pixels.
constexpr double leastSide = 16;

double shortestSide(const std::vector<cv::Point2d> &quad) {
    double least = 1e300;
    for (size_t i = 0; i < 4; ++i) least = std::min(least, cv::norm(quad[(i + 1) % 4] - quad[i]));
    return least;
}

/// Tries a shutter that is open for longer, and a shorter one, and takes what explains more of what is seen.
void learnShutter(
    const ocv_image_reference &reference, const ocv_pyramid &frame, int level, const cv::Matx33d &h, Motion &motion) {
    const cv::Point2d middle{reference.width() / 2, reference.height() / 2};
    const double moved = cv::norm(map(h, middle) - map(motion.before, middle)) * motion.frame / double(1 << level);
    // Less than that looks the same.
    if (motion.isKnown || moved * shutterStep < 1) return;
    motion.isLearned = true;
    double best = look(reference, frame, level, h, &motion).correlation;
    double shutter = motion.shutter;
    // None at all, too: drawn and screen-captured pictures don't smear.
    for (const double tried : {motion.shutter - shutterStep, motion.shutter + shutterStep, 0.0}) {
        const Motion other{motion.before, tried, motion.frame, true};
        if (other.shutter < 0 || other.shutter > 1) continue;
        const double correlation = look(reference, frame, level, h, &other).correlation;
        if (correlation > best * 1.02) {
            best = correlation;
            shutter = other.shutter;
        }
    }
    motion.shutter = shutter;
}

/// How the picture moved while the shutter was open, guessed from the smear alone: the straight way that explains most of
/// what is seen. Nothing where sharp is as good.
std::optional<Motion> guessMotion(
    const ocv_image_reference &reference, const ocv_pyramid &frame, const cv::Matx33d &h, double longest) {
    double best = 1.02 * look(reference, frame, 1, h, nullptr).correlation;
    cv::Point2d way;
    const auto attempt = [&](double angle, double length) {
        const cv::Point2d step{length * std::cos(angle), length * std::sin(angle)};
        const cv::Matx33d back{1, 0, -step.x, 0, 1, -step.y, 0, 0, 1};
        const Motion motion{back * h, 1, 1, true};
        const double correlation = look(reference, frame, 1, h, &motion).correlation;
        if (correlation <= best) return;
        best = correlation;
        way = step;
    };
    constexpr int directions = 6;
    for (int direction = 0; direction < directions; ++direction)
        for (double length = 6; length <= longest; length *= 2) attempt(CV_PI * direction / directions, length);
    const double length = cv::norm(way), angle = std::atan2(way.y, way.x);
    if (length == 0) return {};
    for (const double turn : {-0.5, 0.0, 0.5})
        for (const double factor : {0.75, 1.0, 1.4}) attempt(angle + turn * CV_PI / directions, length * factor);
    const cv::Matx33d back{1, 0, -way.x, 0, 1, -way.y, 0, 0, 1};
    return Motion{back * h, 1, 1, true};
}

} // namespace

double span(const ocv_image_reference &reference, const std::vector<cv::Point2d> &places) {
    if (places.size() < 3) return 0;
    std::vector<cv::Point2f> points(places.begin(), places.end()), hull;
    cv::convexHull(points, hull);
    return cv::contourArea(hull) / (reference.width() * reference.height());
}

std::vector<cv::Point2d> quad(const ocv_image_reference &reference, const cv::Matx33d &h) {
    std::vector<cv::Point2d> corners;
    for (const cv::Point2d &corner : reference.corners()) corners.push_back(map(h, corner));
    return corners;
}

double longestSide(const std::vector<cv::Point2d> &quad) {
    double most = 0;
    for (size_t i = 0; i < 4; ++i) most = std::max(most, cv::norm(quad[(i + 1) % 4] - quad[i]));
    return most;
}

bool isPlausible(const ocv_image_reference &reference, const cv::Matx33d &h) {
    const std::vector<cv::Point2d> own = reference.corners();
    const double sign = h(2, 0) * own[0].x + h(2, 1) * own[0].y + h(2, 2);
    for (const cv::Point2d &corner : own)
        if (!((h(2, 0) * corner.x + h(2, 1) * corner.y + h(2, 2)) * sign > 0)) return false;
    const std::vector<cv::Point2d> corners = quad(reference, h);
    for (size_t i = 0; i < 4; ++i) {
        const cv::Point2d &a = corners[i], &b = corners[(i + 1) % 4], &c = corners[(i + 2) % 4];
        if (!(std::abs(a.x) < 1e5 && std::abs(a.y) < 1e5)) return false;
        const cv::Point2d u = b - a, v = c - b;
        // At least 10° and at most 170° at each corner.
        if (!(u.cross(v) > 0.17 * cv::norm(u) * cv::norm(v))) return false;
    }
    return shortestSide(corners) >= leastSide;
}

std::optional<Sighting> refine(
    const ocv_image_reference &reference, const ocv_pyramid &frame, const cv::Matx33d &start, int from,
    const Demand &demand, Motion *motion) {
    cv::Matx33d h = start;
    std::optional<Sighting> best;
    if (!isPlausible(reference, h)) return best;
    for (int level = std::min(from, int(frame.levels.size()) - 1); level >= 0; --level) {
        const double pixel = double(1 << level);
        const std::vector<cv::Point2d> corners = quad(reference, h);
        // Windows of 15 pixels see nothing of a picture that is hardly larger.
        if (level > 0 && shortestSide(corners) < 48 * pixel) continue;
        if (motion) learnShutter(reference, frame, level, h, *motion);
        const Look looked = look(reference, frame, level, h, motion);
        const double tolerance = std::max(1.5 * pixel, 0.008 * longestSide(corners));
        const Fit fitted = fit(reference, h, looked.seen, 4 * pixel, tolerance);
        const double share = looked.inFrame > 0 ? double(fitted.agreeing) / looked.inFrame : 0;
        std::vector<cv::Point2d> places;
        for (size_t i = 0; i < looked.seen.size(); ++i)
            if (fitted.agrees[i]) places.push_back(looked.seen[i].place);
        if (fitted.agreeing < demand.places || share < demand.share || span(reference, places) < demand.span ||
            !isPlausible(reference, fitted.homography)) {
            // Too blurred for this level: the one before is as good as it gets. Nothing coarser: it isn't there.
            if (best) break;
            continue;
        }
        h = fitted.homography;
        Sighting sighting;
        sighting.homography = h;
        sighting.inFrame = looked.inFrame;
        sighting.cornerError = fitted.cornerError;
        sighting.places = places;
        best = sighting;
        if (level == 0) {
            // Once more with windows from where it really is.
            const Look again = look(reference, frame, 0, h, motion);
            const Fit last = fit(reference, h, again.seen, 4, tolerance);
            if (last.agreeing >= fitted.agreeing && isPlausible(reference, last.homography)) {
                best->homography = last.homography;
                best->places.clear();
                for (size_t i = 0; i < again.seen.size(); ++i)
                    if (last.agrees[i]) best->places.push_back(again.seen[i].place);
                best->inFrame = again.inFrame;
                best->cornerError = last.cornerError;
            }
        }
    }
    return best;
}

std::optional<Sighting> refineUnmoved(
    const ocv_image_reference &reference, const ocv_pyramid &frame, const cv::Matx33d &start, int from) {
    const auto sharp = refine(reference, frame, start, from, finding);
    if (!sharp || frame.levels.size() < 2) return sharp;
    const double size = shortestSide(quad(reference, sharp->homography));
    auto motion = guessMotion(reference, frame, sharp->homography, std::min(48.0, size / 4));
    if (!motion) return sharp;
    const auto smeared = refine(reference, frame, sharp->homography, 1, finding, &*motion);
    return smeared ? smeared : sharp;
}

} // namespace ocv::images
