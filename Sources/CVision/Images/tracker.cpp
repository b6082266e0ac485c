#include "Images/refine.hpp"
#include "Images/search.hpp"
#include "Pixels/Guard.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <optional>

namespace ocv::images {
namespace {

/// Frames in a row that optical flow alone carries a picture, too blurred for the reference.
constexpr int longestBlind = 8;
constexpr double firstShutter = 0.5;
constexpr int shutterFrames = 5, firstLooks = 4;
/// Pixels by which a picture is elsewhere than it was expected, for the shutter to be looked at again.
constexpr double leastSurprise = 6;

/// The standard deviation of a corner at which a quad is half as sure as one whose corners are known: a share of its longest
/// side, and the least that counts, pixels.
constexpr double errorShare = 0.004, leastError = 1;
/// The confidence with which a picture that was found isn't looked for elsewhere.
constexpr double sureEnough = 0.5;

} // namespace
} // namespace ocv::images

using namespace ocv::images;

struct ocv_image_tracker {
    explicit ocv_image_tracker(const ocv_image_reference &reference) : reference(reference) {}

    const ocv_image_reference &reference;
    /// Where it was seen last; empty before.
    std::optional<Sighting> last;
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

    void take(const Sighting &sighting, const ocv_pyramid &frame, bool isNext) {
        const std::vector<cv::Point2d> now = quad(reference, sighting.homography);
        velocity.clear();
        if (last && isNext) {
            const std::vector<cv::Point2d> before = quad(reference, last->homography);
            for (size_t i = 0; i < 4; ++i) velocity.push_back(now[i] - before[i]);
        }
        last = sighting;
        flow = frame.flow;
        missed = 0;
    }

    /// Frames since it was seen.
    int missed = 0;
    double shutter = firstShutter;
    /// How often the shutter was looked at, and frames since.
    int looks = 0, frames = 0;

    /// Where the corners would be if they went on as they did.
    cv::Matx33d predicted() const {
        if (velocity.empty() || missed > 0) return last->homography;
        std::vector<cv::Point2f> from, to;
        const std::vector<cv::Point2d> corners = quad(reference, last->homography);
        for (size_t i = 0; i < 4; ++i) {
            from.push_back(reference.corners()[i]);
            to.push_back(corners[i] + velocity[i]);
        }
        return cv::Matx33d(cv::getPerspectiveTransform(from, to));
    }

    /// Where optical flow (Lucas and Kanade, in pyramids) takes the places that were seen in the last frame.
    std::optional<Sighting> flowed(const ocv_pyramid &frame, const cv::Matx33d &guess) const {
        if (flow.empty() || last->places.size() < 4) return {};
        std::vector<cv::Point2f> from, to;
        for (const cv::Point2d &place : last->places) {
            const cv::Point2d a = map(last->homography, place), b = map(guess, place);
            from.emplace_back(float(a.x / 2), float(a.y / 2));
            to.emplace_back(float(b.x / 2), float(b.y / 2));
        }
        std::vector<uint8_t> found;
        std::vector<float> errors;
        cv::calcOpticalFlowPyrLK(
            flow, frame.flow, from, to, found, errors, cv::Size(flowWindow, flowWindow), int(flow.size() / 2) - 1,
            cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 20, 0.02), cv::OPTFLOW_USE_INITIAL_FLOW,
            1e-3);
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
        std::vector<PlaceSeen> kept;
        Sighting sighting;
        for (size_t i = 0; i < own.size(); ++i) {
            if (!agrees[i]) continue;
            kept.push_back({places[i], cv::Point2d(seen[i]), cv::Matx22d::eye() * 4});
            sighting.places.push_back(places[i]);
        }
        if (kept.size() < 6 || kept.size() * 3 < own.size()) return {};
        const double size = longestSide(quad(reference, guess));
        const bool isSound = isPlausible(reference, cv::Matx33d(rough));
        const Fit fitted = fit(reference, isSound ? cv::Matx33d(rough) : guess, kept, 0.05 * size, 4);
        sighting.homography = fitted.homography;
        sighting.cornerError = fitted.cornerError;
        sighting.inFrame = int(own.size());
        if (!isPlausible(reference, sighting.homography)) return {};
        return sighting;
    }

    std::optional<Sighting> follow(const ocv_pyramid &frame, double interval) {
        if (!last) return {};
        // A camera's shutter seldom changes: it is looked at every few frames.
        const bool isKnown = looks >= firstLooks && ++frames % shutterFrames != 0;
        Motion motion{last->homography, shutter, 1 / interval, isKnown};
        const auto seen = follow(frame, missed == 0 ? &motion : nullptr);
        shutter = motion.shutter;
        looks += motion.isLearned && !isKnown;
        return seen;
    }

    std::optional<Sighting> follow(const ocv_pyramid &frame, Motion *motion) {
        const cv::Matx33d guess = predicted();
        const std::optional<Sighting> carried = flowed(frame, guess);
        if (carried && motion) {
            // What starts or stops all at once may be another kind of motion: a cut of slides, not of a camera.
            const cv::Point2d middle{reference.width() / 2, reference.height() / 2};
            const double surprise = cv::norm(map(carried->homography, middle) - map(guess, middle));
            if (surprise > leastSurprise) motion->isKnown = false;
        }
        if (carried) {
            if (auto seen = refine(reference, frame, carried->homography, coarsest, following, motion)) {
                blind = 0;
                return seen;
            }
        }
        for (const cv::Matx33d &start : {guess, last->homography}) {
            if (auto seen = refine(reference, frame, start, coarsest, following, motion)) {
                blind = 0;
                return seen;
            }
        }
        // What is too blurred for its sharp reference is carried from frame to frame, for a short while.
        if (carried && missed == 0 && blind < longestBlind && carried->places.size() >= 12 && carried->share() >= 0.6 &&
            span(reference, carried->places) >= finding.span) {
            ++blind;
            return carried;
        }
        return {};
    }
};

namespace {

double certainty(const ocv_image_reference &reference, const Sighting &seen) {
    const double ratio =
        seen.cornerError / std::max(leastError, errorShare * longestSide(quad(reference, seen.homography)));
    // With so much to say for it, a place is right so often: all of 0.7, most of 0.4.
    const double doubt = 1 - std::min(1.0, seen.share()) / (1 + ratio * ratio), square = doubt * doubt;
    return 1 - square * square;
}

void report(const ocv_image_tracker &tracker, const std::optional<Sighting> &seen, ocv_image_sighting *sighting) {
    *sighting = {};
    if (!seen) return;
    const std::vector<cv::Point2d> corners = quad(tracker.reference, seen->homography);
    for (size_t i = 0; i < 4; ++i) sighting->quad.corners[i] = {corners[i].x, corners[i].y};
    sighting->confidence = certainty(tracker.reference, *seen);
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
        std::optional<Sighting> best;
        double most = 0;
        for (const cv::Matx33d &start : find(tracker->reference, *features)) {
            const auto seen = refineUnmoved(tracker->reference, *frame, start, coarsest);
            if (!seen) continue;
            // What is known by a part of it alone may be known better from another start.
            const double sure = certainty(tracker->reference, *seen);
            if (best && sure <= most) continue;
            best = seen;
            most = sure;
            if (sure >= sureEnough) break;
        }
        if (!best) return;
        tracker->forget();
        tracker->take(*best, *frame, false);
        report(*tracker, best, sighting);
    });
}

ocv_status ocv_image_tracker_place(
    ocv_image_tracker *tracker, const ocv_pyramid *frame, const ocv_quad *quad, ocv_image_sighting *sighting) noexcept {
    *sighting = {};
    return ocv::guarded([&] {
        std::vector<cv::Point2f> from, to;
        for (size_t i = 0; i < 4; ++i) {
            from.push_back(tracker->reference.corners()[i]);
            to.emplace_back(float(quad->corners[i].x), float(quad->corners[i].y));
        }
        const cv::Matx33d start(cv::getPerspectiveTransform(from, to));
        const auto seen = refineUnmoved(tracker->reference, *frame, start, 1);
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
        if (seen)
            tracker->take(*seen, *frame, tracker->missed == 0);
        else
            ++tracker->missed;
        report(*tracker, seen, sighting);
    });
}
