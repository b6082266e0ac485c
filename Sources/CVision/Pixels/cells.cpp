#include "Pixels/Guard.hpp"
#include "Pixels/fetch.hpp"

#include <cmath>
#include <vector>

// Mean colours of the cells of a grid, of a few pixels of each: what they cost doesn't grow with the box.

namespace ocv {
namespace {

/// The pixels along one side of the grid that are looked at, `each` for every cell, evenly spread in it.
struct Picks {
    /// The most for a cell: sixteen pixels' mean has a quarter of one pixel's noise.
    static constexpr int most = 4;
    int each;
    std::vector<int> at;

    Picks(double start, double length, int cells, int pixels)
        : each(int(std::clamp(std::ceil(length / cells), 1.0, double(most)))), at(size_t(cells) * size_t(each)) {
        const double step = length / (double(cells) * each);
        for (size_t i = 0; i < at.size(); i++) {
            const double place = std::floor(start + (double(i) + 0.5) * step);
            at[i] = int(std::clamp(place, 0.0, double(pixels - 1)));
        }
    }
};

/// Places of chroma for those of luma.
std::vector<int> halved(const Picks &picks, int shift, int count) {
    std::vector<int> places(picks.at);
    for (int &place : places) place = std::min(place >> shift, count - 1);
    return places;
}

/// The means of the cells, from sums of what `add` fetches, as `finish` makes colours of them.
template <typename Add, typename Finish>
void means(const Picks &across, const Picks &down, uint8_t *out, const Add &add, const Finish &finish) {
    const size_t columns = across.at.size() / size_t(across.each);
    const int count = across.each * down.each;
    std::vector<int> sums(columns * 3);
    for (size_t row = 0; row < down.at.size(); row += size_t(down.each)) {
        std::fill(sums.begin(), sums.end(), 0);
        for (int k = 0; k < down.each; k++) add(row + size_t(k), sums.data());
        for (size_t column = 0; column < columns; column++, out += 3) finish(&sums[column * 3], count, out);
    }
}

/// Adds what a fetcher says of each place to the sums of its cell.
template <typename Fetch> void gather(const Picks &across, int *sums, const Fetch &fetch) {
    for (size_t i = 0; i < across.at.size(); sums += 3)
        for (int k = 0; k < across.each; k++, i++) fetch(i, sums);
}

void yuv_cells(const ocv_picture &picture, const Picks &across, const Picks &down, uint8_t *out) {
    const FetchYuv of(picture);
    const std::vector<int> columns = halved(across, picture.chromaShiftX, std::min(of.cb.width, of.cr.width));
    const std::vector<int> rows = halved(down, picture.chromaShiftY, std::min(of.cb.height, of.cr.height));
    const auto add = [&](size_t row, int *sums) {
        const uint8_t *y = of.luma.plane.data + down.at[row] * of.luma.plane.stride;
        const uint8_t *cb = of.cb.data + rows[row] * of.cb.stride, *cr = of.cr.data + rows[row] * of.cr.stride;
        gather(across, sums, [&](size_t i, int *sum) {
            sum[0] += y[across.at[i]];
            sum[1] += cb[columns[i]];
            sum[2] += cr[columns[i]];
        });
    };
    means(across, down, out, add, [&](const int *sum, int count, uint8_t *color) {
        const int base = sum[0] * of.luma.scale + count * of.luma.offset;
        const int b = sum[1] - 128 * count, r = sum[2] - 128 * count;
        color[0] = uint8_t(clamped(((base + of.blueFromCb * b) / count) >> 16));
        color[1] = uint8_t(clamped(((base + of.greenFromCb * b + of.greenFromCr * r) / count) >> 16));
        color[2] = uint8_t(clamped(((base + of.redFromCr * r) / count) >> 16));
    });
}

void bgr_cells(const ocv_picture &picture, const Picks &across, const Picks &down, uint8_t *out) {
    const ocv_plane &plane = picture.planes[0];
    const auto add = [&](size_t row, int *sums) {
        const uint8_t *line = plane.data + down.at[row] * plane.stride;
        gather(across, sums, [&](size_t i, int *sum) {
            const uint8_t *pixel = line + int64_t(across.at[i]) * 3;
            for (int c = 0; c < 3; c++) sum[c] += pixel[c];
        });
    };
    means(across, down, out, add, [](const int *sum, int count, uint8_t *color) {
        for (int c = 0; c < 3; c++) color[c] = uint8_t((sum[c] + count / 2) / count);
    });
}

void gray_cells(const ocv_picture &picture, const Picks &across, const Picks &down, uint8_t *out) {
    const FetchPlane of(picture);
    const auto add = [&](size_t row, int *sums) {
        const uint8_t *line = of.plane.data + down.at[row] * of.plane.stride;
        gather(across, sums, [&](size_t i, int *sum) { sum[0] += line[across.at[i]]; });
    };
    means(across, down, out, add, [&](const int *sum, int count, uint8_t *color) {
        std::fill_n(color, 3, uint8_t(clamped(((sum[0] * of.scale + count * of.offset) / count) >> 16)));
    });
}

const char *problem(const ocv_picture &picture, const ocv_box &box, int columns, int rows) {
    if (unsigned(picture.format) > OCV_PICTURE_YUV || unsigned(picture.matrix) > OCV_MATRIX_BT2020)
        return "the picture's format or matrix is unknown";
    for (int i = 0; i < (picture.format == OCV_PICTURE_YUV ? 3 : 1); i++) {
        const ocv_plane &plane = picture.planes[i];
        if (!plane.data || plane.width < 1 || plane.height < 1) return "the picture has a plane without pixels";
    }
    if (picture.format == OCV_PICTURE_YUV && (unsigned(picture.chromaShiftX) > 4 || unsigned(picture.chromaShiftY) > 4))
        return "the picture's chroma subsampling is out of range";
    if (std::min(columns, rows) < 1 || std::max(columns, rows) > 1024) return "a grid has 1 to 1024 cells a side";
    const double most = 1e6;
    if (!(std::abs(box.x) <= most && std::abs(box.y) <= most && box.width > 0 && box.width <= most && box.height > 0 &&
          box.height <= most))
        return "the box must be finite, have an area and lie within a million pixels";
    return nullptr;
}

} // namespace
} // namespace ocv

ocv_status ocv_cell_colors(
    const ocv_picture *picture, ocv_box box, int32_t columns, int32_t rows, uint8_t *out) noexcept {
    if (!picture || !out) return ocv::failure("colours need a picture and room for them");
    if (const char *message = ocv::problem(*picture, box, columns, rows)) return ocv::failure(message);
    return ocv::guarded([&] {
        const ocv_plane &first = picture->planes[0];
        const ocv::Picks across(box.x, box.width, columns, first.width), down(box.y, box.height, rows, first.height);
        switch (picture->format) {
        case OCV_PICTURE_BGR: return ocv::bgr_cells(*picture, across, down, out);
        case OCV_PICTURE_YUV: return ocv::yuv_cells(*picture, across, down, out);
        default: return ocv::gray_cells(*picture, across, down, out);
        }
    });
}
