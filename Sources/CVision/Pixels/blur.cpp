#include "Pixels/blur.hpp"

#include <cmath>
#include <opencv2/imgproc.hpp>

void ocv::blurFloats(const cv::Mat &source, cv::Mat &target, double across, double down) {
    CV_Assert(source.type() == CV_32F);
    // As wide as the widest vectors or a multiple of that, and mirrored as far as the blur reaches.
    constexpr int whole = 16;
    const int reach = int(std::ceil(4 * across)) + 1;
    const int width = (source.cols + reach + whole - 1) / whole * whole;
    cv::Mat wide;
    cv::copyMakeBorder(source, wide, 0, 0, 0, width - source.cols, cv::BORDER_REFLECT_101);
    cv::GaussianBlur(wide, wide, cv::Size(), across, down);
    wide.colRange(0, source.cols).copyTo(target);
}
