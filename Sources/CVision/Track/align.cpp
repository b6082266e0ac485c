#include "Track/align.hpp"
#include "Pixels/blur.hpp"
#include "Track/figure.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::track {

namespace {

/// Pixels of a look, and how far around the object's box it is looked for.
constexpr double lookArea = 1600, reach = 1.6;
constexpr double lookRate = 0.1;
constexpr double coarse = 2.5, fine = 0.8;
constexpr int coarseSteps = 10, fineSteps = 6;
/// What commonly changes from frame to frame, but for the turn: pixels of the look, logarithms.
constexpr double commonShift = 4, commonGrowth = 0.04, commonStretch = 0.04;
/// Pixels that err together, and the error of a covered one in standard deviations of the look.
constexpr double related = 200;
constexpr double covered = 0.7;
/// Of pixels in the box that look like the ground: they move with it, but may be the object's all the same.
constexpr double leastWeight = 0.2;

/// Mean of the products of two planes.
double product(const cv::Mat &a, const cv::Mat &b, const cv::Mat &weights) {
    cv::Mat both;
    cv::multiply(a, b, both);
    return both.dot(weights) / cv::sum(weights)[0];
}

/// Weighted mean 0 and variance 1; nearly uniform ones become fainter, as what they show is noise.
void standardizeLook(cv::Mat &plane, const cv::Mat &weights) {
    plane -= plane.dot(weights) / cv::sum(weights)[0];
    plane /= std::sqrt(product(plane, plane, weights) + 1);
}

} // namespace

cv::Mat Alignment::own(const cv::Mat &picture, const Place &place) {
    sample(
        picture, Window{place.middle, place.size.width / size.width, place.size.height / size.height, place.angle},
        size, patch);
    cv::Mat gray = patch, result;
    if (patch.channels() == 3) cv::cvtColor(patch, gray, cv::COLOR_BGR2GRAY);
    gray.convertTo(result, CV_32F);
    return result;
}

void Alignment::seed(const cv::Mat &picture, const Place &place) {
    const double unit = std::sqrt(place.size.area() / lookArea);
    size = cv::Size(
        std::clamp(int(std::lround(place.size.width / unit)), 12, 130),
        std::clamp(int(std::lround(place.size.height / unit)), 12, 130));
    weights = figureOf(picture, place, size);
    for (int y = 0; y < size.height; y++) {
        for (int x = 0; x < size.width; x++) {
            const double dx = (2 * x + 1.0) / size.width - 1, dy = (2 * y + 1.0) / size.height - 1;
            const double far = dx * dx + dy * dy;
            float &weight = weights.at<float>(y, x);
            weight = float((leastWeight + (1 - leastWeight) * weight) * std::max(0.0, 1 - far * far));
        }
    }
    look = own(picture, place);
}

void Alignment::learn(const cv::Mat &picture, const Place &place) {
    cv::addWeighted(look, 1 - lookRate, own(picture, place), lookRate, 0, look);
}

double Alignment::descend(
    const cv::Mat &base, const cv::Mat &smooth, cv::Size2d shape, int steps, const Turning &turning,
    double *warp) const {
    const double common[freedoms] = {commonShift, commonShift, commonGrowth, turning.give, commonStretch};
    cv::Mat wanted = smooth.clone(), gx, gy, now;
    standardizeLook(wanted, weights);
    cv::Sobel(wanted, gx, CV_32F, 1, 0, 3, 0.125);
    cv::Sobel(wanted, gy, CV_32F, 0, 1, 3, 0.125);
    const double middleX = (size.width - 1) / 2.0, middleY = (size.height - 1) / 2.0;
    for (int step = 0;; step++) {
        const double c = std::cos(warp[turn]), s = std::sin(warp[turn]);
        const double wide = shape.width * std::exp(warp[growth] + warp[stretch]),
                     high = shape.height * std::exp(warp[growth] - warp[stretch]);
        cv::Matx23d map(c * wide, -s * high, 0, s * wide, c * high, 0);
        map(0, 2) = (base.cols - 1) / 2.0 + warp[across] - map(0, 0) * middleX - map(0, 1) * middleY;
        map(1, 2) = (base.rows - 1) / 2.0 + warp[down] - map(1, 0) * middleX - map(1, 1) * middleY;
        cv::warpAffine(base, now, map, size, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
        standardizeLook(now, weights);
        if (step == steps) return product(now, wanted, weights);
        cv::Matx<double, freedoms, freedoms> hessian;
        cv::Vec<double, freedoms> slope;
        double total = 0, errors = 0;
        for (int y = 0; y < size.height; y++) {
            const float *t = wanted.ptr<float>(y), *i = now.ptr<float>(y), *w = weights.ptr<float>(y),
                        *dx = gx.ptr<float>(y), *dy = gy.ptr<float>(y);
            for (int x = 0; x < size.width; x++) {
                if (w[x] <= 0) continue;
                const double off = i[x] - t[x], weight = w[x] / (1 + off * off / (covered * covered));
                const double u = x - middleX, v = y - middleY;
                const double j[freedoms] = {
                    dx[x], dy[x], u * dx[x] + v * dy[x],
                    u * dy[x] * shape.width / shape.height - v * dx[x] * shape.height / shape.width,
                    u * dx[x] - v * dy[x]};
                for (int a = 0; a < freedoms; a++) {
                    slope[a] += weight * j[a] * off;
                    for (int b = a; b < freedoms; b++) hessian(a, b) += weight * j[a] * j[b];
                }
                total += weight;
                errors += w[x] * off * off;
            }
        }
        const cv::Point2d shift((c * warp[across] + s * warp[down]) / wide, (c * warp[down] - s * warp[across]) / high);
        const double so[freedoms] = {shift.x, shift.y, warp[growth], warp[turn] - turning.by, warp[stretch]};
        for (int a = 0; a < freedoms; a++) {
            const double tie = related * (errors / total) / (common[a] * common[a]);
            hessian(a, a) += tie;
            slope[a] += tie * so[a];
            for (int b = 0; b < a; b++) hessian(a, b) = hessian(b, a);
        }
        const cv::Vec<double, freedoms> by = hessian.solve(slope, cv::DECOMP_CHOLESKY);
        warp[across] -= c * wide * by[0] - s * high * by[1];
        warp[down] -= s * wide * by[0] + c * high * by[1];
        for (int a = growth; a < freedoms; a++) warp[a] = std::clamp(warp[a] - by[a], -0.5, 0.5);
        warp[across] = std::clamp(warp[across], -0.5 * base.cols, 0.5 * base.cols);
        warp[down] = std::clamp(warp[down], -0.5 * base.rows, 0.5 * base.rows);
    }
}

Alignment::Result Alignment::locate(const cv::Mat &picture, const Place &place, const Turning &turning) {
    // Around the object at one scale, turned as it was last: all steps are taken in there.
    const double unit = std::sqrt(place.size.area() / size.area());
    const cv::Size2d shape(place.size.width / size.width / unit, place.size.height / size.height / unit);
    const cv::Size around(
        std::clamp(int(std::lround(reach * place.size.width / unit)), 16, 400),
        std::clamp(int(std::lround(reach * place.size.height / unit)), 16, 400));
    cv::Mat base, sharp, blurred, wanted;
    sample(picture, Window{place.middle, unit, unit, place.angle}, around, base);
    if (base.channels() == 3) cv::cvtColor(base, base, cv::COLOR_BGR2GRAY);
    base.convertTo(base, CV_32F);
    blurFloats(base, sharp, fine, fine);
    blurFloats(base, blurred, coarse, coarse);
    double warp[freedoms] = {};
    Result result{place, 0, 0};
    blurFloats(look, wanted, fine, fine);
    result.before = descend(sharp, wanted, shape, 0, turning, warp);
    cv::Mat wide;
    warp[turn] = turning.by;
    blurFloats(look, wide, coarse, coarse);
    descend(blurred, wide, shape, coarseSteps, turning, warp);
    result.after = descend(sharp, wanted, shape, fineSteps, turning, warp);
    result.place = place.moved(place.outward({warp[across] * unit, warp[down] * unit}))
                       .turned(warp[turn])
                       .scaled(std::exp(warp[growth] + warp[stretch]), std::exp(warp[growth] - warp[stretch]));
    return result;
}

} // namespace ocv::track
