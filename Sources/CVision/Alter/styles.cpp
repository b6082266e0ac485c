#include "ocv_alter.h"

#include "Alter/styles.hpp"
#include "Pixels/Guard.hpp"

#include <stdexcept>

namespace ocv::alter {
namespace {
/// Of what a style has drawn, pixels at 512.
constexpr double softness = 1.2;
/// The least size of strokes where the picture is shown, over that at 512.
constexpr double leastStroke = 0.8;
} // namespace
} // namespace ocv::alter

using namespace ocv::alter;

extern "C" {

ocv_status ocv_apply_style(
    ocv_style style, const uint8_t *bgr, int64_t stride, int32_t width, int32_t height, double reduction, uint8_t *out,
    int64_t outStride) noexcept {
    return ocv::guarded([&] {
        if (!bgr || !out || std::min(width, height) < 8 || std::max(width, height) > 4096 || stride < width * 3 ||
            outStride < width * 3) {
            throw std::invalid_argument("a picture to alter has 8 to 4096 pixels along each side");
        }
        const cv::Mat source(height, width, CV_8UC3, const_cast<uint8_t *>(bgr), size_t(stride));
        const double whole = std::max(std::min(width, height) / 512.0, 0.2);
        const double unit = std::clamp(leastStroke * reduction, whole, 4 * whole);
        cv::Mat result;
        switch (style) {
        case OCV_STYLE_BURNED_PAPER: result = burnedPaper(source, unit); break;
        case OCV_STYLE_MOSAIC: result = mosaic(source, unit); break;
        case OCV_STYLE_PENCIL_SKETCH: result = pencilSketch(source, unit); break;
        case OCV_STYLE_WATERCOLOR: result = watercolor(source, unit); break;
        case OCV_STYLE_OIL_PAINT: result = oilPaint(source, unit); break;
        case OCV_STYLE_COMIC: result = comic(source, unit); break;
        case OCV_STYLE_NEON: result = neon(source, unit); break;
        case OCV_STYLE_ENGRAVING: result = engraving(source, unit); break;
        default: throw std::invalid_argument("the style is unknown");
        }
        // Lines as sharp as texels shimmer when they are laid over something that moves by parts of a pixel.
        blurred(result, softness * unit).copyTo(cv::Mat(height, width, CV_8UC3, out, size_t(outStride)));
    });
}

ocv_status ocv_picture_sharpness(
    const uint8_t *bgr, int64_t stride, int32_t width, int32_t height, double *sharpness) noexcept {
    return ocv::guarded([&] {
        if (!bgr || !sharpness || std::min(width, height) < 1 || std::max(width, height) > 8192 || stride < width * 3)
            throw std::invalid_argument("a picture with pixels is needed");
        const cv::Mat source(height, width, CV_8UC3, const_cast<uint8_t *>(bgr), size_t(stride));
        cv::Mat small, edges;
        cv::resize(gray(source), small, {128, 128}, 0, 0, cv::INTER_AREA);
        cv::Laplacian(small, edges, CV_16S);
        cv::Scalar mean, deviation;
        cv::meanStdDev(edges, mean, deviation);
        *sharpness = deviation[0] * deviation[0];
    });
}
}
