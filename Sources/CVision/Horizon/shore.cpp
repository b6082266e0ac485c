#include "Horizon/shore.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ocv::horizon {
namespace {

double median(std::vector<double> &values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + long(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// How many of the first values are the band: the split between whose sides the variance is greatest, brighter after it.
size_t bandOf(const std::vector<double> &values, double &dark, double &bright) {
    double all = 0, below = 0, lower = 0, best = 0;
    for (double value : values) all += value;
    const double count = double(values.size());
    size_t split = 0;
    for (size_t k = 1; k + 3 <= values.size(); k++) {
        below += values[k - 1];
        // The difference of the means, times both numbers.
        const double n = double(k), difference = all * n - below * count;
        if (k < 2 || difference <= 0) continue;
        const double between = difference * difference / (n * (count - n));
        if (between <= best) continue;
        best = between;
        split = k;
        lower = below;
    }
    if (split == 0) return 0;
    dark = lower / double(split);
    bright = (all - lower) / (count - double(split));
    return split;
}

/// The share of the values from one on that are nearly as dark as the band and lie beyond a place where the sky ends: a sky
/// gets darker upwards, but not at once.
double shareBeyond(const std::vector<double> &values, size_t first, double dark, double bright) {
    size_t end = first + 2;
    while (end + 2 < values.size() && values[end - 2] - values[end + 2] <= (bright - dark) / 2) end++;
    if (end + 2 >= values.size()) return 0;
    const auto isDark = [&](double value) { return value < dark + (bright - dark) / 3; };
    return double(std::count_if(values.begin() + long(end), values.end(), isDark)) / double(values.size() - first);
}

/// Whether values, from one on, get as dark as the band and then as light as the water again, each for two pixels.
bool isBandAgain(const std::vector<double> &values, size_t first, double dark, double light) {
    const double third = (light - dark) / 3;
    size_t place = first;
    const auto pass = [&](auto &&is) {
        while (place + 1 < values.size() && !(is(values[place]) && is(values[place + 1]))) place++;
        return place + 1 < values.size();
    };
    return pass([&](double value) { return value < dark + third; }) &&
           pass([&](double value) { return value > light - third; });
}

} // namespace

std::vector<double> places(const cv::Size &size, const Line &line) {
    const cv::Point2d along(std::cos(line.angle), std::sin(line.angle));
    const cv::Point2d foot(
        (size.width - 1) / 2.0 - along.y * line.offset, (size.height - 1) / 2.0 + along.x * line.offset);
    std::vector<double> out;
    for (int i = -60; i <= 60; i++) {
        const double u = i * std::hypot(size.width, size.height) / 120;
        const cv::Point2d p = foot + along * u;
        if (p.x >= 1 && p.y >= 1 && p.x <= size.width - 2 && p.y <= size.height - 2) out.push_back(u);
    }
    return out;
}

Shore shore(const Planes &planes, const Line &line) {
    const cv::Mat &luma = planes[0];
    const cv::Point2d along(std::cos(line.angle), std::sin(line.angle)), down(-along.y, along.x);
    const cv::Point2d foot = cv::Point2d((luma.cols - 1) / 2.0, (luma.rows - 1) / 2.0) + down * line.offset;
    const int far = int(0.6 * luma.rows), deep = std::max(4, int(0.12 * luma.rows));
    std::vector<double> heights, changes, skies, waters;
    std::array<int, 256> high{}, low{}, bends{};
    const auto bin = [](double value) { return size_t(std::clamp(value, 0.0, 255.0)); };
    int looked = 0, dimmer = 0, again = 0;
    double darker = 0;
    double before = -1;
    std::vector<double> values, below;
    values.reserve(size_t(std::max(far, 1)));
    for (double u : places(luma.size(), line)) {
        const auto sample = [&](double distance, double &value) {
            const cv::Point2d p = foot + along * u + down * distance;
            value = at(luma, p.x, p.y);
            return p.x >= 0 && p.y >= 0 && p.x <= luma.cols - 1 && p.y <= luma.rows - 1;
        };
        values.clear();
        double value;
        for (int d = 1; d < far && sample(-d, value); d++) values.push_back(value);
        double near = 0, water = 0;
        int count = 0;
        for (int d = 1; d <= deep && sample(d, value); d++, count++) {
            water += value;
            if (d <= 3) near += value / 3;
        }
        if (values.size() < 8 || count < 3) continue;
        looked++;
        double dark = 0, bright = 0;
        const size_t split = bandOf(values, dark, bright);
        const double close = (values[0] + values[1] + values[2]) / 3;
        // A bright line, as a kerb, is no water: there is some below it.
        if (split == 0 || bright - dark < 10 || near - close < 4 || water / count - dark < 3) continue;
        heights.push_back(double(split));
        skies.push_back(bright - dark);
        waters.push_back(near - close);
        below.clear();
        for (int d = 1; sample(d, value); d++) below.push_back(value);
        again += isBandAgain(below, 2 * split + 4, dark, water / count);
        dimmer += *std::max_element(values.begin() + long(split), values.end()) >= water / count;
        darker += shareBeyond(values, split + 2, dark, bright);
        if (before >= 0) changes.push_back(std::abs(double(split) - before));
        before = double(split);
        for (size_t k = 0; k + 1 < values.size(); k++) {
            if (k + 1 >= split && k <= split + 1) continue;
            (k < split ? low : high)[bin(values[k])]++;
            if (k > split) bends[bin(4 * std::abs(values[k - 1] + values[k + 1] - 2 * values[k]))]++;
        }
    }
    Shore out;
    if (heights.empty()) return out;
    out.band = double(heights.size()) / looked;
    out.dimmer = double(dimmer) / double(heights.size());
    out.dark = darker / double(heights.size());
    out.again = double(again) / double(heights.size());
    out.height = median(heights);
    out.change = median(changes);
    out.sky = median(skies);
    out.water = median(waters);
    out.apart = chanceOfMore(high, low);
    int all = 0, smooth = 0;
    for (int number : bends) all += number;
    for (size_t i = 0; i < bends.size() && smooth < 0.9 * all; i++) {
        smooth += bends[i];
        out.rough = double(i + 1) / 4;
    }
    return out;
}

} // namespace ocv::horizon
