#pragma once
#include <algorithm>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::labels {

inline double square(cv::Point2d p) { return p.x * p.x + p.y * p.y; }

/// The upper one of two in the middle; 0 for none. Changes the order.
inline double median(std::vector<double> &values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace ocv::labels
