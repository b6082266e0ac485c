#include "Pixels/Guard.hpp"
#include "Pixels/fetch.hpp"
#include "ocv_faces.h"

#include <opencv2/imgproc.hpp>

namespace {

/// The map from a result of `side` pixels to a plane whose samples are `1 << shiftX` by `1 << shiftY` pixels, the first of
/// them so far from the picture's first pixel.
cv::Matx23d placement(const ocv_point corners[4], int side, int shiftX, int shiftY, double firstX, double firstY) {
    const double ax = (corners[1].x - corners[0].x) / side, ay = (corners[1].y - corners[0].y) / side;
    const double bx = (corners[3].x - corners[0].x) / side, by = (corners[3].y - corners[0].y) / side;
    const double x = corners[0].x + (ax + bx) / 2, y = corners[0].y + (ay + by) / 2;
    const double sx = 1.0 / (1 << shiftX), sy = 1.0 / (1 << shiftY);
    return {ax * sx, bx * sx, (x - firstX) * sx, ay * sy, by * sy, (y - firstY) * sy};
}

cv::Mat sampled(const cv::Mat &plane, const cv::Matx23d &map, int side, bool isPadded, const cv::Scalar &padding) {
    cv::Mat out;
    cv::warpAffine(
        plane, out, map, cv::Size(side, side), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
        isPadded ? cv::BORDER_CONSTANT : cv::BORDER_REPLICATE, padding);
    return out;
}

} // namespace

ocv_status ocv_face_view(
    const ocv_picture *picture, const ocv_point corners[4], int32_t side, bool isPadded, uint8_t *rgb) noexcept {
    return ocv::guarded([&] {
        const auto take = [&](const ocv_plane &plane, int type, const cv::Matx23d &map, double padding) {
            if (!plane.data || plane.stride < plane.width || std::max(plane.width, plane.height) > OCV_FACE_VIEW_MOST)
                throw std::invalid_argument("a view of a face needs planes of at most 32,000 pixels a side");
            return sampled(ocv::view(plane, type), map, side, isPadded, cv::Scalar::all(padding));
        };
        const cv::Matx23d whole = placement(corners, side, 0, 0, 0, 0);
        if (picture->format == OCV_PICTURE_BGR) {
            const cv::Mat bgr = take(picture->planes[0], CV_8UC3, whole, 0);
            cv::cvtColor(bgr, cv::Mat(side, side, CV_8UC3, rgb), cv::COLOR_BGR2RGB);
            return;
        }
        const ocv::FetchPlane luma(*picture);
        const cv::Mat grey = take(picture->planes[0], CV_8UC1, whole, picture->fullRange ? 0 : 16);
        cv::Mat cb(side, side, CV_8UC1, cv::Scalar(128)), cr = cb;
        const bool isColored = picture->format == OCV_PICTURE_YUV;
        if (isColored) {
            const auto middle = [](int shift) { return ((1 << shift) - 1) / 2.0; };
            const cv::Matx23d map = placement(
                corners, side, picture->chromaShiftX, picture->chromaShiftY,
                picture->siting == OCV_SITING_CENTER ? middle(picture->chromaShiftX) : 0,
                picture->siting == OCV_SITING_TOP_LEFT ? 0 : middle(picture->chromaShiftY));
            cb = take(picture->planes[1], CV_8UC1, map, 128);
            cr = take(picture->planes[2], CV_8UC1, map, 128);
        }
        // Of a grey picture the weights count for nothing.
        const ocv::FetchYuv weights(*picture);
        for (int row = 0; row < side; row++) {
            const uint8_t *y = grey.ptr(row), *u = cb.ptr(row), *v = cr.ptr(row);
            for (int column = 0; column < side; column++, rgb += 3) {
                const int base = y[column] * luma.scale + luma.offset, b = u[column] - 128, r = v[column] - 128;
                rgb[0] = uint8_t(ocv::clamped((base + weights.redFromCr * r) >> 16));
                rgb[1] = uint8_t(ocv::clamped((base + weights.greenFromCb * b + weights.greenFromCr * r) >> 16));
                rgb[2] = uint8_t(ocv::clamped((base + weights.blueFromCb * b) >> 16));
            }
        }
    });
}
