#include "Pixels/Guard.hpp"
#include "Pixels/blur.hpp"
#include "ocv_pixels.h"
#include "ocv_text.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace {

/// Columns of a piece of a line, and from one piece to the next, as parts of the patch's height: about a letter.
constexpr double pieceWidth = 0.625, pieceStep = 0.25;
/// How far a piece is looked for, pixels of the patch: what is followed is a little off.
constexpr int reach = 2;
/// Of a line's variance: a piece with less has no part of a letter in it.
constexpr double leastVariance = 0.3;

struct Sums {
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;

    void add(double x, double y) { a += x, b += y, aa += x * x, bb += y * y, ab += x * y; }
};

/// The correlation of two patches, −1…1.
double correlation(const cv::Mat &a, const cv::Mat &b) {
    Sums sums;
    for (int y = 0; y < a.rows; y++)
        for (int x = 0; x < a.cols; x++) sums.add(a.at<float>(y, x), b.at<float>(y, x));
    const double n = double(a.total());
    const double va = sums.aa - sums.a * sums.a / n, vb = sums.bb - sums.b * sums.b / n;
    return va > 0 && vb > 0 ? (sums.ab - sums.a * sums.b / n) / std::sqrt(va * vb) : 0;
}

double variance(const cv::Mat &patch) {
    cv::Scalar mean, deviation;
    cv::meanStdDev(patch, mean, deviation);
    return deviation[0] * deviation[0];
}

/// Patches that are as alike as this are as blurred.
constexpr double asBlurred = 0.98;

/// Makes the sharper of two patches as blurred as the other: out of focus, or moved along either way.
void blurAlike(cv::Mat &a, cv::Mat &b) {
    const std::pair<double, double> blurs[] = {{0.8, 0.8}, {1.5, 1.5}, {2, 0.3}, {3.5, 0.3}, {0.3, 2}};
    double best = correlation(a, b);
    if (best >= asBlurred) return;
    cv::Mat blurred, first = a, second = b;
    for (const auto &[x, y] : blurs) {
        for (const bool isFirst : {true, false}) {
            ocv::blurFloats(isFirst ? a : b, blurred, x, y);
            const double likeness = isFirst ? correlation(blurred, b) : correlation(a, blurred);
            if (likeness <= best + 0.005) continue;
            best = likeness;
            first = isFirst ? blurred.clone() : a;
            second = isFirst ? b : blurred.clone();
        }
    }
    a = first;
    b = second;
}

/// How alike the columns from `left` on are, where they fit best.
double pieceLikeness(const cv::Mat &a, const cv::Mat &b, int left, int width, double varianceA, double varianceB) {
    double best = -1;
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            if (left + dx < 0 || left + dx + width > b.cols) continue;
            Sums sums;
            for (int y = reach; y < a.rows - reach; y++) {
                const float *rowA = a.ptr<float>(y) + left, *rowB = b.ptr<float>(y + dy) + left + dx;
                for (int x = 0; x < width; x++) sums.add(rowA[x], rowB[x]);
            }
            const double n = double(width * (a.rows - 2 * reach));
            const double va = (sums.aa - sums.a * sums.a / n) / n / varianceA;
            const double vb = (sums.bb - sums.b * sums.b / n) / n / varianceB;
            if (std::max(va, vb) < leastVariance) return 1;
            const double covariance = (sums.ab - sums.a * sums.b / n) / n / std::sqrt(varianceA * varianceB);
            best = std::max(best, covariance / std::max(std::sqrt(va * vb), leastVariance));
        }
    }
    return best;
}

/// True where so much of the way along both sides, 0…1, is within the picture: nothing is to be seen beyond it.
bool isInside(const ocv_plane &luma, const ocv_point corners[4], double along) {
    for (const auto &[from, to] : {std::pair(corners[0], corners[1]), std::pair(corners[3], corners[2])}) {
        const double x = from.x + (to.x - from.x) * along, y = from.y + (to.y - from.y) * along;
        if (x < 0 || y < 0 || x > luma.width - 1 || y > luma.height - 1) return false;
    }
    return true;
}

} // namespace

ocv_status ocv_text_piece_likeness(
    ocv_plane luma, const ocv_point corners[4], int32_t width, int32_t height, const uint8_t *reference, double *least,
    double *usual) OCV_NOEXCEPT {
    return ocv::guarded([&] {
        *least = *usual = 1;
        cv::Mat now(height, width, CV_8U), a, b;
        const ocv_status status = ocv_sample_patch(luma, corners, OCV_PATCH_PLAIN, width, height, now.data);
        if (status.code) return;
        cv::Mat(height, width, CV_8U, const_cast<uint8_t *>(reference)).convertTo(a, CV_32F);
        now.convertTo(b, CV_32F);
        blurAlike(a, b);
        const double varianceA = variance(a), varianceB = variance(b);
        const int piece = std::max(3, int(std::lround(height * pieceWidth)));
        if (varianceA <= 0 || varianceB <= 0 || width < piece || height <= 2 * reach) return;
        const int step = std::max(1, int(std::lround(height * pieceStep)));
        std::vector<double> likenesses;
        for (int left = 0; left + piece <= width; left += step) {
            if (!isInside(luma, corners, double(left) / width)) continue;
            if (!isInside(luma, corners, double(left + piece) / width)) continue;
            likenesses.push_back(pieceLikeness(a, b, left, piece, varianceA, varianceB));
        }
        if (likenesses.empty()) return;
        std::sort(likenesses.begin(), likenesses.end());
        *least = likenesses.front();
        *usual = likenesses[likenesses.size() * 3 / 4];
    });
}
