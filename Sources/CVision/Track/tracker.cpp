#include "Pixels/Guard.hpp"
#include "Track/follower.hpp"
#include "ocv_track.h"

#include <cmath>
#include <stdexcept>

using namespace ocv::track;

struct ocv_tracker {
    Follower follower;
    bool color;
    cv::Size seeded;
};

namespace ocv::track {
namespace {

// Luma alone would make `fast` a little cheaper, but without colour its confidence confuses the object with whatever
// hides it.
constexpr Effort accurate{true, 45, 3.5, 1, true};
// In few cells something of the thing's colours is soon what stands out: it is taken for the thing more often than it helps.
constexpr Effort fast{true, 25, 3.5, 2, false};

/// A look at the frame, checked: OpenCV's own checks don't cover a null pointer or a stride that is too short.
cv::Mat checked(const ocv_tracker &tracker, ocv_plane frame) {
    const int channels = tracker.color ? 3 : 1;
    if (!frame.data || frame.width < 1 || frame.height < 1 || frame.stride < int64_t(frame.width) * channels)
        throw std::invalid_argument("the frame is empty or its stride is shorter than a row");
    return ocv::view(frame, tracker.color ? CV_8UC3 : CV_8UC1);
}

} // namespace
} // namespace ocv::track

ocv_status ocv_tracker_create(
    ocv_tracker_options options, const ocv_tracker_networks *networks, ocv_tracker **out) noexcept {
    return ocv::guarded([&] {
        if (!out) throw std::invalid_argument("no place for the tracker");
        *out = nullptr;
        if (options.level != OCV_TRACKER_ACCURATE && options.level != OCV_TRACKER_FAST)
            throw std::invalid_argument("unknown tracker level");
        if (!(options.minimumConfidence >= 0 && options.minimumConfidence <= 1) || options.patience < 0)
            throw std::invalid_argument("minimumConfidence must be 0…1 and patience not negative");
        const Effort &effort = options.level == OCV_TRACKER_ACCURATE ? accurate : fast;
        const Manner manner{
            options.minimumConfidence, options.patience, options.redetect != 0, options.thorough != 0,
            networks || effort.byColors};
        *out = new ocv_tracker{
            Follower(networks ? makeSiameseEngine(*networks) : makeCorrelationEngine(effort), manner),
            effort.color,
            {}};
    });
}

void ocv_tracker_destroy(ocv_tracker *tracker) noexcept { delete tracker; }

int32_t ocv_tracker_needs_color(const ocv_tracker *tracker) noexcept { return tracker && tracker->color; }

ocv_status ocv_tracker_seed(ocv_tracker *tracker, ocv_plane frame, ocv_box box) noexcept {
    return ocv::guarded([&] {
        if (!tracker) throw std::invalid_argument("no tracker");
        const cv::Mat picture = checked(*tracker, frame);
        const cv::Rect2d place(box.x, box.y, box.width, box.height);
        if (!std::isfinite(box.x + box.y + box.width + box.height) || !(box.width >= 1) || !(box.height >= 1) ||
            box.width > 1e5 || box.height > 1e5) {
            throw std::invalid_argument("the box must be finite and at least one pixel wide and high");
        }
        if (visibleShare(place, picture.size()) <= 0) throw std::invalid_argument("the box lies outside the frame");
        tracker->seeded = {};
        tracker->follower.seed(picture, place);
        tracker->seeded = picture.size();
    });
}

ocv_status ocv_tracker_update(ocv_tracker *tracker, ocv_plane frame, ocv_tracker_result *result) noexcept {
    return ocv::guarded([&] {
        if (!tracker || !result) throw std::invalid_argument("no tracker or no place for the result");
        const cv::Mat picture = checked(*tracker, frame);
        if (picture.size() != tracker->seeded)
            throw std::invalid_argument("the tracker wasn't seeded with a frame of this size");
        const Verdict verdict = tracker->follower.update(picture);
        *result = {
            {verdict.box.x, verdict.box.y, verdict.box.width, verdict.box.height},
            verdict.confidence,
            int32_t(verdict.state)};
    });
}
