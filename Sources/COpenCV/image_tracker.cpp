#include "Guard.hpp"
#include "image_alignment.hpp"
#include "image_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>

namespace ocv {
namespace {

/// Of the frame's levels, the coarsest that pictures are aligned at: 4 × 4 pixels.
constexpr int coarsest = 2;
/// The shares of places in the frame that must be seen where a picture is followed, and where it is found anew.
struct Demand {
    /// Places, and the share of those in the frame.
    int places;
    double share;
    /// The share of the picture's area that they span: the corners are only as sure as what is seen reaches far.
    double span;
};
constexpr Demand following{6, 0.16, 0.1}, finding{10, 0.3, 0.2};
/// Frames in a row that optical flow alone carries a picture, too blurred for the reference.
constexpr int longestBlind = 8;
constexpr double firstShutter = 0.5, shutterStep = 0.25;
constexpr int shutterFrames = 5;
/// The shortest side of a picture that is still recognised, pixels.
constexpr double leastSide = 16;

/// Where a picture was seen in one frame.
struct Sighting {
    cv::Matx33d homography;
    /// Places of the reference that were seen, and how many of them lie in the frame.
    std::vector<cv::Point2d> places;
    int inFrame = 0;

    double share() const { return inFrame > 0 ? double(places.size()) / inFrame : 0; }
};

/// The area that places span, as a share of the picture's.
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

double shortestSide(const std::vector<cv::Point2d> &quad) {
    double least = 1e300;
    for (size_t i = 0; i < 4; ++i) least = std::min(least, cv::norm(quad[(i + 1) % 4] - quad[i]));
    return least;
}

double longestSide(const std::vector<cv::Point2d> &quad) {
    double most = 0;
    for (size_t i = 0; i < 4; ++i) most = std::max(most, cv::norm(quad[(i + 1) % 4] - quad[i]));
    return most;
}

/// True for what a camera can see of a picture's front: clockwise, convex, wholly before the camera, not a sliver.
bool isPlausible(const ocv_image_reference &reference, const cv::Matx33d &h) {
    const std::vector<cv::Point2d> own = reference.corners();
    const double sign = h(2, 0) * own[0].x + h(2, 1) * own[0].y + h(2, 2);
    for (const cv::Point2d &corner : own) {
        if (!((h(2, 0) * corner.x + h(2, 1) * corner.y + h(2, 2)) * sign > 0)) return false;
    }
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

/// Tries a shutter that is open for longer, and a shorter one, and takes what explains more of what is seen.
void learnShutter(
    const ocv_image_reference &reference, const ocv_pyramid &frame, int level, const cv::Matx33d &h, Motion &motion) {
    const cv::Point2d middle{reference.width() / 2, reference.height() / 2};
    const double moved = cv::norm(map(h, middle) - map(motion.before, middle)) * motion.frame / double(1 << level);
    // Less than that looks the same.
    if (motion.isLearned || moved * shutterStep < 1) return;
    motion.isLearned = true;
    double best = look(reference, frame, level, h, &motion).correlation;
    double shutter = motion.shutter;
    for (const double step : {-shutterStep, shutterStep}) {
        const Motion other{motion.before, motion.shutter + step, motion.frame, true};
        if (other.shutter < 0 || other.shutter > 1) continue;
        const double correlation = look(reference, frame, level, h, &other).correlation;
        if (correlation > best * 1.02) {
            best = correlation;
            shutter = other.shutter;
        }
    }
    motion.shutter = shutter;
}

/// Aligns the picture from coarse to fine, as fine as it can be seen.
///
/// - Parameter motion: where the picture was a frame before, if that is known; its shutter is made better where the smear
///   tells it.
std::optional<Sighting> refine(
    const ocv_image_reference &reference, const ocv_pyramid &frame, const cv::Matx33d &start, int from,
    const Demand &demand, Motion *motion = nullptr) {
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
        for (size_t i = 0; i < looked.seen.size(); ++i) {
            if (fitted.agrees[i]) places.push_back(looked.seen[i].place);
        }
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
        sighting.places = places;
        best = sighting;
        if (level == 0) {
            // Once more with windows from where it really is.
            const Look again = look(reference, frame, 0, h, motion);
            const Fit last = fit(reference, h, again.seen, 4, tolerance);
            if (last.agreeing >= fitted.agreeing && isPlausible(reference, last.homography)) {
                best->homography = last.homography;
                best->places.clear();
                for (size_t i = 0; i < again.seen.size(); ++i) {
                    if (last.agrees[i]) best->places.push_back(again.seen[i].place);
                }
                best->inFrame = again.inFrame;
            }
        }
    }
    return best;
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
    for (int direction = 0; direction < directions; ++direction) {
        for (double length = 6; length <= longest; length *= 2) attempt(CV_PI * direction / directions, length);
    }
    const double length = cv::norm(way), angle = std::atan2(way.y, way.x);
    if (length == 0) return {};
    for (const double turn : {-0.5, 0.0, 0.5}) {
        for (const double factor : {0.75, 1.0, 1.4}) attempt(angle + turn * CV_PI / directions, length * factor);
    }
    const cv::Matx33d back{1, 0, -way.x, 0, 1, -way.y, 0, 0, 1};
    return Motion{back * h, 1, 1, true};
}

/// Aligns a picture whose motion isn't known: first as if it stood still, then with the smear that is seen.
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

} // namespace
} // namespace ocv

struct ocv_image_tracker {
    explicit ocv_image_tracker(const ocv_image_reference &reference) : reference(reference) {}

    const ocv_image_reference &reference;
    /// Where it was seen last; empty before.
    std::optional<ocv::Sighting> last;
    /// How the corners moved from the frame before that one.
    std::vector<cv::Point2d> velocity;
    /// The frame in which it was seen last.
    std::vector<cv::Mat> flow;
    /// Frames since the reference itself was recognised.
    int blind = 0;

    void forget() {
        last.reset();
        velocity.clear();
        flow.clear();
        blind = 0;
    }

    void take(const ocv::Sighting &sighting, const ocv_pyramid &frame, bool isNext) {
        const std::vector<cv::Point2d> now = ocv::quad(reference, sighting.homography);
        velocity.clear();
        if (last && isNext) {
            const std::vector<cv::Point2d> before = ocv::quad(reference, last->homography);
            for (size_t i = 0; i < 4; ++i) velocity.push_back(now[i] - before[i]);
        }
        last = sighting;
        flow = frame.flow;
        missed = 0;
    }

    /// Frames since it was seen.
    int missed = 0;
    double shutter = ocv::firstShutter;
    int frames = 0;

    /// Where the corners would be if they went on as they did.
    cv::Matx33d predicted() const {
        if (velocity.empty() || missed > 0) return last->homography;
        std::vector<cv::Point2f> from, to;
        const std::vector<cv::Point2d> corners = ocv::quad(reference, last->homography);
        for (size_t i = 0; i < 4; ++i) {
            from.push_back(reference.corners()[i]);
            to.push_back(corners[i] + velocity[i]);
        }
        return cv::Matx33d(cv::getPerspectiveTransform(from, to));
    }

    /// Where optical flow (Lucas and Kanade, in pyramids) takes the places that were seen in the last frame.
    std::optional<ocv::Sighting> flowed(const ocv_pyramid &frame, const cv::Matx33d &guess) const {
        if (flow.empty() || last->places.size() < 4) return {};
        std::vector<cv::Point2f> from, to;
        for (const cv::Point2d &place : last->places) {
            const cv::Point2d a = ocv::map(last->homography, place), b = ocv::map(guess, place);
            from.emplace_back(float(a.x / 2), float(a.y / 2));
            to.emplace_back(float(b.x / 2), float(b.y / 2));
        }
        std::vector<uint8_t> found;
        std::vector<float> errors;
        cv::calcOpticalFlowPyrLK(
            flow, frame.flow, from, to, found, errors, cv::Size(ocv::flowWindow, ocv::flowWindow),
            int(flow.size() / 2) - 1, cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 20, 0.02),
            cv::OPTFLOW_USE_INITIAL_FLOW, 1e-3);
        std::vector<cv::Point2f> own, seen;
        std::vector<cv::Point2d> places;
        for (size_t i = 0; i < from.size(); ++i) {
            if (!found[i]) continue;
            places.push_back(last->places[i]);
            own.push_back(last->places[i]);
            seen.push_back(to[i] * 2);
        }
        if (own.size() < 6) return {};
        std::vector<uint8_t> agrees;
        const cv::Mat rough = cv::findHomography(own, seen, agrees, cv::RANSAC, 4);
        if (rough.empty()) return {};
        std::vector<ocv::PlaceSeen> kept;
        ocv::Sighting sighting;
        for (size_t i = 0; i < own.size(); ++i) {
            if (!agrees[i]) continue;
            kept.push_back({places[i], cv::Point2d(seen[i]), cv::Matx22d::eye() * 4});
            sighting.places.push_back(places[i]);
        }
        if (kept.size() < 6 || kept.size() * 3 < own.size()) return {};
        const double size = ocv::longestSide(ocv::quad(reference, guess));
        const bool isSound = ocv::isPlausible(reference, cv::Matx33d(rough));
        sighting.homography =
            ocv::fit(reference, isSound ? cv::Matx33d(rough) : guess, kept, 0.05 * size, 4).homography;
        sighting.inFrame = int(own.size());
        if (!ocv::isPlausible(reference, sighting.homography)) return {};
        return sighting;
    }

    std::optional<ocv::Sighting> follow(const ocv_pyramid &frame, double interval) {
        if (!last) return {};
        // A camera's shutter seldom changes: it is looked at every few frames.
        ocv::Motion motion{last->homography, shutter, 1 / interval, ++frames % ocv::shutterFrames != 0};
        const auto seen = follow(frame, missed == 0 ? &motion : nullptr);
        shutter = motion.shutter;
        return seen;
    }

    std::optional<ocv::Sighting> follow(const ocv_pyramid &frame, ocv::Motion *motion) {
        const cv::Matx33d guess = predicted();
        const std::optional<ocv::Sighting> carried = flowed(frame, guess);
        if (carried) {
            if (auto seen = ocv::refine(
                    reference, frame, carried->homography, ocv::coarsest, ocv::following, motion)) {
                blind = 0;
                return seen;
            }
        }
        for (const cv::Matx33d &start : {guess, last->homography}) {
            if (auto seen =
                    ocv::refine(reference, frame, start, ocv::coarsest, ocv::following, motion)) {
                blind = 0;
                return seen;
            }
        }
        // What is too blurred for its sharp reference is carried from frame to frame, for a short while.
        if (carried && missed == 0 && blind < ocv::longestBlind && carried->places.size() >= 12 &&
            carried->share() >= 0.6 && ocv::span(reference, carried->places) >= ocv::finding.span) {
            ++blind;
            return carried;
        }
        return {};
    }
};

namespace {

void report(
    const ocv_image_tracker &tracker, const std::optional<ocv::Sighting> &seen, ocv_image_sighting *sighting) {
    *sighting = {};
    if (!seen) return;
    const std::vector<cv::Point2d> corners = ocv::quad(tracker.reference, seen->homography);
    for (size_t i = 0; i < 4; ++i) sighting->quad.corners[i] = {corners[i].x, corners[i].y};
    sighting->confidence = std::min(1.0, seen->share());
    sighting->found = true;
}

} // namespace

ocv_status ocv_image_tracker_create(const ocv_image_reference *reference, ocv_image_tracker **out) noexcept {
    *out = nullptr;
    return ocv::guarded([&] { *out = new ocv_image_tracker(*reference); });
}

void ocv_image_tracker_destroy(ocv_image_tracker *tracker) noexcept { delete tracker; }

ocv_status ocv_image_tracker_search(
    ocv_image_tracker *tracker, const ocv_pyramid *frame, const ocv_image_features *features,
    ocv_image_sighting *sighting) noexcept {
    *sighting = {};
    return ocv::guarded([&] {
        const std::optional<cv::Matx33d> start = ocv::find(tracker->reference, *features);
        if (!start) return;
        const auto seen = ocv::refineUnmoved(tracker->reference, *frame, *start, ocv::coarsest);
        if (!seen) return;
        tracker->forget();
        tracker->take(*seen, *frame, false);
        report(*tracker, seen, sighting);
    });
}

ocv_status ocv_image_tracker_place(
    ocv_image_tracker *tracker, const ocv_pyramid *frame, const ocv_quad *quad,
    ocv_image_sighting *sighting) noexcept {
    *sighting = {};
    return ocv::guarded([&] {
        std::vector<cv::Point2f> from, to;
        for (size_t i = 0; i < 4; ++i) {
            from.push_back(tracker->reference.corners()[i]);
            to.emplace_back(float(quad->corners[i].x), float(quad->corners[i].y));
        }
        const cv::Matx33d start(cv::getPerspectiveTransform(from, to));
        const auto seen = ocv::refineUnmoved(tracker->reference, *frame, start, 1);
        if (!seen) return;
        tracker->forget();
        tracker->take(*seen, *frame, false);
        report(*tracker, seen, sighting);
    });
}

ocv_status ocv_image_tracker_follow(
    ocv_image_tracker *tracker, const ocv_pyramid *frame, double interval, ocv_image_sighting *sighting) noexcept {
    *sighting = {};
    return ocv::guarded([&] {
        const auto seen = tracker->follow(*frame, std::max(interval, 1.0));
        if (seen) {
            tracker->take(*seen, *frame, tracker->missed == 0);
        } else {
            ++tracker->missed;
        }
        report(*tracker, seen, sighting);
    });
}
