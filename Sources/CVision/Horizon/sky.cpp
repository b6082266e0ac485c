#include "Horizon/sky.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::horizon {
namespace {

/// The side of a cell and how far from the line nothing is looked at, since the border itself reaches there, pixels.
constexpr int side = 4, margin = 3;

double quantile(std::vector<float> &values, double share) {
    if (values.empty()) return 0;
    const auto place = values.begin() + long(double(values.size() - 1) * share);
    std::nth_element(values.begin(), place, values.end());
    return double(*place);
}

/// The clearest border along a line above it, grey levels: the place where rows along it differ most from one side to the other,
/// as it is seen there from end to end.
double clearestAbove(const Planes &planes, const Line &line) {
    const cv::Mat &luma = planes[0];
    const double c = std::cos(line.angle), s = std::sin(line.angle);
    const int reach = int(std::hypot(luma.cols, luma.rows)) + 2;
    std::vector<double> sums(size_t(reach) + 1), counts(size_t(reach) + 1);
    for (int y = 0; y < luma.rows; y += 2) {
        const float *row = luma.ptr<float>(y);
        for (int x = 0; x < luma.cols; x += 2) {
            const double above = line.offset - (y - (luma.rows - 1) / 2.0) * c + (x - (luma.cols - 1) / 2.0) * s + 0.5;
            if (above < 0 || above >= reach) continue;
            sums[size_t(above)] += double(row[x]);
            counts[size_t(above)]++;
        }
    }
    // Of rows that are cut short by the picture's corners the mean is that of a part.
    const double least = 4 * 0.12 * luma.cols;
    double most = 0;
    size_t place = 0;
    for (size_t v = 9; v + 5 < sums.size(); v++) {
        double near = 0, nearCount = 0, far = 0, farCount = 0;
        for (size_t d = 2; d <= 5; d++) {
            near += sums[v - d];
            nearCount += counts[v - d];
            far += sums[v + d];
            farCount += counts[v + d];
        }
        if (nearCount <= least || farCount <= least) continue;
        const double step = std::abs(near / nearCount - far / farCount);
        if (step <= most) continue;
        most = step;
        place = v;
    }
    if (place == 0) return 0;
    return std::min(most, evidence(planes, {line.angle, line.offset - double(place)}, 1).contrast);
}

} // namespace

Sky sky(const Planes &planes, const Line &line) {
    const cv::Size whole = planes[0].size(), size(std::max(whole.width / side, 3), std::max(whole.height / side, 3));
    cv::Mat cells;
    cv::resize(planes[0], cells, size, 0, 0, cv::INTER_AREA);
    const double c = std::cos(line.angle), s = std::sin(line.angle);
    const double across = double(whole.width) / size.width, down = double(whole.height) / size.height;
    std::vector<float> sides[2], near[2], bends;
    for (int y = 0; y < size.height; y++) {
        for (int x = 0; x < size.width; x++) {
            const double below = ((y + 0.5) * down - whole.height / 2.0) * c -
                                 ((x + 0.5) * across - whole.width / 2.0) * s - line.offset;
            if (std::abs(below) < margin) continue;
            const float value = cells.at<float>(y, x);
            const int which = below > 0;
            sides[which].push_back(value);
            if (std::abs(below) < 0.08 * whole.height) near[which].push_back(value);
            // The cell below is above the line too.
            if (below > -margin - side || x == 0 || y == 0 || x + 1 == size.width || y + 1 == size.height) continue;
            bends.push_back(
                std::abs(cells.at<float>(y, x - 1) + cells.at<float>(y, x + 1) - 2 * value) +
                std::abs(cells.at<float>(y - 1, x) + cells.at<float>(y + 1, x) - 2 * value));
        }
    }
    Sky out;
    if (near[0].empty() || near[1].empty()) return out;
    const float middle = float((quantile(near[0], 0.5) + quantile(near[1], 0.5)) / 2);
    const auto share = [](const std::vector<float> &values, auto &&is) {
        return double(std::count_if(values.begin(), values.end(), is)) / double(values.size());
    };
    out.dark = share(sides[0], [&](float value) { return value < middle; });
    out.bright = share(sides[1], [&](float value) { return value > middle; });
    out.uneven = quantile(bends, 0.9);
    out.step = clearestAbove(planes, line);
    return out;
}

} // namespace ocv::horizon
