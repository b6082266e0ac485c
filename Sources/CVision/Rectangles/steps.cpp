#include "Rectangles/steps.hpp"

#include <cmath>

namespace ocv::rectangles {

void readRow(const cv::Mat &luma, Point at, Point step, int count, float *row) {
    const Point last = at + step * (count - 1);
    const size_t stride = luma.step;
    float x = float(at.x), y = float(at.y);
    const float dx = float(step.x), dy = float(step.y);
    const double left = std::min(at.x, last.x), right = std::max(at.x, last.x);
    const double top = std::min(at.y, last.y), bottom = std::max(at.y, last.y);
    if (left >= 0.01 && top >= 0.01 && right <= std::min(luma.cols - 1.01, 32000.0) &&
        bottom <= std::min(luma.rows - 1.01, 32000.0)) {
        // Fixed point, 16 bits of fraction, of which 8 weigh the pixels: most of the time goes here.
        int fx = int(x * 65536), fy = int(y * 65536);
        const int stepX = int(dx * 65536), stepY = int(dy * 65536);
        for (int i = 0; i < count; ++i, fx += stepX, fy += stepY) {
            const uint8_t *upper = luma.data + size_t(fy >> 16) * stride + (fx >> 16), *lower = upper + stride;
            const int u = (fx >> 8) & 255, v = (fy >> 8) & 255;
            const int above = upper[0] * 256 + u * (upper[1] - upper[0]);
            const int below = lower[0] * 256 + u * (lower[1] - lower[0]);
            row[i] = float(above * 256 + v * (below - above)) * (1.f / 65536);
        }
        return;
    }
    for (int i = 0; i < count; ++i) {
        // Beyond the border its pixels repeat.
        const float sx = std::clamp(x + float(i) * dx, 0.f, luma.cols - 1.f);
        const float sy = std::clamp(y + float(i) * dy, 0.f, luma.rows - 1.f);
        const int left = int(sx), top = int(sy);
        const int right = std::min(left + 1, luma.cols - 1);
        const uint8_t *upper = luma.ptr<uint8_t>(top), *lower = luma.ptr<uint8_t>(std::min(top + 1, luma.rows - 1));
        const float u = sx - float(left), v = sy - float(top);
        const float above = upper[left] + u * (upper[right] - upper[left]);
        const float below = lower[left] + u * (lower[right] - lower[left]);
        row[i] = above + v * (below - above);
    }
}

namespace {

/// Strongest fall or rise of `slope` (grey levels per 2 pixels), to a fraction of a pixel.
Step peak(const float *slope, int count, int sign, double threshold) {
    int best = -1;
    float most = 0;
    const float half = float(count / 2);
    for (int i = 0; i < count; ++i) {
        const float height = sign * slope[i], away = (float(i) - half) / half;
        if (height <= threshold) continue;
        // What is near the assumed place is more likely to be meant than a seam or another edge beside it.
        const float weighted = height * (1 - 0.5f * away * away);
        if (weighted > most) {
            most = weighted;
            best = i;
        }
    }
    if (best < 0) return {};
    const float height = sign * slope[best];
    // Centre of mass of the peak: steadier than a parabola where the step is blurred over several pixels.
    double weight = 0, moment = 0;
    for (int i = std::max(0, best - 2); i <= std::min(count - 1, best + 2); ++i) {
        const double w = std::max(0.f, sign * slope[i]);
        weight += w * w;
        moment += w * w * i;
    }
    return {moment / weight, height};
}

/// How far a bent side is from its chord at `along` (0…1): straight between the places where it is known.
double bulge(const std::array<double, 3> &bend, double along) {
    const double knots[5] = {0, bend[0], bend[1], bend[2], 0};
    const int index = std::clamp(int(along * 4), 0, 3);
    return knots[index] + (knots[index + 1] - knots[index]) * (along * 4 - index);
}

} // namespace

Steps measure(
    const cv::Mat &luma, Point from, Point to, const std::array<double, 3> &bend, double reach, int chunks,
    int perChunk, double leastContrast) {
    const double length = cv::norm(to - from);
    const Point along = (to - from) / length, inward(-along.y, along.x);
    const int half = std::min(maximumReach, int(std::ceil(reach)));
    const int width = 2 * half + 3; // one more at either end for the slope
    float row[2 * maximumReach + 3], previous[2 * maximumReach + 3], sum[2 * maximumReach + 3];
    float slope[2 * maximumReach + 1];

    Steps steps;
    // Corners may be round or hidden: the ends of a side say nothing about where it lies.
    const double margin = 0.05;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const double begin = margin + (1 - 2 * margin) * chunk / chunks;
        const double stretch = (1 - 2 * margin) / chunks;
        const Point middle = from + along * ((begin + stretch / 2) * length);
        if (middle.x < -0.5 || middle.y < -0.5 || middle.x > luma.cols - 0.5 || middle.y > luma.rows - 0.5) continue;
        std::fill(sum, sum + width, 0.f);
        // Roughness: how much neighbouring samples along the side differ, outside and inside of it.
        float roughness[2] = {0, 0};
        for (int i = 0; i < perChunk; ++i) {
            const double at = begin + stretch * (i + 0.5) / perChunk;
            const Point centre = from + along * (at * length) + inward * bulge(bend, at);
            readRow(luma, centre - inward * (half + 1), inward, width, row);
            for (int j = 0; j < width; ++j) {
                sum[j] += row[j];
                if (i > 0) roughness[j > half] += std::abs(row[j] - previous[j]);
                previous[j] = row[j];
            }
        }
        for (int j = 0; j < 2 * half + 1; ++j) slope[j] = (sum[j + 2] - sum[j]) / perChunk;
        const double scale = 1.0 / ((perChunk - 1) * (half + 1.5));
        const double outside = roughness[0] * scale, inside = roughness[1] * scale;
        const double threshold = std::max(leastContrast, 0.8 * std::sqrt((outside * outside + inside * inside) / 2));
        const int index = steps.count++;
        steps.along[index] = begin + stretch / 2;
        steps.falling[index] = peak(slope, 2 * half + 1, -1, threshold);
        steps.rising[index] = peak(slope, 2 * half + 1, 1, threshold);
        steps.falling[index].offset -= half;
        steps.rising[index].offset -= half;
    }
    return steps;
}

std::array<float, maximumReach + 1> ridgesOutside(const cv::Mat &luma, Point from, Point to, int reach) {
    const double length = cv::norm(to - from);
    const Point along = (to - from) / length, outward(along.y, -along.x);
    reach = std::min(reach, maximumReach);
    // One line more on the inside and two on the outside: for the slopes, and for the last slope's neighbour.
    const int width = reach + 4;
    float row[maximumReach + 4], sum[maximumReach + 4] = {}, slope[maximumReach + 2];
    const int places = std::clamp(int(length / 4), 8, 40);
    for (int i = 0; i < places; ++i) {
        const Point centre = from + along * (length * (0.08 + 0.84 * (i + 0.5) / places));
        readRow(luma, centre - outward, outward, width, row);
        for (int j = 0; j < width; ++j) sum[j] += row[j];
    }
    for (int i = 0; i <= reach + 1; ++i) slope[i] = std::abs(sum[i + 2] - sum[i]) / float(places);
    std::array<float, maximumReach + 1> ridges{};
    for (int i = 1; i <= reach; ++i)
        if (slope[i] >= slope[i - 1] && slope[i] > slope[i + 1]) ridges[i] = slope[i];
    return ridges;
}

} // namespace ocv::rectangles
