#include "Pixels/Guard.hpp"
#include "Pixels/fetch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ocv {
namespace {

/// The homography from the unit square to a quadrilateral (Heckbert, “Fundamentals of Texture Mapping and Image
/// Warping”, 1989, section 2.2).
struct Homography {
    double a, b, c, d, e, f, g, h;

    explicit Homography(const ocv_quad &quad) {
        const ocv_point *p = quad.corners;
        const double dx1 = p[1].x - p[2].x, dx2 = p[3].x - p[2].x, sx = p[0].x - p[1].x + p[2].x - p[3].x;
        const double dy1 = p[1].y - p[2].y, dy2 = p[3].y - p[2].y, sy = p[0].y - p[1].y + p[2].y - p[3].y;
        const double determinant = dx1 * dy2 - dx2 * dy1;
        g = (sx * dy2 - dx2 * sy) / determinant;
        h = (dx1 * sy - sx * dy1) / determinant;
        a = p[1].x - p[0].x + g * p[1].x;
        b = p[3].x - p[0].x + h * p[3].x;
        c = p[0].x;
        d = p[1].y - p[0].y + g * p[1].y;
        e = p[3].y - p[0].y + h * p[3].y;
        f = p[0].y;
    }

    void map(double u, double v, double &x, double &y) const {
        const double w = 1 / (g * u + h * v + 1);
        x = (a * u + b * v + c) * w;
        y = (d * u + e * v + f) * w;
    }
};

const char *problem(const ocv_picture *picture, const ocv_quad &region, const ocv_crop_options *options) {
    if (unsigned(picture->format) > OCV_PICTURE_YUV || unsigned(picture->matrix) > OCV_MATRIX_BT2020 ||
        unsigned(picture->siting) > OCV_SITING_TOP_LEFT) {
        return "the picture's format, matrix or siting is unknown";
    }
    const int64_t pixel = picture->format == OCV_PICTURE_BGR ? 3 : 1;
    for (int i = 0; i < (picture->format == OCV_PICTURE_YUV ? 3 : 1); i++) {
        const ocv_plane &plane = picture->planes[i];
        if (!plane.data || plane.width < 1 || plane.height < 1 || std::max(plane.width, plane.height) > 1 << 20 ||
            std::abs(plane.stride) < plane.width * pixel) {
            return "the picture has a plane without pixels, or a stride shorter than a row";
        }
    }
    if (picture->format == OCV_PICTURE_YUV && ((picture->chromaShiftX | picture->chromaShiftY) & ~7 ||
                                               std::max(picture->chromaShiftX, picture->chromaShiftY) > 4)) {
        return "the picture's chroma subsampling is out of range";
    }
    if (options->width < 1 || options->height < 1 || std::max(options->width, options->height) > 8192)
        return "the crop's size must be 1 to 8192";
    if (unsigned(options->channels) > OCV_CHANNELS_GRAY || unsigned(options->geometry) > OCV_GEOMETRY_FIT)
        return "the crop's channels or geometry is unknown";
    int turns = 0;
    for (int i = 0; i < 4; i++) {
        const ocv_point &p = region.corners[i], &q = region.corners[(i + 1) % 4], &r = region.corners[(i + 2) % 4];
        if (!(std::abs(p.x) <= 1e6 && std::abs(p.y) <= 1e6))
            return "the region's corners must be finite and within a million pixels";
        const double turn = (q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x);
        turns += turn > 1e-6 ? 1 : turn < -1e-6 ? -1 : 0;
    }
    return std::abs(turns) == 4 ? nullptr : "the region has no area or is not convex";
}

double side(const ocv_point &p, const ocv_point &q) { return std::hypot(p.x - q.x, p.y - q.y); }

/// Which part of the region goes to which part of the result, and how densely it is sampled.
struct Placement {
    double u0 = 0, v0 = 0, du, dv;        // the first sample's outer edge and the step, in the unit square
    double uMin, uMax, vMin, vMax;        // where the region's outermost pixels have their centres
    int left = 0, top = 0, width, height; // of the result
    int samplesX = 1, samplesY = 1;

    Placement(const ocv_quad &region, const ocv_crop_options &options) : width(options.width), height(options.height) {
        const ocv_point *p = region.corners;
        const double regionWidth = (side(p[0], p[1]) + side(p[3], p[2])) / 2;
        const double regionHeight = (side(p[0], p[3]) + side(p[1], p[2])) / 2;
        double cutWidth = regionWidth, cutHeight = regionHeight;
        if (options.geometry == OCV_GEOMETRY_CENTER_CROP) {
            const double scale = std::min(regionWidth / width, regionHeight / height);
            cutWidth = std::min(scale * width, regionWidth);
            cutHeight = std::min(scale * height, regionHeight);
            // A hair more than the margin, so that a rounding error doesn't cost a whole pixel.
            u0 = std::floor((regionWidth - cutWidth) / 2 + 1e-6) / regionWidth;
            v0 = std::floor((regionHeight - cutHeight) / 2 + 1e-6) / regionHeight;
        } else if (options.geometry == OCV_GEOMETRY_FIT) {
            const double scale = std::max(regionWidth / width, regionHeight / height);
            width = std::clamp(int(std::lround(regionWidth / scale)), 1, options.width);
            height = std::clamp(int(std::lround(regionHeight / scale)), 1, options.height);
            left = (options.width - width) / 2;
            top = (options.height - height) / 2;
        }
        if (options.antialias) {
            samplesX = density(cutWidth / width);
            samplesY = density(cutHeight / height);
        }
        du = cutWidth / regionWidth / (double(width) * samplesX);
        dv = cutHeight / regionHeight / (double(height) * samplesY);
        const double marginX = std::min(0.5, cutWidth / 2) / regionWidth;
        const double marginY = std::min(0.5, cutHeight / 2) / regionHeight;
        uMin = u0 + marginX;
        uMax = u0 + cutWidth / regionWidth - marginX;
        vMin = v0 + marginY;
        vMax = v0 + cutHeight / regionHeight - marginY;
    }

    /// Samples a pixel of the result along one axis, so that about every pixel of the region counts.
    static int density(double minification) {
        return minification > 2 ? int(std::min(std::ceil(minification), 32.0)) : 1;
    }

    double u(int sample) const { return std::clamp(u0 + (sample + 0.5) * du, uMin, std::max(uMin, uMax)); }
    double v(int sample) const { return std::clamp(v0 + (sample + 0.5) * dv, vMin, std::max(vMin, vMax)); }
};

/// The two pixels that a place lies between, along one axis, and the weight of the second in 1⁄2048.
struct Neighbors {
    int first, second, weight;

    Neighbors(double place, int count) {
        // `cv::resize` goes through float, too. Written so that NaN becomes 0.
        const float at = place > 0 ? float(std::min(place, double(count - 1))) : 0;
        first = int(at);
        second = std::min(first + 1, count - 1);
        weight = int(std::lrint((at - float(first)) * 2048));
    }
};

/// Bilinear interpolation with the fixed-point arithmetic of `cv::resize`, its truncation included: a different
/// rounding is worth a quarter of a grey level on average, and that shows in what a network answers.
template <int channels, typename Row>
void interpolate(const Row &top, const Row &low, const Neighbors &x, int weight, int *values) {
    int pixels[4][3];
    top(x.first, pixels[0]);
    top(x.second, pixels[1]);
    low(x.first, pixels[2]);
    low(x.second, pixels[3]);
    for (int c = 0; c < channels; c++) {
        const int above = pixels[0][c] * (2048 - x.weight) + pixels[1][c] * x.weight;
        const int below = pixels[2][c] * (2048 - x.weight) + pixels[3][c] * x.weight;
        values[c] = ((((2048 - weight) * (above >> 4)) >> 16) + ((weight * (below >> 4)) >> 16) + 2) >> 2;
    }
}

/// One region of one picture, row by row of samples.
template <typename Fetch> class Sampler {
public:
    static constexpr int channels = Fetch::channels;

    Sampler(const ocv_picture &picture, const ocv_quad &region, const Placement &place)
        : fetch(picture), homography(region), place(place), columns(picture.planes[0].width),
          rows(picture.planes[0].height) {
        const Homography &m = homography;
        upright = m.b == 0 && m.d == 0 && m.g == 0 && m.h == 0;
        for (int s = 0; upright && s < place.width * place.samplesX; s++)
            across.emplace_back(m.a * place.u(s) + m.c, columns);
        const auto [least, most] = std::minmax_element(
            across.begin(), across.end(), [](const Neighbors &a, const Neighbors &b) { return a.first < b.first; });
        if (upright) {
            from = least->first;
            to = most->second;
        }
        // Four pixels a sample: hardly reduced, most of them are those of the samples beside and below.
        dense = upright && size_t(to - from + 1) <= 2 * across.size();
    }

    /// Adds the samples of one row to `sums`, which has the channels of each pixel of the result in turn.
    void add(int row, int *sums) {
        const double v = place.v(row);
        const Neighbors straight(homography.e * v + homography.f, rows);
        if (dense) {
            const Fetched top = fetched(straight.first, straight.second),
                          low = fetched(straight.second, straight.first);
            for (int i = 0, s = 0; i < place.width; i++, sums += channels) {
                for (int k = 0; k < place.samplesX; k++, s++) {
                    int values[3];
                    interpolate<channels>(top, low, across[size_t(s)], straight.weight, values);
                    for (int c = 0; c < channels; c++) sums[c] += values[c];
                }
            }
            return;
        }
        const auto top = fetch.row(straight.first), low = fetch.row(straight.second);
        for (int i = 0, s = 0; i < place.width; i++, sums += channels) {
            for (int k = 0; k < place.samplesX; k++, s++) {
                int values[3];
                if (upright) {
                    interpolate<channels>(top, low, across[size_t(s)], straight.weight, values);
                } else {
                    double x, y;
                    homography.map(place.u(s), v, x, y);
                    const Neighbors down(y, rows);
                    interpolate<channels>(
                        fetch.row(down.first), fetch.row(down.second), Neighbors(x, columns), down.weight, values);
                }
                for (int c = 0; c < channels; c++) sums[c] += values[c];
            }
        }
    }

private:
    /// A row of the picture from the first column that is needed on, fetched once.
    struct Fetched {
        const int *values;
        int from;

        void operator()(int x, int *out) const { std::copy_n(values + (x - from) * channels, channels, out); }
    };

    struct Line {
        int row = -1;
        std::vector<int> values;
    };

    /// - Parameter other: a row that is needed beside it.
    Fetched fetched(int row, int other) {
        for (const Line &line : lines)
            if (line.row == row) return {line.values.data(), from};
        Line &line = lines[0].row == other ? lines[1] : lines[0];
        line.row = row;
        line.values.resize(size_t(to - from + 1) * channels);
        const auto source = fetch.row(row);
        for (int x = from; x <= to; x++) source(x, line.values.data() + (x - from) * channels);
        return {line.values.data(), from};
    }

    Fetch fetch;
    Homography homography;
    const Placement &place;
    int columns, rows;
    int from = 0, to = 0; // the columns that are needed
    bool dense;           // nearly all of their pixels are
    std::array<Line, 2> lines;
    bool upright; // the common case: columns and rows are apart, and only columns need a table
    std::vector<Neighbors> across;
};

template <typename Fetch>
void sample(
    const ocv_picture &picture, const ocv_quad &region, const ocv_crop_options &options, uint8_t *out, int64_t stride) {
    const Placement place(region, options);
    Sampler<Fetch> sampler(picture, region, place);
    const int outChannels = options.channels == OCV_CHANNELS_GRAY ? 1 : 3, count = place.samplesX * place.samplesY;
    const bool reversed = options.channels == OCV_CHANNELS_RGB;
    std::vector<int> sums(size_t(place.width) * Fetch::channels);
    for (int j = 0; j < options.height; j++) {
        uint8_t *pixel = out + j * stride;
        const int row = j - place.top;
        if (options.geometry == OCV_GEOMETRY_FIT) std::fill_n(pixel, options.width * outChannels, options.padding);
        if (row < 0 || row >= place.height) continue;
        std::fill(sums.begin(), sums.end(), count / 2);
        for (int k = 0; k < place.samplesY; k++) sampler.add(row * place.samplesY + k, sums.data());
        pixel += place.left * outChannels;
        for (const int *sum = sums.data(), *end = sum + sums.size(); sum < end; sum += Fetch::channels) {
            for (int c = 0; c < outChannels; c++) {
                const int from = Fetch::channels == 1 ? 0 : reversed ? 2 - c : c;
                *pixel++ = uint8_t(count == 1 ? sum[from] : sum[from] / count);
            }
        }
    }
}

} // namespace
} // namespace ocv

using namespace ocv;

ocv_quad ocv_quad_of_box(ocv_box box) noexcept {
    const double left = box.x - 0.5, top = box.y - 0.5, right = left + box.width, bottom = top + box.height;
    return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

ocv_status ocv_crop(
    const ocv_picture *picture, const ocv_quad *region, const ocv_crop_options *options, uint8_t *out,
    int64_t outStride) noexcept {
    if (!picture || !options || !out) return ocv::failure("a crop needs a picture, options and room for the result");
    const ocv_plane &first = picture->planes[0];
    const ocv_quad quad = region ? *region : ocv_quad_of_box({0, 0, double(first.width), double(first.height)});
    if (const char *message = problem(picture, quad, options)) return ocv::failure(message);
    const bool gray = options->channels == OCV_CHANNELS_GRAY;
    if (std::abs(outStride) < int64_t(options->width) * (gray ? 1 : 3))
        return ocv::failure("the crop's stride is shorter than a row");
    return ocv::guarded([&] {
        if (picture->format == OCV_PICTURE_BGR)
            (gray ? sample<ocv::FetchBgrAsGray> : sample<ocv::FetchBgr>)(*picture, quad, *options, out, outStride);
        else if (picture->format == OCV_PICTURE_YUV && !gray)
            sample<ocv::FetchYuv>(*picture, quad, *options, out, outStride);
        else
            sample<ocv::FetchPlane>(*picture, quad, *options, out, outStride);
    });
}
