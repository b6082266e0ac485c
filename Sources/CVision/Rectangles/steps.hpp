#pragma once
#include "Rectangles/parts.hpp"

namespace ocv::rectangles {

constexpr int maximumChunks = 32;
constexpr int maximumReach = 32;

/// The strongest step of one polarity across one stretch (chunk) of a side.
struct Step {
    double offset = 0;   // from the side, positive towards the inside, pixels
    double strength = 0; // grey levels; 0 when nothing stands out
};

/// Steps along one side, a chunk each; `along` runs from 0 at its first corner to 1 at its second.
struct Steps {
    int count = 0;
    double along[maximumChunks];
    Step falling[maximumChunks], rising[maximumChunks];

    const Step *of(int polarity) const { return polarity == 0 ? falling : rising; }
};

/// Reads `count` samples between pixels, `step` apart, from `at` on; beyond the border its pixels repeat.
void readRow(const cv::Mat &luma, Point at, Point step, int count, float *row);

/// Looks across the side `from` → `to` in `chunks` places, averaging along each chunk so that noise and texture
/// cancel where an edge adds up.
Steps measure(
    const cv::Mat &luma, Point from, Point to, const std::array<double, 3> &bend, double reach, int chunks,
    int perChunk, double leastContrast);

/// How steeply the luma changes across lines parallel to the side `from` → `to`, 0, 1, … `reach` pixels outside of it,
/// in grey levels per 2 pixels (size, not direction). Where that isn't a local maximum it is 0.
std::array<float, maximumReach + 1> ridgesOutside(const cv::Mat &luma, Point from, Point to, int reach);

} // namespace ocv::rectangles
