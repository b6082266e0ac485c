#include "Pixels/cubic.hpp"
#include "Pixels/lanes.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>
#include <vector>

namespace ocv {
// A room is compiled as one.
namespace cubic {
namespace {

/// Places between two pixels along an axis, as bits and as a number; the weights of each in 1⁄32768.
constexpr int placeBits = 5, places = 1 << placeBits, weightBits = 15;

/// Weights of four by four pixels, row by row, for every place between the middle ones.
struct Kernels {
    alignas(16) int16_t weights[places * places][16];

    Kernels() {
        float along[places][4];
        for (int i = 0; i < places; i++) {
            constexpr float a = -0.75f;
            const float x = float(i) * (1.f / places);
            along[i][0] = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a;
            along[i][1] = ((a + 2) * x - (a + 3)) * x * x + 1;
            along[i][2] = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1;
            along[i][3] = 1.f - along[i][0] - along[i][1] - along[i][2];
        }
        for (int i = 0; i < places * places; i++) {
            int16_t *kernel = weights[i];
            int sum = 0;
            for (int k = 0; k < 16; k++) {
                const float weight = along[i / places][k / 4] * along[i % places][k % 4];
                kernel[k] = cv::saturate_cast<int16_t>(weight * (1 << weightBits));
                sum += kernel[k];
            }
            // Rounding is made up for at the largest, or at the smallest, of the last pixels in the middle, as OpenCV does it.
            int most = 10, least = 10;
            for (const int k : {10, 11, 14, 15})
                if (kernel[k] < kernel[least])
                    least = k;
                else if (kernel[k] > kernel[most])
                    most = k;
            const int off = sum - (1 << weightBits);
            int16_t &change = kernel[off < 0 ? most : least];
            change = int16_t(change - off);
        }
    }
};

/// The first of four by four pixels, and which kernel weighs them.
struct Reach {
    int x, y, kernel;
};

/// Where the pixels of a patch's row are in the picture.
class Row {
public:
    Row(const cv::Matx33d &map, int row, int count)
        : x0(map(0, 1) * row + map(0, 2)), y0(map(1, 1) * row + map(1, 2)), w0(map(2, 1) * row + map(2, 2)),
          dx(map(0, 0)), dy(map(1, 0)), dw(map(2, 0)), count(count) {}

    Reach at(int i) const {
        double w = w0 + dw * double(i);
        w = w != 0 ? places / w : 0;
        const int x = place((x0 + dx * double(i)) * w), y = place((y0 + dy * double(i)) * w);
        return {
            cv::saturate_cast<int16_t>(x >> placeBits) - 1, cv::saturate_cast<int16_t>(y >> placeBits) - 1,
            (y & (places - 1)) * places + (x & (places - 1))};
    }

    /// Whether all that is reached for is within a rectangle: what lies between two such places is.
    bool isWithin(const cv::Rect &rect) const {
        // A pixel of room for rounding.
        const auto isInside = [&](const Reach &at) {
            return at.x > rect.x && at.y > rect.y && at.x + 4 < rect.x + rect.width && at.y + 4 < rect.y + rect.height;
        };
        return isAhead(w0 > 0) && isInside(at(0)) && isInside(at(count - 1));
    }

    /// Whether the row doesn't cross the horizon, on one side of it.
    bool isAhead(bool isPositive) const { return (w0 > 0) == isPositive && (w0 + dw * (count - 1) > 0) == isPositive; }

    /// All of them, of a row that is within the picture: the same, several at once.
    void fill(int *xs, int *ys) const {
        int i = 0;
#if CV_SIMD128_64F
        const auto all = [](double value) { return cv::v_setall_f64(value); };
        const cv::v_float64x2 scale = all(places);
        for (; i + 4 <= count; i += 4) {
            const cv::v_float64x2 first(i, i + 1), second(i + 2, i + 3);
            const cv::v_float64x2 w1 = lanesOver(scale, lanesSum(all(w0), lanesTimes(all(dw), first)));
            const cv::v_float64x2 w2 = lanesOver(scale, lanesSum(all(w0), lanesTimes(all(dw), second)));
            const auto places = [&](double start, double step) {
                return cv::v_round(
                    lanesTimes(lanesSum(all(start), lanesTimes(all(step), first)), w1),
                    lanesTimes(lanesSum(all(start), lanesTimes(all(step), second)), w2));
            };
            cv::v_store(xs + i, places(x0, dx));
            cv::v_store(ys + i, places(y0, dy));
        }
#endif
        for (; i < count; i++) {
            const double w = places / (w0 + dw * double(i));
            xs[i] = cvRound((x0 + dx * double(i)) * w);
            ys[i] = cvRound((y0 + dy * double(i)) * w);
        }
    }

private:
    static int place(double value) {
        return cv::saturate_cast<int>(std::max(double(INT_MIN), std::min(double(INT_MAX), value)));
    }

    double x0, y0, w0, dx, dy, dw;
    int count;
};

/// Four pixels, as they lie in memory.
inline uint32_t four(const uint8_t *pixels) {
    uint32_t all;
    std::memcpy(&all, pixels, sizeof all);
    return all;
}

#if CV_SIMD128
/// Four sums whose sum is that of four by four pixels by weight.
inline cv::v_int32x4 quarters(const uint8_t *first, size_t step, const int16_t *weights) {
    // Put together in a register: what was just stored in pieces isn't loaded at once for long.
    const cv::v_uint32x4 rows(four(first), four(first + step), four(first + 2 * step), four(first + 3 * step));
    cv::v_uint16x8 upper, lower;
    cv::v_expand(cv::v_reinterpret_as_u8(rows), upper, lower);
    const cv::v_int32x4 above = cv::v_dotprod(cv::v_reinterpret_as_s16(upper), cv::v_load_aligned(weights));
    return cv::v_dotprod(cv::v_reinterpret_as_s16(lower), cv::v_load_aligned(weights + 8), above);
}

/// Four pixels of a patch.
/// - Parameter take: gives the first of the pixels that one of them is made of, and their weights.
template <typename Take> inline void weigh4(const Take &take, size_t step, uint8_t *out) {
    cv::v_int32x4 sums[4], lanes[4];
    for (int k = 0; k < 4; k++) {
        const auto [first, weights] = take(k);
        sums[k] = quarters(first, step, weights);
    }
    cv::v_transpose4x4(sums[0], sums[1], sums[2], sums[3], lanes[0], lanes[1], lanes[2], lanes[3]);
    const cv::v_int32x4 all = lanesSum(lanesSum(lanes[0], lanes[1]), lanesSum(lanes[2], lanes[3]));
    const cv::v_int16x8 rounded = cv::v_rshr_pack<weightBits>(all, all);
    uint8_t values[16];
    cv::v_store(values, cv::v_pack_u(rounded, rounded));
    std::memcpy(out, values, 4);
}
#endif

/// A pixel of a patch.
inline uint8_t weighed(const uint8_t *first, size_t step, const int16_t *weights) {
    int sum = 1 << (weightBits - 1);
    for (size_t k = 0; k < 16; k++) sum += first[k / 4 * step + k % 4] * weights[k];
    return cv::saturate_cast<uint8_t>(sum >> weightBits);
}

/// A pixel of a patch of which a part of what it is made of is beyond the picture, whose border goes on there.
uint8_t weighed(const cv::Mat &picture, const Reach &at, const int16_t *weights) {
    int columns[4];
    uint8_t pixels[16];
    for (int k = 0; k < 4; k++) columns[k] = std::clamp(at.x + k, 0, picture.cols - 1);
    for (int k = 0; k < 4; k++) {
        const uint8_t *line = picture.ptr(std::clamp(at.y + k, 0, picture.rows - 1));
        for (int i = 0; i < 4; i++) pixels[4 * k + i] = line[columns[i]];
    }
    return weighed(pixels, 4, weights);
}

/// A picture, or a part of it with what is beyond its border, and where that starts.
struct Ground {
    cv::Mat pixels;
    cv::Point origin;

    cv::Rect rect() const { return {origin, pixels.size()}; }
};

/// The most pixels that the border goes on for, and how much larger than a patch what it shows may be for a copy of that to be
/// worth while.
constexpr int farthest = 8192, mostByPatch = 16;

/// What a patch shows of a picture whose border goes on beyond it: so rows that reach there are like any others. The picture itself
/// where it reaches nowhere beyond, or too far.
Ground ground(const cv::Mat &picture, const cv::Matx33d &map, const cv::Size &patch) {
    const Ground bare{picture, {}};
    const Row first(map, 0, patch.width), last(map, patch.height - 1, patch.width);
    if (first.isWithin(bare.rect()) && last.isWithin(bare.rect())) return bare;
    const bool isPositive = first.isAhead(true);
    if (!first.isAhead(isPositive) || !last.isAhead(isPositive)) return bare;
    // All that is between four corners lies between where they lie.
    int left = INT_MAX, top = INT_MAX, right = INT_MIN, bottom = INT_MIN;
    for (const Row &row : {first, last}) {
        for (const int end : {0, patch.width - 1}) {
            const Reach at = row.at(end);
            left = std::min(left, at.x - 2), right = std::max(right, at.x + 6);
            top = std::min(top, at.y - 2), bottom = std::max(bottom, at.y + 6);
        }
    }
    if (left < -farthest || top < -farthest || right > picture.cols + farthest || bottom > picture.rows + farthest)
        return bare;
    // What is wholly beyond shows the nearest of the picture.
    left = std::min(left, picture.cols - 1), right = std::max(right, 1);
    top = std::min(top, picture.rows - 1), bottom = std::max(bottom, 1);
    if (int64_t(right - left) * (bottom - top) > int64_t(mostByPatch) * patch.area()) return bare;
    const cv::Rect all(left, top, right - left, bottom - top), seen = all & cv::Rect({}, picture.size());
    Ground out{{}, all.tl()};
    cv::copyMakeBorder(
        picture(seen), out.pixels, seen.y - top, bottom - seen.br().y, seen.x - left, right - seen.br().x,
        cv::BORDER_REPLICATE | cv::BORDER_ISOLATED);
    return out;
}

} // namespace
} // namespace cubic

void warpCubic(const cv::Mat &picture, const cv::Matx33d &toPicture, cv::Mat &patch) {
    using namespace cubic;
    static const Kernels kernels;
    std::vector<int> xs(size_t(patch.cols)), ys(xs);
    const Ground ground = cubic::ground(picture, toPicture, patch.size());
    const cv::Rect rect = ground.rect();
    const size_t step = ground.pixels.step;
    const uint8_t *pixels = ground.pixels.data;
    for (int y = 0; y < patch.rows; y++) {
        const Row row(toPicture, y, patch.cols);
        uint8_t *out = patch.ptr(y);
        if (!row.isWithin(rect)) {
            for (int x = 0; x < patch.cols; x++) {
                const Reach at = row.at(x);
                out[x] = weighed(picture, at, kernels.weights[at.kernel]);
            }
            continue;
        }
        row.fill(xs.data(), ys.data());
        const auto take = [&](int x) {
            const int column = xs[size_t(x)], line = ys[size_t(x)];
            return std::pair(
                pixels + ptrdiff_t((line >> placeBits) - 1 - rect.y) * ptrdiff_t(step) +
                    ((column >> placeBits) - 1 - rect.x),
                kernels.weights[(line & (places - 1)) * places + (column & (places - 1))]);
        };
        int x = 0;
#if CV_SIMD128
        for (; x + 4 <= patch.cols; x += 4) weigh4([&](int k) { return take(x + k); }, step, out + x);
#endif
        for (; x < patch.cols; x++) {
            const auto [first, weights] = take(x);
            out[x] = weighed(first, step, weights);
        }
    }
}

} // namespace ocv
