#include "Horizon/mirror.hpp"
#include "Pixels/clones.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::horizon {
namespace {

/// Pixels along a line from one sample to the next, and the samples on each side whose mean is taken off.
constexpr double step = 2;
constexpr int reach = 12;

/// Columns whose sums are added up at once, in registers.
constexpr int atOnce = 16;

/// Samples along any line.
int columns(const cv::Mat &luma) { return int(std::hypot(luma.cols, luma.rows) / step); }

/// What is along a line, a row for each pixel from `first` below it on, without what changes slowly from side to side:
/// sky and water shade so everywhere. 0 beyond the picture, and in columns more up to a multiple of those added up at once.
cv::Mat strip(const cv::Mat &luma, const Line &line, int first, int rows) {
    const double c = std::cos(line.angle), s = std::sin(line.angle);
    const int columns = horizon::columns(luma);
    const double u = -(columns - 1) / 2.0 * step, v = line.offset + first;
    const cv::Matx23d place(
        c * step, -s, (luma.cols - 1) / 2.0 + c * u - s * v, s * step, c, (luma.rows - 1) / 2.0 + s * u + c * v);
    cv::Mat all = cv::Mat::zeros(rows, (columns + atOnce - 1) / atOnce * atOnce, CV_32F);
    cv::Mat values = all.colRange(0, columns);
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
    return all;
}

struct Likeness {
    double all = 0, wide = 0;
};

/// Of some columns next to each other, down all rows that two are apart: how they go together, and each alone.
struct Sums {
    float products[atOnce], ups[atOnce], downs[atOnce], counts[atOnce];
};

/// The sums of the rows above one and those below it, the nearest first.
/// - Parameters:
///   - middle: the row's first of the columns.
///   - step: from a row to the next, floats.
/// Column by column nothing but single products and sums, so they come out the same however many are taken at once.
OCV_CLONES void addUp(const float *middle, ptrdiff_t step, int depth, Sums &sums) {
    float products[atOnce] = {}, ups[atOnce] = {}, downs[atOnce] = {}, counts[atOnce] = {};
    const float *up = middle, *down = middle;
    for (int d = 1; d <= depth; d++) {
        up -= step;
        down += step;
        for (int x = 0; x < atOnce; x++) {
            // Both are in the picture, or nothing is known.
            const float known = up[x] != 0 && down[x] != 0 ? 1.0F : 0.0F, a = up[x] * known, b = down[x] * known;
            products[x] += a * b;
            ups[x] += a * a;
            downs[x] += b * b;
            counts[x] += known;
        }
    }
    std::copy_n(products, atOnce, sums.products);
    std::copy_n(ups, atOnce, sums.ups);
    std::copy_n(downs, atOnce, sums.downs);
    std::copy_n(counts, atOnce, sums.counts);
}

/// The correlation of the rows above one with those below it, 0 where there is next to nothing to see, and the share of
/// the sections along them where they are alike.
/// - Parameters:
///   - columns: of the strip, those that show something.
Likeness alike(const cv::Mat &strip, int columns, int middle, int depth) {
    constexpr int sections = 10;
    std::vector<Sums> sums(size_t(strip.cols / atOnce));
    for (size_t k = 0; k < sums.size(); k++)
        addUp(strip.ptr<float>(middle) + k * atOnce, ptrdiff_t(strip.step / sizeof(float)), depth, sums[k]);
    double both = 0, above = 0, below = 0;
    int count = 0, seen = 0, like = 0;
    for (int s = 0; s < sections; s++) {
        const int first = columns * s / sections, last = columns * (s + 1) / sections;
        double b = 0, one = 0, other = 0;
        int n = 0;
        for (int x = first; x < last; x++) {
            const Sums &block = sums[size_t(x / atOnce)];
            const size_t place = size_t(x % atOnce);
            b += block.products[place];
            one += block.ups[place];
            other += block.downs[place];
            n += int(block.counts[place]);
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
        for (int o = from - away; o <= to + away; o++)
            out.push_back(alike(rows, columns(luma), o - from + margin, depth));
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
