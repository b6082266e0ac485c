#include "Pixels/Guard.hpp"

#include <opencv2/imgproc.hpp>

void ocv_initialize(void) noexcept { cv::setNumThreads(1); }

ocv_status ocv_half_size(ocv_plane full, uint8_t *out, int64_t outStride) noexcept {
    return ocv::guarded([&] {
        const cv::Size size(full.width / 2, full.height / 2);
        const cv::Mat source = ocv::view(full)(cv::Rect(0, 0, size.width * 2, size.height * 2));
        cv::Mat target(size, CV_8UC1, out, size_t(outStride));
        cv::resize(source, target, size, 0, 0, cv::INTER_AREA);
    });
}
