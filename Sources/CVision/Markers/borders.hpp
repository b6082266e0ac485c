#pragma once
#include "Markers/threshold.hpp"

#include <opencv2/core/types.hpp>
#include <vector>

namespace ocv::markers {

/// Follows every border of a mask and hands out the outer ones, pixel by pixel, without keeping them: Suzuki and Abe,
/// “Topological structural analysis of digitized binary images by border following” (1985), without the hierarchy.
/// The same outlines as `cv::findContours` (RETR_LIST, CHAIN_APPROX_NONE) less the holes, and no allocation per border.
class BorderFollower {
public:
    /// Calls `body(points)` for each outer border of at least `shortest` pixels. The mask is left marked.
    template <typename Body> void forEach(DarkMask &mask, int shortest, Body &&body) {
        start(mask);
        while (next())
            if (int(points.size()) >= shortest) body(points);
    }

private:
    void start(DarkMask &mask);
    /// Goes on to the next outer border; false at the end.
    bool next();
    void follow(int8_t *first, cv::Point at, bool hole);

    DarkMask *mask = nullptr;
    /// The scan: row, the column after the sixteen in hand, and those of them, as bits, where dark and light meet and
    /// that are still to be looked at.
    int y = 0, x = 0;
    unsigned changes = 0;
    int64_t steps[16];
    std::vector<cv::Point> points;
};

} // namespace ocv::markers
