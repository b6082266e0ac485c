#include "Horizon/mirror.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::horizon {
namespace {

/// Pixels along a line from one sample to the next, and the samples on each side whose mean is taken off.
constexpr double step = 2;
constexpr int reach = 12;

/// What is along a line, a row for each pixel from `first` below it on, without what changes slowly from side to side:
/// sky and water shade so everywhere. 0 beyond the picture.
cv::Mat strip(const cv::Mat &luma, const Line &line, int first, int rows) {
    const double c = std::cos(line.angle), s = std::sin(line.angle);
    const int columns = int(std::hypot(luma.cols, luma.rows) / step);
    const double u = -(columns - 1) / 2.0 * step, v = line.offset + first;
    const cv::Matx23d place(
        c * step, -s, (luma.cols - 1) / 2.0 + c * u - s * v, s * step, c, (luma.rows - 1) / 2.0 + s * u + c * v);
    cv::Mat values;
    constexpr float beyond = -1e6f;
    cv::warpAffine(
        luma, values, place, cv::Size(columns, rows), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_CONSTANT,
        cv::Scalar(beyond));
    std::vector<double> sums(size_t(columns) + 1), counts(size_t(columns) + 1);
    for (int y = 0; y < rows; y++) {
        float *row = values.ptr<float>(y);
        for (int x = 0; x < columns; x++) {
            const bool isIn = row[x] > -1;
            sums[size_t(x) + 1] = sums[size_t(x)] + (isIn ? double(row[x]) : 0);
            counts[size_t(x) + 1] = counts[size_t(x)] + isIn;
        }
        for (int x = 0; x < columns; x++) {
            const size_t a = size_t(std::max(x - reach, 0)), b = size_t(std::min(x + reach + 1, columns));
            const bool isIn = row[x] > -1;
            row[x] = isIn ? float(row[x] - (sums[b] - sums[a]) / (counts[b] - counts[a])) : 0.0f;
        }
    }
    return values;
}

struct Likeness {
    double all = 0, wide = 0;
};

/// The correlation of the rows above one with those below it, 0 where there is next to nothing to see, and the share of
/// the sections along them where they are alike.
Likeness alike(const cv::Mat &strip, int middle, int depth) {
    constexpr int sections = 10;
    // Sums down each column: next to each other, so that several are added at once, each in the same order as ever.
    const size_t columns = size_t(strip.cols);
    std::vector<float> sums(4 * columns, 0.0F);
    float *products = sums.data(), *ups = products + columns, *downs = ups + columns, *counts = downs + columns;
    for (int d = 1; d <= depth; d++) {
        const float *up = strip.ptr<float>(middle - d), *down = strip.ptr<float>(middle + d);
        for (size_t x = 0; x < columns; x++) {
            // Both are in the picture, or nothing is known.
            const float known = up[x] != 0 && down[x] != 0 ? 1.0F : 0.0F, a = up[x] * known, b = down[x] * known;
            products[x] += a * b;
            ups[x] += a * a;
            downs[x] += b * b;
            counts[x] += known;
        }
    }
    double both = 0, above = 0, below = 0;
    int count = 0, seen = 0, like = 0;
    for (int s = 0; s < sections; s++) {
        const int first = strip.cols * s / sections, last = strip.cols * (s + 1) / sections;
        double b = 0, one = 0, other = 0;
        int n = 0;
        for (int x = first; x < last; x++) {
            b += products[x];
            one += ups[x];
            other += downs[x];
            n += int(counts[x]);
        }
        if (n < (last - first) * depth / 3) continue;
        seen++;
        like += b > 0.3 * std::sqrt(one * other) && one > 0.3 * n;
        both += b;
        above += one;
        below += other;
        count += n;
    }
    if (seen < sections / 2 || above < count || below < 0.25 * count) return {};
    return {both / std::sqrt(above * below), double(like) / seen};
}

} // namespace

Mirror mirror(const cv::Mat &luma, const Line &near, int from, int to, int degrees) {
    const int depth = std::max(6, int(0.16 * luma.rows)), away = 4, margin = depth + away;
    const auto profile = [&](double angle) {
        const cv::Mat rows = strip(luma, {angle, near.offset}, from - margin, to - from + 1 + 2 * margin);
        std::vector<Likeness> out;
        for (int o = from - away; o <= to + away; o++) out.push_back(alike(rows, o - from + margin, depth));
        return out;
    };
    Mirror best;
    best.line = near;
    const auto take = [&](double angle) {
        const std::vector<Likeness> values = profile(angle);
        for (size_t i = size_t(away); i + size_t(away) < values.size(); i++) {
            const double value = values[i].all;
            if (value <= best.alike) continue;
            const double before = values[i - 1].all, after = values[i + 1].all, bend = before - 2 * value + after;
            const double part = bend < 0 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
            best.line = {angle, near.offset + from + double(i) - away + part};
            best.alike = value;
            best.wide = values[i].wide;
            best.sharp = value;
            for (size_t k = 0; k < values.size(); k++)
                if (k + size_t(away) <= i || k >= i + size_t(away))
                    best.sharp = std::min(best.sharp, value - values[k].all);
        }
    };
    take(near.angle);
    for (int i = 2; i <= degrees; i += 2) {
        take(near.angle - i * CV_PI / 180);
        take(near.angle + i * CV_PI / 180);
    }
    for (double turn = degrees > 0 ? 1 : 0; turn > 0.2; turn /= 2) {
        const double angle = best.line.angle;
        for (const double sign : {-1.0, 1.0}) take(angle + sign * turn * CV_PI / 180);
    }
    return best;
}

} // namespace ocv::horizon
