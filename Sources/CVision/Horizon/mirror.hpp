#pragma once
#include "Horizon/split.hpp"

namespace ocv::horizon {

/// Where still water shows again what is beyond it.
struct Mirror {
    Line line;
    /// How much what is below the line is like what is above it upside down: the correlation, −1…1.
    double alike = 0;
    /// By how much that is more than elsewhere, from a few pixels away on: what goes straight up and down, and what
    /// repeats, is like itself in many places.
    double sharp = 0;
    /// The share of the line's sections of which that is true.
    double wide = 0;
};

/// The line near another about which a picture is most like its mirror image.
/// - Parameters:
///   - from, to: where to look for it, pixels below the other.
///   - degrees: how far it may be turned from it, each way.
Mirror mirror(const cv::Mat &luma, const Line &near, int from, int to, int degrees);

} // namespace ocv::horizon
