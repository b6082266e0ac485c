#pragma once
#include <mutex>
#include <opencv2/core.hpp>
#include <vector>

// A frame's luma at full, half, quarter, … size. A place x of the full picture lies at (x + 0.5) / 2^level − 0.5.

namespace ocv::labels {

inline double toLevel(double x, int level) { return (x + 0.5) / double(1 << level) - 0.5; }
inline double fromLevel(double x, int level) { return (x + 0.5) * double(1 << level) - 0.5; }
inline cv::Point2d toLevel(cv::Point2d p, int level) { return {toLevel(p.x, level), toLevel(p.y, level)}; }
inline cv::Point2d fromLevel(cv::Point2d p, int level) { return {fromLevel(p.x, level), fromLevel(p.y, level)}; }

class Pyramid {
public:
    static constexpr int depth = 5;

    explicit Pyramid(const cv::Mat &luma);

    int levels() const { return int(images_.size()); }
    /// Of the whole picture.
    cv::Size size() const { return size_; }
    /// The part of the full picture that is there.
    cv::Rect window() const { return {origin_, images_[0].size()}; }
    const cv::Mat &image(int level) const { return images_[size_t(level)]; }
    cv::Point origin(int level) const { return {origin_.x >> level, origin_.y >> level}; }

    /// A copy of the part around a rectangle: what a reference keeps.
    Pyramid crop(cv::Rect rectangle) const;

    bool contains(cv::Point2d point) const {
        return point.x >= -0.5 && point.y >= -0.5 && point.x <= size_.width - 0.5 && point.y <= size_.height - 0.5;
    }

private:
    Pyramid() = default;

    std::vector<cv::Mat> images_;
    cv::Point origin_;
    cv::Size size_;
};

/// Corners of a whole picture with binary descriptors.
struct Features {
    std::vector<cv::Point2d> points;
    cv::Mat descriptors;
};

/// One frame: its pyramid, and its features once they are asked for.
class Frame {
public:
    explicit Frame(const cv::Mat &luma) : pyramid(luma) {}

    const Pyramid pyramid;
    const Features &features() const;

private:
    mutable std::once_flag once_;
    mutable Features features_;
};

} // namespace ocv::labels
