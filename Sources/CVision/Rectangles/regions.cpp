#include "Rectangles/parts.hpp"

#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::rectangles {

namespace {

/// Half the size by averaging 2×2 pixels; an odd last row or column is dropped.
void halve(const cv::Mat &from, cv::Mat &to) {
    const cv::Size size(from.cols / 2, from.rows / 2);
    cv::resize(from(cv::Rect(0, 0, size.width * 2, size.height * 2)), to, size, 0, 0, cv::INTER_AREA);
}

/// Luma levels between the darkest and the brightest hundredth of the picture, evenly spaced.
std::array<int, levelCount> evenLevels(const cv::Mat &picture) {
    std::array<int, 256> histogram{};
    for (int y = 0; y < picture.rows; ++y) {
        const uint8_t *row = picture.ptr<uint8_t>(y);
        for (int x = 0; x < picture.cols; ++x) ++histogram[row[x]];
    }
    const int hundredth = int(picture.total() / 100);
    int low = 0, high = 255;
    for (int sum = 0; low < 255 && (sum += histogram[low]) <= hundredth;) ++low;
    for (int sum = 0; high > 0 && (sum += histogram[high]) <= hundredth;) --high;
    std::array<int, levelCount> levels;
    for (int i = 0; i < levelCount; ++i) levels[i] = low + (high - low) * (i + 1) / (levelCount + 1);
    return levels;
}

/// How steep a plane is: the sum of both differences over two pixels, grey levels.
void slopes(const cv::Mat &from, cv::Mat &to) {
    to.create(from.size(), CV_8U);
    to.setTo(0);
    for (int y = 1; y + 1 < from.rows; ++y) {
        const uint8_t *above = from.ptr<uint8_t>(y - 1), *row = from.ptr<uint8_t>(y), *below = from.ptr<uint8_t>(y + 1);
        uint8_t *out = to.ptr<uint8_t>(y);
        for (int x = 1; x + 1 < from.cols; ++x)
            out[x] = uint8_t(std::min(255, std::abs(row[x + 1] - row[x - 1]) + std::abs(below[x] - above[x])));
    }
}

} // namespace

void Regions::reduce(const cv::Mat &luma) {
    const double area = 512 * 288;
    scaleX = scaleY = finerX = finerY = 1;
    cv::Mat current = luma;
    finer = luma;
    for (int turn = 0; double(current.total()) >= 2.2 * area; turn ^= 1) {
        if (std::min(current.cols, current.rows) < 64) break;
        halve(current, halves[turn]);
        finer = current;
        current = halves[turn];
        finerX = finerY = 2;
        scaleX *= 2;
        scaleY *= 2;
    }
    if (double(current.total()) > 1.1 * area) {
        const double ratio = std::sqrt(area / double(current.total()));
        const cv::Size size(std::max(1, cvRound(current.cols * ratio)), std::max(1, cvRound(current.rows * ratio)));
        cv::resize(current, working, size, 0, 0, cv::INTER_LINEAR);
        const double x = double(current.cols) / size.width, y = double(current.rows) / size.height;
        scaleX *= x, finerX *= x;
        scaleY *= y, finerY *= y;
    } else {
        working = current;
    }
    halve(working, coarse);
    coarseX = coarseY = 2;
    cv::GaussianBlur(coarse, smoothCoarse, cv::Size(5, 5), 0);
}

void Regions::reduce(const cv::Mat &chroma, const Regions &luma) {
    const cv::Size size = luma.working.size();
    cv::Mat current = chroma;
    for (int turn = 0; current.cols >= 2 * size.width && current.rows >= 2 * size.height; turn ^= 1) {
        halve(current, halves[turn]);
        current = halves[turn];
    }
    if (current.size() != size)
        cv::resize(current, working, size, 0, 0, cv::INTER_LINEAR);
    else
        working = current;
    coarseX = luma.coarseX;
    coarseY = luma.coarseY;
    halve(working, coarse);
    cv::GaussianBlur(coarse, smoothCoarse, cv::Size(5, 5), 0);
}

void Regions::prepare() {
    cv::GaussianBlur(working, smooth, cv::Size(3, 3), 0);
    cv::boxFilter(smooth, mean, CV_8U, cv::Size(41, 41));
    levels = evenLevels(smoothCoarse);
}

bool Regions::addsTo(const Regions &luma, double minimumSide) {
    slopes(smoothCoarse, slope);
    // An edge of luma may lie a pixel or two beside that of chroma, which is subsampled and bleeds.
    slopes(luma.smoothCoarse, known);
    cv::dilate(known, known, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(5, 5)));
    int count = 0;
    for (int y = 0; y < slope.rows; ++y) {
        const uint8_t *own = slope.ptr<uint8_t>(y), *other = known.ptr<uint8_t>(y);
        for (int x = 0; x < slope.cols; ++x) count += (own[x] > 8) & (own[x] > 2 * other[x]);
    }
    // An edge is some two pixels wide.
    return count > 2 * (minimumSide / coarseX);
}

bool Regions::binarise(int index) {
    const auto dilate = [this] { cv::dilate(binary, binary, cv::Mat()); };
    switch (index) {
    case 0: // Edges that survive strong smoothing, which takes away noise and fine texture; faint ones among them.
        cv::Canny(smoothCoarse, binary, 20, 60);
        dilate();
        break;
    case 1: // Darker, then lighter than its surroundings.
        cv::subtract(mean, smooth, binary);
        cv::threshold(binary, binary, 5, 255, cv::THRESH_BINARY);
        break;
    case 2:
        cv::subtract(smooth, mean, binary);
        cv::threshold(binary, binary, 5, 255, cv::THRESH_BINARY);
        break;
    case levelCount + 3: // The clear ones alone, which the faint ones would run into.
        cv::Canny(smoothCoarse, binary, 60, 150);
        dilate();
        break;
    case levelCount + 4: // All edges; a step of 10 grey levels has a Sobel response of about 40.
        cv::Sobel(smooth, dx, CV_16S, 1, 0, 3, 1, 0, cv::BORDER_REPLICATE);
        cv::Sobel(smooth, dy, CV_16S, 0, 1, 3, 1, 0, cv::BORDER_REPLICATE);
        cv::Canny(dx, dy, binary, 50, 120);
        dilate();
        break;
    default: cv::threshold(smoothCoarse, binary, levels[index - 3], 255, cv::THRESH_BINARY); break;
    }
    trace();
    return index != 1 && index != 2 && index != levelCount + 4;
}

void Regions::trace() {
    contours.clear();
    cv::findContours(binary, contours, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
}

} // namespace ocv::rectangles
