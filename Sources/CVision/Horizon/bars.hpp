#pragma once
#include "ocv_pixels.h"

#include <opencv2/core.hpp>

namespace ocv::horizon {

/// What a picture shows between uniform bars along its edges: letterbox, pillarbox, a frame, a caption's bar. The whole
/// where there are none.
cv::Rect withoutBars(const cv::Mat &luma);

/// A part of a picture, its pixels where they are. The rectangle shrinks to whole chroma samples.
ocv_picture part(const ocv_picture &picture, cv::Rect &rect);

} // namespace ocv::horizon
