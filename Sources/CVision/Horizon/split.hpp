#pragma once
#include <array>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::horizon {

/// A line by its angle (radians, clockwise) and its distance from the picture's middle, downwards over 0.
struct Line {
    double angle = 0, offset = 0;
};

/// A small picture: Y′, Cb and Cr as floats of one size; only Y′ for a grey one.
using Planes = std::vector<cv::Mat>;

/// The planes' value at a place, by bilinear interpolation; beyond the border the nearest one.
inline float at(const cv::Mat &plane, double x, double y) {
    const double u = std::min(std::max(x, 0.0), plane.cols - 1.001), v = std::min(std::max(y, 0.0), plane.rows - 1.001);
    const int i = int(u), j = int(v);
    const float a = float(u - i), b = float(v - j);
    const float *row = plane.ptr<float>(j) + i, *next = plane.ptr<float>(std::min(j + 1, plane.rows - 1)) + i;
    return (row[0] * (1 - a) + row[1] * a) * (1 - b) + (next[0] * (1 - a) + next[1] * a) * b;
}

/// The same of every plane, whose sizes are equal, at once.
inline void at(const Planes &planes, double x, double y, float *values) {
    const int cols = planes[0].cols, rows = planes[0].rows;
    const double u = std::min(std::max(x, 0.0), cols - 1.001), v = std::min(std::max(y, 0.0), rows - 1.001);
    const int i = int(u), j = int(v);
    const float a = float(u - i), b = float(v - j);
    for (const cv::Mat &plane : planes) {
        const float *row = plane.ptr<float>(j) + i, *next = plane.ptr<float>(std::min(j + 1, rows - 1)) + i;
        *values++ = (row[0] * (1 - a) + row[1] * a) * (1 - b) + (next[0] * (1 - a) + next[1] * a) * b;
    }
}

/// Lines that part the picture into regions: the best split for each angle.
struct Split {
    Line line;
    /// The share of the variance that the split explains, 0…1.
    double explained = 0;
};

/// The best split, of all angles within 60° of level.
Split bestSplit(const Planes &planes);

/// Lines through many edges of one polarity, the polarities in turn: brighter above, brighter below.
std::vector<Line> edgeLines(const Planes &planes, int count);

/// How a line looks as a horizon.
struct Evidence {
    /// The share of the line's length along which the border is seen.
    double support = 0;
    /// Grey levels between the sides, close to the line.
    double contrast = 0;
    /// True where it is brighter above than below.
    bool isBrightAbove = false;
    /// Grey levels by which all that is above is brighter than all that is below.
    double brighter = 0;
    /// The chance that a pixel from above is brighter than one from below, 0…1.
    double apart = 0.5;
    /// The share of the picture that is above the line, and that of it which is even, as the sky is.
    double sky = 0;
    double even = 0;
    /// Grey levels by which nine tenths of what is above differ from their neighbours' mean at the most, times four.
    double rough = 0;
    /// The line's length in the picture over the picture's width.
    double length = 0;
};

/// How a line looks.
/// - Parameter leastSupport: of a line that has less nothing but `length`, `contrast`, `isBrightAbove` and `support` is told.
Evidence evidence(const Planes &planes, const Line &line, double leastSupport = 0);

/// The chance that a value of one histogram is over one of the other, equal ones counting half; 0.5 where one is empty.
double chanceOfMore(const std::array<int, 256> &one, const std::array<int, 256> &other);

} // namespace ocv::horizon
