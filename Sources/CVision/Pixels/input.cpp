#include "Pixels/Guard.hpp"
#include "Pixels/fetch.hpp"

#include <array>
#include <cmath>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#define OCV_WIDE __attribute__((target("avx2")))
#endif

// What `ocv_crop` and `ocv_fill_tensor` make of an upright box of whole pixels, in one go and row by row: the same values,
// several times as fast. Rows of the picture are converted once, then reduced across, and pairs of these down.

#if defined(__x86_64__) && defined(__clang__) && __has_attribute(target_clones)
// The same integers whatever the processor.
#define OCV_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define OCV_CLONES
#endif

namespace ocv {
namespace {

/// The two pixels that a sample lies between, from a row's first needed one, and the weight of the second in 1⁄2048.
struct Between {
    int32_t first, second, weight;
};

/// Places of samples along one side of the box, as `ocv_crop` has them.
std::vector<Between> places(int start, int length, int samples, int pixels) {
    std::vector<Between> result(static_cast<size_t>(samples));
    const double step = 1.0 / samples, margin = std::min(0.5, length / 2.0) / length;
    for (int s = 0; s < samples; s++) {
        const double share = std::clamp((s + 0.5) * step, margin, std::max(margin, 1 - margin));
        const double place = length * share + (start - 0.5);
        const float at = place > 0 ? float(std::min(place, double(pixels - 1))) : 0;
        const int first = int(at);
        result[size_t(s)] = {first, std::min(first + 1, pixels - 1), int(std::lrint((at - float(first)) * 2048))};
    }
    return result;
}

/// One component of each pixel where it is wanted, four 16-bit lanes a pixel: blue, green, red, and grey in the first lane.
using Lanes = std::array<int16_t, 4>;

OCV_CLONES void luma_row(const uint8_t *luma, int scale, int offset, int count, int16_t *out) {
    for (int x = 0; x < count; x++) {
        const int value = (luma[x] * scale + offset) >> 16;
        out[x] = int16_t(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

/// Sums of two rows of chroma by weight.
OCV_CLONES void chroma_down(const uint8_t *top, const uint8_t *low, int above, int below, int count, int16_t *out) {
    const auto a = uint16_t(above), b = uint16_t(below);
    for (int x = 0; x < count; x++) out[x] = int16_t(uint16_t(top[x] * a) + uint16_t(low[x] * b));
}

/// Two pixels for a value of chroma, left or in their middle. `row` has a value more on either side.
OCV_CLONES void chroma_across(const int16_t *row, bool centered, int total, int count, int16_t *out) {
    const auto even = int16_t((1 << (total - 1)) - 128 * (1 << total)), odd = int16_t(even - 1);
    if (centered) {
        for (int k = 0; k < count; k++) {
            const auto left = int16_t(row[k - 1] + 3 * row[k] + even), right = int16_t(3 * row[k] + row[k + 1] + odd);
            out[2 * k] = int16_t(left >> total);
            out[2 * k + 1] = int16_t(right >> total);
        }
    } else {
        for (int k = 0; k < count; k++) {
            const auto left = int16_t(4 * row[k] + even), right = int16_t(2 * row[k] + 2 * row[k + 1] + odd);
            out[2 * k] = int16_t(left >> total);
            out[2 * k + 1] = int16_t(right >> total);
        }
    }
}

struct Weights {
    int scale, offset, blueFromCb, greenFromCb, greenFromCr, redFromCr;
};

OCV_CLONES void color_row(
    const uint8_t *luma, const int16_t *cb, const int16_t *cr, const Weights &weights, int count, Lanes *out) {
    const Weights w = weights;
    for (int x = 0; x < count; x++) {
        const int base = luma[x] * w.scale + w.offset;
        const int b = (base + w.blueFromCb * cb[x]) >> 16;
        const int g = (base + w.greenFromCb * cb[x] + w.greenFromCr * cr[x]) >> 16;
        const int r = (base + w.redFromCr * cr[x]) >> 16;
        out[x][0] = int16_t(b < 0 ? 0 : b > 255 ? 255 : b);
        out[x][1] = int16_t(g < 0 ? 0 : g > 255 ? 255 : g);
        out[x][2] = int16_t(r < 0 ? 0 : r > 255 ? 255 : r);
        out[x][3] = 0;
    }
}

/// A row reduced across: sixteenths of 1⁄2048.
void across_color(const Lanes *row, const Between *between, int count, Lanes *out) {
    for (int i = 0; i < count; i++) {
        const Between &at = between[i];
        const Lanes &first = row[at.first], &second = row[at.second];
        for (size_t c = 0; c < 4; c++)
            out[i][c] = int16_t((first[c] * (2048 - at.weight) + second[c] * at.weight) >> 4);
    }
}

OCV_CLONES void across_gray(const int16_t *row, const Between *between, int count, int16_t *out) {
    for (int i = 0; i < count; i++) {
        const Between &at = between[i];
        out[i] = int16_t((row[at.first] * (2048 - at.weight) + row[at.second] * at.weight) >> 4);
    }
}

/// Values 0…255 of one lane, each times a factor, side by side.
void scale_lane(const uint8_t *values, int lane, int count, float scale, float *out) {
    for (int i = 0; i < count; i++) out[i] = float(values[4 * i + lane]) * scale;
}

#ifdef OCV_WIDE
// The same integers and floats as above, eight or sixteen at a time.

/// Products with weights of 18 bits and a sign: eight times the value by an eighth of the weight, and the value by the rest.
struct Product {
    __m256i weights;
    OCV_WIDE explicit Product(int weight)
        : weights(_mm256_set1_epi32(int(uint32_t(weight & 7) << 16 | (uint32_t(weight >> 3) & 0xFFFF)))) {}
    OCV_WIDE __m256i of(__m256i pairs) const { return _mm256_madd_epi16(pairs, weights); }
};

struct Pairs {
    __m256i low, high;
    OCV_WIDE explicit Pairs(__m256i values) {
        const __m256i eightfold = _mm256_slli_epi16(values, 3);
        low = _mm256_unpacklo_epi16(eightfold, values);
        high = _mm256_unpackhi_epi16(eightfold, values);
    }
};

OCV_WIDE inline __m256i bytes_of(__m256i low, __m256i high) {
    const __m256i words = _mm256_packs_epi32(_mm256_srai_epi32(low, 16), _mm256_srai_epi32(high, 16));
    return _mm256_min_epi16(_mm256_max_epi16(words, _mm256_setzero_si256()), _mm256_set1_epi16(255));
}

OCV_WIDE void wide_color_row(
    const uint8_t *luma, const int16_t *cb, const int16_t *cr, const Weights &w, int count, Lanes *out) {
    const Product y(w.scale), blue(w.blueFromCb), greenB(w.greenFromCb), greenR(w.greenFromCr), red(w.redFromCr);
    const __m256i offset = _mm256_set1_epi32(w.offset);
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        const Pairs lumas(_mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(luma + x))));
        const Pairs blues(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(cb + x)));
        const Pairs reds(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(cr + x)));
        const __m256i low = _mm256_add_epi32(y.of(lumas.low), offset);
        const __m256i high = _mm256_add_epi32(y.of(lumas.high), offset);
        const __m256i b =
            bytes_of(_mm256_add_epi32(low, blue.of(blues.low)), _mm256_add_epi32(high, blue.of(blues.high)));
        const __m256i g = bytes_of(
            _mm256_add_epi32(low, _mm256_add_epi32(greenB.of(blues.low), greenR.of(reds.low))),
            _mm256_add_epi32(high, _mm256_add_epi32(greenB.of(blues.high), greenR.of(reds.high))));
        const __m256i r = bytes_of(_mm256_add_epi32(low, red.of(reds.low)), _mm256_add_epi32(high, red.of(reds.high)));
        // Half registers have pixels 0…7 and 8…15.
        const __m256i zero = _mm256_setzero_si256();
        const __m256i bgLow = _mm256_unpacklo_epi16(b, g), bgHigh = _mm256_unpackhi_epi16(b, g);
        const __m256i rLow = _mm256_unpacklo_epi16(r, zero), rHigh = _mm256_unpackhi_epi16(r, zero);
        const __m256i p01 = _mm256_unpacklo_epi32(bgLow, rLow), p23 = _mm256_unpackhi_epi32(bgLow, rLow);
        const __m256i p45 = _mm256_unpacklo_epi32(bgHigh, rHigh), p67 = _mm256_unpackhi_epi32(bgHigh, rHigh);
        __m256i *place = reinterpret_cast<__m256i *>(out + x);
        _mm256_storeu_si256(place, _mm256_permute2x128_si256(p01, p23, 0x20));
        _mm256_storeu_si256(place + 1, _mm256_permute2x128_si256(p45, p67, 0x20));
        _mm256_storeu_si256(place + 2, _mm256_permute2x128_si256(p01, p23, 0x31));
        _mm256_storeu_si256(place + 3, _mm256_permute2x128_si256(p45, p67, 0x31));
    }
    color_row(luma + x, cb + x, cr + x, w, count - x, out + x);
}

OCV_WIDE void wide_across_color(const Lanes *row, const Between *between, int count, Lanes *out) {
    // The second pixel lies behind the first, or has no weight and is as good as any.
    const __m128i order = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    for (int i = 0; i < count; i++) {
        const Between &at = between[i];
        const __m128i pairs =
            _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i *>(row + at.first)), order);
        const __m128i sums = _mm_madd_epi16(pairs, _mm_set1_epi32((at.weight << 16) | (2048 - at.weight)));
        const __m128i values = _mm_srai_epi32(sums, 4);
        _mm_storel_epi64(reinterpret_cast<__m128i *>(&out[i]), _mm_packs_epi32(values, values));
    }
}

OCV_WIDE void wide_scale_lane(const uint8_t *values, int lane, int count, float scale, float *out) {
    const __m256i mask = _mm256_set1_epi32(255);
    const __m128i shift = _mm_cvtsi32_si128(8 * lane);
    const __m256 factor = _mm256_set1_ps(scale);
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256i pixels = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(values + 4 * i));
        const __m256i own = _mm256_and_si256(_mm256_srl_epi32(pixels, shift), mask);
        _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_cvtepi32_ps(own), factor));
    }
    scale_lane(values + 4 * i, lane, count - i, scale, out + i);
}
#endif

/// The fastest ways that the processor has.
struct Ways {
    decltype(&color_row) color = color_row;
    decltype(&across_color) across = across_color;
    decltype(&scale_lane) scale = scale_lane;

    Ways() {
#ifdef OCV_WIDE
        if (!__builtin_cpu_supports("avx2")) return;
        color = wide_color_row;
        across = wide_across_color;
        scale = wide_scale_lane;
#endif
    }
};
const Ways &ways() {
    static const Ways ways;
    return ways;
}

/// Two reduced rows to values of 0…255.
OCV_CLONES void down_row(const int16_t *top, const int16_t *low, int weight, int count, uint8_t *out) {
    const auto above = int16_t(2048 - weight), below = int16_t(weight);
    for (int i = 0; i < count; i++)
        out[i] = uint8_t((int16_t(above * top[i] >> 16) + int16_t(below * low[i] >> 16) + 2) >> 2);
}

/// Rows of a picture, each converted and reduced across once.
class Rows {
public:
    const bool gray;

    Rows(const ocv_picture &picture, bool gray, const std::vector<Between> &across)
        : gray(gray), picture(picture), luma(picture),
          yuv(picture.format == OCV_PICTURE_YUV ? picture : gray_picture(picture)), across(across),
          from(across.front().first), to(from) {
        for (const Between &at : across) {
            from = std::min(from, at.first);
            to = std::max(to, at.second);
        }
        // An even first column, so that pairs of pixels share their chroma.
        from &= ~1;
        for (Between &at : this->across) {
            at.first -= from;
            at.second -= from;
        }
        const size_t width = size_t(to - from + 1);
        converted.resize(width + 2);
        lanes.resize(width + 2);
        for (Line &line : lines) line.values.resize(across.size() * (gray ? 1 : 4));
        for (auto &row : chroma) row.resize(width + 4);
        for (auto &row : sums) row.resize(width / 2 + 6);
        simple = yuv.across.bits == 2 && picture.format == OCV_PICTURE_YUV && yuv.down.bits <= 2 &&
                 from / 2 <= yuv.across.last;
    }

    /// - Parameter other: a row that is needed beside it.
    const int16_t *row(int y, int other) {
        for (const Line &line : lines)
            if (line.row == y) return line.values.data();
        Line &line = lines[0].row == other ? lines[1] : lines[0];
        line.row = y;
        const int count = int(across.size());
        if (gray) {
            convert_gray(y);
            across_gray(converted.data(), across.data(), count, line.values.data());
        } else {
            convert_color(y);
            ways().across(lanes.data(), across.data(), count, reinterpret_cast<Lanes *>(line.values.data()));
        }
        return line.values.data();
    }

private:
    struct Line {
        int row = -1;
        std::vector<int16_t> values;
    };

    /// Stands for planes of chroma where there are none.
    static ocv_picture gray_picture(ocv_picture picture) {
        picture.planes[1] = picture.planes[2] = picture.planes[0];
        picture.chromaShiftX = picture.chromaShiftY = 0;
        return picture;
    }

    void convert_gray(int y) {
        const int count = to - from + 1;
        if (picture.format == OCV_PICTURE_BGR) {
            const auto source = FetchBgrAsGray(picture).row(y);
            for (int x = 0; x < count; x++) {
                int value;
                source(from + x, &value);
                converted[size_t(x)] = int16_t(value);
            }
        } else {
            luma_row(luma.plane.data + y * luma.plane.stride + from, luma.scale, luma.offset, count, converted.data());
        }
    }

    void convert_color(int y) {
        const int count = to - from + 1;
        if (picture.format == OCV_PICTURE_YUV && simple) return convert_halved(y);
        for (int x = 0; x < count; x++) {
            int values[3];
            if (picture.format == OCV_PICTURE_BGR) {
                FetchBgr(picture).row(y)(from + x, values);
            } else if (picture.format == OCV_PICTURE_YUV) {
                yuv.row(y)(from + x, values);
            } else {
                luma.row(y)(from + x, values);
                values[1] = values[2] = values[0];
            }
            lanes[size_t(x)] = {int16_t(values[0]), int16_t(values[1]), int16_t(values[2]), 0};
        }
    }

    /// The common case: a value of chroma for two columns.
    void convert_halved(int y) {
        const int count = to - from + 1, first = from / 2, total = yuv.across.bits + yuv.down.bits;
        int top, low, weight;
        yuv.down.locate(y, top, low, weight);
        const ocv_plane *planes[] = {&yuv.cb, &yuv.cr};
        for (int plane = 0; plane < 2; plane++) {
            const uint8_t *above = planes[plane]->data + top * planes[plane]->stride;
            const uint8_t *below = planes[plane]->data + low * planes[plane]->stride;
            // A value before the first and one behind the last; the border's go on.
            const int pairs = (count + 1) / 2, start = std::max(first - 1, 0), last = yuv.across.last;
            const int end = std::min(first + pairs, last);
            int16_t *sum = sums[size_t(plane)].data() + 1 + (start - first);
            chroma_down(above + start, below + start, (1 << yuv.down.bits) - weight, weight, end - start + 1, sum);
            int16_t *own = sums[size_t(plane)].data() + 1;
            if (first == 0) own[-1] = own[0];
            for (int k = end - first + 1; k <= pairs; k++) own[k] = own[end - first];
            chroma_across(own, picture.siting == OCV_SITING_CENTER, total, pairs, chroma[size_t(plane)].data());
        }
        const Weights weights = {luma.scale,      luma.offset,     yuv.blueFromCb,
                                 yuv.greenFromCb, yuv.greenFromCr, yuv.redFromCr};
        ways().color(
            luma.plane.data + y * luma.plane.stride + from, chroma[0].data(), chroma[1].data(), weights, count,
            lanes.data());
    }

    const ocv_picture &picture;
    FetchPlane luma;
    FetchYuv yuv;
    std::vector<Between> across;
    int from, to;
    bool simple;
    std::vector<int16_t> converted;
    std::vector<Lanes> lanes;
    std::array<std::vector<int16_t>, 2> chroma, sums;
    std::array<Line, 2> lines;
};

/// Puts a row of values into the tensor, each as its table has it.
void store(
    const uint8_t *values, int count, const ocv_input_options &options, const float (*tables)[256], int64_t place,
    float *tensor) {
    const int channels = options.channels == OCV_CHANNELS_GRAY ? 1 : 3;
    const int step = channels == 1 ? 1 : 4;
    const bool planar = options.normalization.layout == OCV_LAYOUT_NCHW;
    const int64_t pixels = int64_t(options.width) * options.height;
    for (int c = 0; c < channels; c++) {
        const int lane = channels == 1 ? 0 : options.channels == OCV_CHANNELS_RGB ? 2 - c : c;
        float *out = planar ? tensor + c * pixels + place : tensor + place * channels + c;
        // A product of a byte and a float is exact in double: the table has what one multiplication gives.
        if (planar && step == 4 && options.normalization.mean[c] == 0 && options.normalization.std[c] == 1) {
            ways().scale(values, lane, count, options.normalization.scale, out);
            continue;
        }
        const int apart = planar ? 1 : channels;
        const float *table = tables[c];
        for (int i = 0; i < count; i++) out[i * apart] = table[values[i * step + lane]];
    }
}

const char *problem(const ocv_picture *picture, const ocv_input_options &options) {
    const ocv_plane &first = picture->planes[0];
    if (!first.data || first.width < 1 || first.height < 1) return "the picture has no pixels";
    if (options.x < 0 || options.y < 0 || options.boxWidth < 1 || options.boxHeight < 1 ||
        options.boxWidth > first.width - options.x || options.boxHeight > first.height - options.y)
        return "the box is not within the picture";
    if (options.left < 0 || options.top < 0 || options.across < 1 || options.down < 1 || options.width < 1 ||
        options.height < 1 || options.width > 8192 || options.height > 8192 ||
        options.across > options.width - options.left || options.down > options.height - options.top)
        return "the box's place is not within the network's input";
    return nullptr;
}

} // namespace
} // namespace ocv

using namespace ocv;

ocv_status ocv_fill_input(const ocv_picture *picture, const ocv_input_options *options, float *tensor) noexcept {
    if (!picture || !options || !tensor) return failure("a network's input needs a picture, options and room for it");
    if (const char *message = problem(picture, *options)) return failure(message);
    const ocv_input_options &wanted = *options;
    const bool gray = wanted.channels == OCV_CHANNELS_GRAY;
    const int channels = gray ? 1 : 3;
    float tables[3][256];
    for (int c = 0; c < channels; c++) {
        for (int value = 0; value < 256; value++) {
            const double scaled = value * double(wanted.normalization.scale);
            tables[c][value] = float((scaled - wanted.normalization.mean[c]) / wanted.normalization.std[c]);
            if (!std::isfinite(tables[c][value])) return failure("scale, mean and std must be finite, and std not 0");
        }
    }
    return guarded([&] {
        const ocv_plane &first = picture->planes[0];
        const std::vector<Between> across = places(wanted.x, wanted.boxWidth, wanted.across, first.width);
        const std::vector<Between> down = places(wanted.y, wanted.boxHeight, wanted.down, first.height);
        Rows rows(*picture, gray, across);
        const int per = gray ? 1 : 4;
        std::vector<uint8_t> values(size_t(wanted.across) * size_t(per));
        const std::vector<uint8_t> border(size_t(wanted.width) * size_t(per), wanted.padding);
        auto pad = [&](int row, int from, int count) {
            if (count > 0) store(border.data(), count, wanted, tables, int64_t(row) * wanted.width + from, tensor);
        };
        for (int row = 0; row < wanted.height; row++) {
            const int j = row - wanted.top;
            if (j < 0 || j >= wanted.down) {
                pad(row, 0, wanted.width);
                continue;
            }
            const Between &at = down[size_t(j)];
            const int16_t *top = rows.row(at.first, at.second), *low = rows.row(at.second, at.first);
            down_row(top, low, at.weight, wanted.across * per, values.data());
            pad(row, 0, wanted.left);
            store(values.data(), wanted.across, wanted, tables, int64_t(row) * wanted.width + wanted.left, tensor);
            pad(row, wanted.left + wanted.across, wanted.width - wanted.left - wanted.across);
        }
    });
}
