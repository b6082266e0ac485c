#include "Pixels/Guard.hpp"
#include "Pixels/fetch.hpp"
#include "Pixels/rows.hpp"

#include <array>
#include <cmath>
#include <vector>

// What `ocv_crop` and `ocv_fill_tensor` make of an upright box of whole pixels, in one go and row by row: the same values,
// several times as fast. Rows of the picture are converted once, then reduced across, and pairs of these down.

namespace ocv {
namespace {

/// Places of samples along one side of the box, as `ocv_crop` has them.
std::vector<Between> places(int start, int length, int samples, int pixels) {
    std::vector<Between> result(static_cast<size_t>(samples));
    const double step = 1.0 / samples, margin = std::min(0.5, length / 2.0) / length;
    for (int s = 0; s < samples; s++) {
        const double share = std::clamp((s + 0.5) * step, margin, std::max(margin, 1 - margin));
        const double place = length * share + (start - 0.5);
        const float at = place > 0 ? float(std::min(place, double(pixels - 1))) : 0;
        const int first = int(at), weight = int(std::lrint((at - float(first)) * 2048));
        result[size_t(s)] = {first, std::min(first + 1, pixels - 1), weight, weight * 65536 + 2048 - weight};
    }
    return result;
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
        colors.resize(width + 2);
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
            ways().gray(converted.data(), across.data(), count, line.values.data());
        } else {
            convert_color(y);
            ways().across(colors.data(), across.data(), count, reinterpret_cast<Lanes *>(line.values.data()));
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
            ways().luma(
                luma.plane.data + y * luma.plane.stride + from, luma.scale, luma.offset, count, converted.data());
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
            colors[size_t(x)] = {uint8_t(values[0]), uint8_t(values[1]), uint8_t(values[2]), 0};
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
            ways().chromaDown(
                above + start, below + start, (1 << yuv.down.bits) - weight, weight, end - start + 1, sum);
            int16_t *own = sums[size_t(plane)].data() + 1;
            if (first == 0) own[-1] = own[0];
            for (int k = end - first + 1; k <= pairs; k++) own[k] = own[end - first];
            ways().chromaAcross(own, picture.siting == OCV_SITING_CENTER, total, pairs, chroma[size_t(plane)].data());
        }
        const Weights weights = {luma.scale,      luma.offset,     yuv.blueFromCb,
                                 yuv.greenFromCb, yuv.greenFromCr, yuv.redFromCr};
        ways().color(
            luma.plane.data + y * luma.plane.stride + from, chroma[0].data(), chroma[1].data(), weights, count,
            colors.data());
    }

    const ocv_picture &picture;
    FetchPlane luma;
    FetchYuv yuv;
    std::vector<Between> across;
    int from, to;
    bool simple;
    std::vector<int16_t> converted;
    std::vector<Pixel> colors;
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
            ways().down(top, low, at.weight, wanted.across * per, values.data());
            pad(row, 0, wanted.left);
            store(values.data(), wanted.across, wanted, tables, int64_t(row) * wanted.width + wanted.left, tensor);
            pad(row, wanted.left + wanted.across, wanted.width - wanted.left - wanted.across);
        }
    });
}
