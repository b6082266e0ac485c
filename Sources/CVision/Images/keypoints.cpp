#include "Images/reference.hpp"
#include "Pixels/clones.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>

namespace ocv::images {
namespace {

/// ORB's patch, and the parts of a picture that give their best keypoints, pixels.
constexpr int patch = 31, part = 80;
/// Each level of a picture is a third of an octave smaller than the one before.
constexpr float thirdOfOctave = 1.26F;
constexpr int octaveThirds = 5;
/// Half the side of the window over which a corner's gradients are added up.
constexpr int halfWindow = 3, cornerWindow = 2 * halfWindow + 1;
/// Harris's, and the least response that isn't noise of a code or two.
constexpr float edges = 0.04F, leastResponse = 1e5F;

/// The sums of products of gradients over a window, for a row of a picture.
struct Sums {
    explicit Sums(int width) : width(size_t(width)) {
        for (auto *row : {&xx, &xy, &yy}) row->resize(size_t(width) + 8);
        pairs.resize(size_t(width) + 8);
        fours.resize(size_t(width) + 8);
        for (auto &row : rows) row.resize(3 * (size_t(width) + 8));
    }

    size_t width;
    /// The products of the rows in the window, and their sums down the columns.
    std::array<std::vector<int32_t>, cornerWindow> rows;
    std::vector<int32_t> xx, xy, yy, pairs, fours;
};

OCV_CLONES void addProducts(
    const uint8_t *above, const uint8_t *here, const uint8_t *below, size_t width, int32_t *products, int32_t *sumXX,
    int32_t *sumXY, int32_t *sumYY) {
    const size_t stride = width + 8;
    for (size_t x = 1; x + 1 < width; x++) {
        const int right = above[x + 1] + 2 * here[x + 1] + below[x + 1];
        const int left = above[x - 1] + 2 * here[x - 1] + below[x - 1];
        const int lower = below[x - 1] + 2 * below[x] + below[x + 1];
        const int upper = above[x - 1] + 2 * above[x] + above[x + 1];
        const int16_t dx = int16_t((right - left) >> 2), dy = int16_t((lower - upper) >> 2);
        const int32_t xx = dx * dx, xy = dx * dy, yy = dy * dy;
        sumXX[x] += xx - products[x];
        sumXY[x] += xy - products[x + stride];
        sumYY[x] += yy - products[x + 2 * stride];
        products[x] = xx;
        products[x + stride] = xy;
        products[x + 2 * stride] = yy;
    }
}

/// Adds up windows along a row: out[x] is that of in[x] … in[x + cornerWindow − 1].
OCV_CLONES void addAlong(int32_t *in, int32_t *pairs, int32_t *fours, size_t count) {
    for (size_t x = 0; x < count + 5; x++) pairs[x] = in[x] + in[x + 1];
    for (size_t x = 0; x < count; x++) fours[x] = pairs[x] + pairs[x + 2] + pairs[x + 4] + in[x + 6];
}

/// Harris and Stephens 1988. No term of it is fused with another, so that it is the same on every processor.
OCV_CLONES void respond(const int32_t *xx, const int32_t *xy, const int32_t *yy, size_t count, float *out) {
    for (size_t x = 0; x < count; x++) {
        const float a = float(xx[x]), b = float(yy[x]), c = float(xy[x]);
        const float trace = a + b, square = trace * trace, product = a * b, cross = c * c;
        const float determinant = product - cross, less = edges * square;
        out[x] = determinant - less;
    }
}

/// Marks what is greater than its eight neighbours; of equal ones the first.
OCV_CLONES void mark(const float *above, const float *here, const float *below, size_t count, uint8_t *out) {
    for (size_t x = 1; x + 1 < count; x++) {
        const float before = std::max(std::max(above[x - 1], above[x]), std::max(above[x + 1], here[x - 1]));
        const float after = std::max(std::max(below[x - 1], below[x]), std::max(below[x + 1], here[x + 1]));
        out[x] = (here[x] > before) & (here[x] >= after) & (here[x] > leastResponse);
    }
}

struct Corner {
    float response;
    int x, y;
};

/// Harris's corners, those nearer to the edge than a patch aside, for every part of a picture.
void corners(const cv::Mat &picture, int columns, int rows, std::vector<std::vector<Corner>> &inPart) {
    const int width = picture.cols, height = picture.rows, margin = patch / 2 + 1;
    inPart.assign(size_t(columns) * size_t(rows), {});
    if (width < 2 * margin + 1 || height < 2 * margin + 1) return;
    Sums sums(width);
    std::array<std::vector<float>, 3> responses;
    const size_t count = size_t(width - cornerWindow + 1);
    for (auto &row : responses) row.assign(count, 0);
    std::array<std::vector<int32_t>, 3> along;
    for (auto &row : along) row.resize(count + 8);
    std::vector<uint8_t> marks(count + 8);
    for (int y = 1; y + 1 < height; y++) {
        addProducts(
            picture.ptr(y - 1), picture.ptr(y), picture.ptr(y + 1), size_t(width),
            sums.rows[size_t(y % cornerWindow)].data(), sums.xx.data(), sums.xy.data(), sums.yy.data());
        const int middle = y - halfWindow;
        if (middle < margin - 1 || middle > height - margin) continue;
        addAlong(sums.xx.data(), sums.pairs.data(), along[0].data(), count);
        addAlong(sums.xy.data(), sums.pairs.data(), along[1].data(), count);
        addAlong(sums.yy.data(), sums.pairs.data(), along[2].data(), count);
        respond(along[0].data(), along[1].data(), along[2].data(), count, responses[size_t(middle % 3)].data());
        const int centre = middle - 1;
        if (centre < margin) continue;
        const std::vector<float> &here = responses[size_t(centre % 3)];
        mark(
            responses[size_t((centre + 2) % 3)].data(), here.data(), responses[size_t((centre + 1) % 3)].data(), count,
            marks.data());
        std::vector<Corner> *parts = inPart.data() + size_t(centre * rows / height) * size_t(columns);
        for (size_t x = size_t(margin - halfWindow); x < size_t(width - margin - halfWindow);) {
            uint64_t eight = 0;
            std::memcpy(&eight, marks.data() + x, 8);
            if (eight == 0) {
                x += 8;
                continue;
            }
            if (marks[x]) {
                const int column = int(x) + halfWindow;
                parts[column * columns / width].push_back({here[x], column, centre});
            }
            x++;
        }
    }
}

/// Half the width of a round patch in each row from its middle.
const std::array<int, patch / 2 + 1> halfWidths = [] {
    std::array<int, patch / 2 + 1> out{};
    for (int v = 0; v <= patch / 2; v++)
        out[size_t(v)] = int(std::lround(std::sqrt(double(patch / 2) * (patch / 2) - double(v) * v)));
    return out;
}();

struct Moments {
    int along, down;
};

/// Where the weight of a round patch lies from its middle (Rosin 1999, as ORB has it), times its weight.
OCV_CLONES Moments moments(const uint8_t *middle, ptrdiff_t stride) {
    int along = 0, down = 0;
    for (int v = -(patch / 2); v <= patch / 2; v++) {
        const uint8_t *row = middle + v * stride;
        const int half = halfWidths[size_t(std::abs(v))];
        int total = 0, turned = 0;
        for (int u = -half; u <= half; u++) {
            total += row[u];
            turned += u * row[u];
        }
        along += turned;
        down += v * total;
    }
    return {along, down};
}

} // namespace

Keypoints describe(const cv::Mat &picture, int count) {
    Keypoints out;
    // Corners of grass would leave none for the picture on the wall: every part of the frame gives its best.
    const int columns = std::max(1, picture.cols / part), rows = std::max(1, picture.rows / part);
    double area = 0;
    for (int level = 0; level < octaveThirds; level++) area += std::pow(double(thirdOfOctave), -2 * level);
    std::vector<cv::KeyPoint> kept;
    cv::Mat now = picture;
    std::vector<std::vector<Corner>> inPart;
    for (int level = 0; level < octaveThirds; level++) {
        const float scale = std::pow(thirdOfOctave, float(level));
        if (level > 0) {
            cv::Mat smaller;
            const cv::Size size(
                int(std::lround(float(picture.cols) / scale)), int(std::lround(float(picture.rows) / scale)));
            if (std::min(size.width, size.height) < patch + 2) break;
            cv::resize(now, smaller, size, 0, 0, cv::INTER_LINEAR_EXACT);
            now = smaller;
        }
        corners(now, columns, rows, inPart);
        const size_t most = size_t(std::max(2.0, std::round(count / (area * scale * scale * columns * rows))));
        for (std::vector<Corner> &corners : inPart) {
            std::sort(corners.begin(), corners.end(), [](const Corner &a, const Corner &b) {
                return a.response != b.response ? a.response > b.response : std::pair(a.y, a.x) < std::pair(b.y, b.x);
            });
            if (corners.size() > most) corners.resize(most);
            for (const Corner &corner : corners) {
                const Moments heavier = moments(now.ptr(corner.y) + corner.x, ptrdiff_t(now.step));
                const double degrees = std::atan2(double(heavier.down), double(heavier.along)) * 180 / CV_PI;
                kept.emplace_back(
                    float(corner.x) * scale, float(corner.y) * scale, float(patch) * scale,
                    float(degrees < 0 ? degrees + 360 : degrees), corner.response, level);
            }
        }
    }
    if (kept.empty()) return out;
    const cv::Ptr<cv::ORB> orb =
        cv::ORB::create(count, thirdOfOctave, octaveThirds, patch / 2, 0, 2, cv::ORB::HARRIS_SCORE, patch, 8);
    cv::Mat descriptors;
    orb->compute(picture, kept, descriptors);
    out.descriptors.resize(kept.size());
    for (size_t i = 0; i < kept.size(); i++) {
        const cv::KeyPoint &point = kept[i];
        out.points.push_back(
            {point.pt, float(double(point.angle) * CV_PI / 180), std::pow(thirdOfOctave, float(point.octave))});
        std::memcpy(out.descriptors[i].data(), descriptors.ptr(int(i)), sizeof(Descriptor));
    }
    return out;
}

} // namespace ocv::images
