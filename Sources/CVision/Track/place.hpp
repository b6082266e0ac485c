#pragma once
#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

namespace ocv::track {

/// Where an object is and how it lies: an upright box that was turned about its middle.
///
/// Pixels of the picture, origin top left, integer coordinates are pixel centres.
struct Place {
    cv::Point2d middle;
    cv::Size2d size;
    double angle = 0; ///< radians, from the x axis to the y axis
    double lean = 0;  ///< how far what is in the box lies along its diagonals: correlation of x and y, −1…1

    Place() = default;
    Place(cv::Point2d middle, cv::Size2d size) : middle(middle), size(size) {}
    explicit Place(const cv::Rect2d &box)
        : middle(box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2), size(box.size()) {}

    bool operator==(const Place &other) const {
        return middle == other.middle && size == other.size && angle == other.angle;
    }

    /// The upright box around the object. What fills a box seldom reaches its corners: around an ellipse, that is.
    cv::Rect2d bounds() const {
        const double x = size.width * std::cos(angle), y = size.height * std::sin(angle);
        const double across = size.width * std::sin(angle), down = size.height * std::cos(angle);
        return around(
            {std::max(1.0, std::sqrt(x * x - 2 * lean * x * y + y * y)),
             std::max(1.0, std::sqrt(across * across + 2 * lean * across * down + down * down))});
    }

    /// The box before it was turned.
    cv::Rect2d upright() const { return around(size); }

    Place moved(cv::Point2d by) const {
        Place result = *this;
        result.middle += by;
        return result;
    }
    Place scaled(double by) const { return scaled(by, by); }
    Place scaled(double across, double down) const {
        Place result = *this;
        result.size = cv::Size2d(size.width * across, size.height * down);
        return result;
    }
    Place turned(double by) const {
        Place result = *this;
        result.angle += by;
        return result;
    }

    /// A vector of the object's own upright frame as one of the picture.
    cv::Point2d outward(cv::Point2d own) const {
        const double c = std::cos(angle), s = std::sin(angle);
        return {c * own.x - s * own.y, s * own.x + c * own.y};
    }
    /// And back.
    cv::Point2d inward(cv::Point2d vector) const {
        const double c = std::cos(angle), s = std::sin(angle);
        return {c * vector.x + s * vector.y, c * vector.y - s * vector.x};
    }

private:
    cv::Rect2d around(cv::Size2d box) const {
        return {middle.x - (box.width - 1) / 2, middle.y - (box.height - 1) / 2, box.width, box.height};
    }
};

} // namespace ocv::track
