#pragma once
#include "Labels/reference.hpp"

#include <opencv2/features2d.hpp>

// Of several things that look alike: which is the one that was lost.

namespace ocv::labels {

/// The closest pairs of binary descriptors, each with a second best that is `ratio` farther.
std::vector<cv::DMatch> matches(const cv::Mat &from, const cv::Mat &to, float ratio);

/// What a keyframe's frame says of a place at which its neighbourhood seems to be found.
enum class Verdict {
    /// Too little of the frame is seen again.
    unknown,
    /// The rest of the frame lies about it as it did.
    same,
    /// It lies elsewhere, and what is found is something that was there before: a window like the one beside it.
    alike,
    /// It lies elsewhere, and what is found was not there: the thing itself has moved.
    moved,
};
Verdict judge(const Keyframe &keyframe, const Frame &frame, const Plane &found, double radius);

} // namespace ocv::labels
