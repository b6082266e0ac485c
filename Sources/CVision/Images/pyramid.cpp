#include "Images/pyramid.hpp"

#include "Pixels/Guard.hpp"

#include <memory>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <stdexcept>

namespace ocv::images {
namespace {

/// Levels from the half size on.
constexpr int flowLevels = 4;

} // namespace
} // namespace ocv::images

using namespace ocv::images;

ocv_status ocv_pyramid_create(ocv_plane luma, ocv_pyramid **out) noexcept {
    *out = nullptr;
    return ocv::guarded([&] {
        if (!luma.data || luma.width < 1 || luma.height < 1) throw std::invalid_argument("a picture without pixels");
        auto made = std::make_unique<ocv_pyramid>();
        made->levels.push_back(ocv::view(luma).clone());
        cv::Mat half;
        cv::pyrDown(made->levels[0], half);
        const int last =
            cv::buildOpticalFlowPyramid(half, made->flow, cv::Size(flowWindow, flowWindow), flowLevels - 1, true);
        for (int level = 0; level <= last; ++level) made->levels.push_back(made->flow[size_t(2 * level)]);
        *out = made.release();
    });
}

void ocv_pyramid_destroy(ocv_pyramid *pyramid) noexcept { delete pyramid; }
