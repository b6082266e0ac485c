#include "Pixels/rows.hpp"

#include "Pixels/clones.hpp"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define OCV_WIDE __attribute__((target("avx2")))
#endif

namespace ocv {
namespace {

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

OCV_CLONES void color_row(
    const uint8_t *luma, const int16_t *cb, const int16_t *cr, const Weights &weights, int count, Pixel *out) {
    const Weights w = weights;
    for (int x = 0; x < count; x++) {
        const int base = luma[x] * w.scale + w.offset;
        const int b = (base + w.blueFromCb * cb[x]) >> 16;
        const int g = (base + w.greenFromCb * cb[x] + w.greenFromCr * cr[x]) >> 16;
        const int r = (base + w.redFromCr * cr[x]) >> 16;
        out[x][0] = uint8_t(b < 0 ? 0 : b > 255 ? 255 : b);
        out[x][1] = uint8_t(g < 0 ? 0 : g > 255 ? 255 : g);
        out[x][2] = uint8_t(r < 0 ? 0 : r > 255 ? 255 : r);
        out[x][3] = 0;
    }
}

/// A row reduced across: sixteenths of 1⁄2048.
void across_color(const Pixel *row, const Between *between, int count, Lanes *out) {
    for (int i = 0; i < count; i++) {
        const Between &at = between[i];
        const Pixel &first = row[at.first], &second = row[at.second];
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

/// Two reduced rows to values of 0…255.
OCV_CLONES void down_row(const int16_t *top, const int16_t *low, int weight, int count, uint8_t *out) {
    const auto above = int16_t(2048 - weight), below = int16_t(weight);
    for (int i = 0; i < count; i++)
        out[i] = uint8_t((int16_t(above * top[i] >> 16) + int16_t(below * low[i] >> 16) + 2) >> 2);
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

OCV_WIDE inline __m256i words_of(__m256i low, __m256i high) {
    return _mm256_packs_epi32(_mm256_srai_epi32(low, 16), _mm256_srai_epi32(high, 16));
}

OCV_WIDE inline __m256i load(const void *values) { return _mm256_loadu_si256(static_cast<const __m256i *>(values)); }

OCV_WIDE inline __m256i widened(const uint8_t *values) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(values)));
}

OCV_WIDE void wide_chroma_down(const uint8_t *top, const uint8_t *low, int above, int below, int count, int16_t *out) {
    const __m256i a = _mm256_set1_epi16(int16_t(above)), b = _mm256_set1_epi16(int16_t(below));
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        const __m256i sum =
            _mm256_add_epi16(_mm256_mullo_epi16(widened(top + x), a), _mm256_mullo_epi16(widened(low + x), b));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + x), sum);
    }
    chroma_down(top + x, low + x, above, below, count - x, out + x);
}

OCV_WIDE void wide_chroma_across(const int16_t *row, bool centered, int total, int count, int16_t *out) {
    const auto round = int16_t((1 << (total - 1)) - 128 * (1 << total));
    const __m256i even = _mm256_set1_epi16(round), odd = _mm256_set1_epi16(int16_t(round - 1));
    const __m128i shift = _mm_cvtsi32_si128(total);
    int k = 0;
    for (; k + 16 <= count; k += 16) {
        const __m256i own = load(row + k), next = load(row + k + 1), twice = _mm256_slli_epi16(own, 1);
        __m256i left, right;
        if (centered) {
            const __m256i thrice = _mm256_add_epi16(twice, own);
            left = _mm256_add_epi16(_mm256_add_epi16(load(row + k - 1), thrice), even);
            right = _mm256_add_epi16(_mm256_add_epi16(thrice, next), odd);
        } else {
            left = _mm256_add_epi16(_mm256_slli_epi16(own, 2), even);
            right = _mm256_add_epi16(_mm256_add_epi16(twice, _mm256_slli_epi16(next, 1)), odd);
        }
        left = _mm256_sra_epi16(left, shift);
        right = _mm256_sra_epi16(right, shift);
        const __m256i low = _mm256_unpacklo_epi16(left, right), high = _mm256_unpackhi_epi16(left, right);
        __m256i *place = reinterpret_cast<__m256i *>(out + 2 * k);
        _mm256_storeu_si256(place, _mm256_permute2x128_si256(low, high, 0x20));
        _mm256_storeu_si256(place + 1, _mm256_permute2x128_si256(low, high, 0x31));
    }
    chroma_across(row + k, centered, total, count - k, out + 2 * k);
}

OCV_WIDE void wide_color_row(
    const uint8_t *luma, const int16_t *cb, const int16_t *cr, const Weights &w, int count, Pixel *out) {
    const Product y(w.scale), blue(w.blueFromCb), greenB(w.greenFromCb), greenR(w.greenFromCr), red(w.redFromCr);
    const __m256i offset = _mm256_set1_epi32(w.offset), zero = _mm256_setzero_si256(), most = _mm256_set1_epi16(255);
    // Eight of one byte, then eight of the other, to pairs of them.
    const __m256i pairs =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
    int x = 0;
    for (; x + 16 <= count; x += 16) {
        const Pairs lumas(widened(luma + x)), blues(load(cb + x)), reds(load(cr + x));
        const __m256i low = _mm256_add_epi32(y.of(lumas.low), offset);
        const __m256i high = _mm256_add_epi32(y.of(lumas.high), offset);
        const __m256i b =
            words_of(_mm256_add_epi32(low, blue.of(blues.low)), _mm256_add_epi32(high, blue.of(blues.high)));
        const __m256i g = words_of(
            _mm256_add_epi32(low, _mm256_add_epi32(greenB.of(blues.low), greenR.of(reds.low))),
            _mm256_add_epi32(high, _mm256_add_epi32(greenB.of(blues.high), greenR.of(reds.high))));
        const __m256i r = words_of(_mm256_add_epi32(low, red.of(reds.low)), _mm256_add_epi32(high, red.of(reds.high)));
        // Half registers have pixels 0…7 and 8…15.
        const __m256i bg = _mm256_shuffle_epi8(_mm256_packus_epi16(b, g), pairs);
        const __m256i rx = _mm256_min_epi16(_mm256_max_epi16(r, zero), most);
        const __m256i first = _mm256_unpacklo_epi16(bg, rx), second = _mm256_unpackhi_epi16(bg, rx);
        __m256i *place = reinterpret_cast<__m256i *>(out + x);
        _mm256_storeu_si256(place, _mm256_permute2x128_si256(first, second, 0x20));
        _mm256_storeu_si256(place + 1, _mm256_permute2x128_si256(first, second, 0x31));
    }
    color_row(luma + x, cb + x, cr + x, w, count - x, out + x);
}

/// A value for each of the half registers.
OCV_WIDE inline __m256i halves(int64_t low, int64_t high) {
    return _mm256_blend_epi32(_mm256_set1_epi64x(low), _mm256_set1_epi64x(high), 0xF0);
}

/// A sample for each of the half registers.
OCV_WIDE inline __m256i across_two(const Pixel *row, const Between &low, const Between &high) {
    // The second pixel lies behind the first, or has no weight and is as good as any. Words of both, component by component.
    const __m256i order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
    int64_t pixels[2];
    std::memcpy(&pixels[0], row + low.first, sizeof pixels[0]);
    std::memcpy(&pixels[1], row + high.first, sizeof pixels[1]);
    const __m256i weights = _mm256_blend_epi32(_mm256_set1_epi32(low.both), _mm256_set1_epi32(high.both), 0xF0);
    const __m256i words = _mm256_shuffle_epi8(halves(pixels[0], pixels[1]), order);
    return _mm256_srai_epi32(_mm256_madd_epi16(words, weights), 4);
}

OCV_WIDE void wide_across_color(const Pixel *row, const Between *between, int count, Lanes *out) {
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        const Between *at = between + i;
        // Packing takes half registers one by one.
        const __m256i values = _mm256_packs_epi32(across_two(row, at[0], at[2]), across_two(row, at[1], at[3]));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i), values);
    }
    across_color(row, between + i, count - i, out + i);
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

OCV_WIDE inline __m256i down_sum(const int16_t *top, const int16_t *low, __m256i above, __m256i below) {
    const __m256i sum = _mm256_add_epi16(_mm256_mulhi_epi16(load(top), above), _mm256_mulhi_epi16(load(low), below));
    return _mm256_srai_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(2)), 2);
}

OCV_WIDE void wide_down_row(const int16_t *top, const int16_t *low, int weight, int count, uint8_t *out) {
    const __m256i above = _mm256_set1_epi16(int16_t(2048 - weight)), below = _mm256_set1_epi16(int16_t(weight));
    int i = 0;
    for (; i + 32 <= count; i += 32) {
        const __m256i bytes = _mm256_packus_epi16(
            down_sum(top + i, low + i, above, below), down_sum(top + i + 16, low + i + 16, above, below));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i), _mm256_permute4x64_epi64(bytes, 0xD8));
    }
    down_row(top + i, low + i, weight, count - i, out + i);
}
#endif

Ways fastest() {
    Ways ways = {luma_row, chroma_down, chroma_across, color_row, across_color, across_gray, down_row, scale_lane};
#ifdef OCV_WIDE
    if (__builtin_cpu_supports("avx2")) {
        ways.chromaDown = wide_chroma_down;
        ways.chromaAcross = wide_chroma_across;
        ways.color = wide_color_row;
        ways.across = wide_across_color;
        ways.down = wide_down_row;
        ways.scale = wide_scale_lane;
    }
#endif
    return ways;
}

} // namespace

const Ways &ways() {
    static const Ways ways = fastest();
    return ways;
}

} // namespace ocv
