#include "Pixels/Guard.hpp"
#include "ocv_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

ocv_status ocv_text_crop(const ocv_picture *picture, const ocv_quad *line, int32_t width, int32_t height, uint8_t *out)
    OCV_NOEXCEPT {
    return ocv::guarded([&] {
        const ocv_point *p = line->corners;
        double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
        for (int i = 0; i < 4; i++) {
            left = std::min(left, p[i].x), right = std::max(right, p[i].x);
            top = std::min(top, p[i].y), bottom = std::max(bottom, p[i].y);
        }
        // Two pixels more for the samples' neighbours; what lies far beyond the picture is its border anyway.
        const double edgeX = picture->planes[0].width + 2, edgeY = picture->planes[0].height + 2;
        const double x0 = std::floor(std::clamp(left - 2, -3.0, edgeX)),
                     x1 = std::ceil(std::clamp(right + 2, -3.0, edgeX));
        const double y0 = std::floor(std::clamp(top - 2, -3.0, edgeY)),
                     y1 = std::ceil(std::clamp(bottom + 2, -3.0, edgeY));
        if (!(x1 - x0 >= 1 && y1 - y0 >= 1)) throw std::invalid_argument("the line lies beside the picture");
        // A large line is averaged first, to no less than it is sampled at.
        const double high =
            (std::hypot(p[3].x - p[0].x, p[3].y - p[0].y) + std::hypot(p[2].x - p[1].x, p[2].y - p[1].y)) / 2;
        const int shrink = std::max(1, int(high / height));
        ocv_crop_options options{};
        options.width = std::max(1, int(x1 - x0 + 1) / shrink);
        options.height = std::max(1, int(y1 - y0 + 1) / shrink);
        options.channels = OCV_CHANNELS_BGR;
        options.geometry = OCV_GEOMETRY_STRETCH;
        options.antialias = true;
        const ocv_box box{x0, y0, x1 - x0 + 1, y1 - y0 + 1};
        const ocv_quad region = ocv_quad_of_box(box);
        cv::Mat part(options.height, options.width, CV_8UC3);
        const ocv_status status = ocv_crop(picture, &region, &options, part.data, int64_t(part.step));
        if (status.code) throw std::runtime_error(status.message);
        const double scaleX = options.width / box.width, scaleY = options.height / box.height;
        std::array<cv::Point2f, 4> from;
        for (size_t i = 0; i < 4; i++)
            from[i] = {float((p[i].x - x0 + 0.5) * scaleX - 0.5), float((p[i].y - y0 + 0.5) * scaleY - 0.5)};
        const float w = float(width) - 0.5f, h = float(height) - 0.5f;
        const std::array<cv::Point2f, 4> to{{{-0.5f, -0.5f}, {w, -0.5f}, {w, h}, {-0.5f, h}}};
        // Small letters are made larger as the networks were taught them; a cubic's overshoot is no part of them.
        const int between = 2 * high < height ? cv::INTER_LINEAR : cv::INTER_CUBIC;
        cv::Mat result(height, width, CV_8UC3, out);
        cv::warpPerspective(
            part, result, cv::getPerspectiveTransform(from.data(), to.data()), result.size(), between,
            cv::BORDER_REPLICATE);
    });
}
