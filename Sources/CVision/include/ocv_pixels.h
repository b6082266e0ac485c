#ifndef OCV_PIXELS_H
#define OCV_PIXELS_H

// Types that every ability of the shim shares. The headers are plain C: Swift imports them as they are.
// Every function is noexcept: a C++ exception becomes a status with OpenCV's own message.

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#define OCV_NOEXCEPT noexcept
extern "C" {
#else
#define OCV_NOEXCEPT
#endif

/// What a call came to: `code` 0 is success; otherwise `message` says what went wrong, in one line.
typedef struct {
    int32_t code;
    char message[252];
} ocv_status;

/// One 8-bit plane, not owned. `stride` is in bytes and may exceed `width` × channels.
typedef struct {
    const uint8_t *data;
    int32_t width, height;
    int64_t stride;
} ocv_plane;

/// A place in the picture: pixels, x right, y down, integer coordinates are pixel centres.
typedef struct {
    double x, y;
} ocv_point;

/// A box in the picture: left, top, width, height, in pixels.
typedef struct {
    double x, y, width, height;
} ocv_box;

/// Switches OpenCV's own threads off (the pipeline owns the parallelism). Call once before anything else.
void ocv_initialize(void) OCV_NOEXCEPT;

/// Halves a plane by averaging 2×2 pixels into `out` (⌊width/2⌋ × ⌊height/2⌋, its own stride).
/// A point of the half-size plane lies at (x + 0.5) · 2 − 0.5 in the full one.
ocv_status ocv_half_size(ocv_plane full, uint8_t *out, int64_t outStride) OCV_NOEXCEPT;

/// The sums of the square cells of a grid over a plane, row by row from the top left, those at the right and at the bottom cut
/// by its edges: of the rows of even numbers every other pixel from the cell's first on.
///
/// - side: of a cell, pixels; 1 or more.
/// - sums: room for ⌈width/side⌉ · ⌈height/side⌉ of them.
ocv_status ocv_cell_sums(ocv_plane luma, int32_t side, int64_t *sums) OCV_NOEXCEPT;

/// A pinhole camera with lens distortion, as `cv::projectPoints` has it. Pixels; integer coordinates are pixel centres.
typedef struct {
    double focalX, focalY, centerX, centerY;
    /// k1, k2, p1, p2, k3, k4, k5, k6; `distortionCount` of them: 0, 4, 5 or 8.
    double distortion[8];
    int32_t distortionCount;
} ocv_camera;

// MARK: Crops

// Small pictures for networks, sampled straight from the planes of a decoded frame: only the pixels that the result
// needs are read and converted, never the whole frame. All functions are pure and thread-safe; they keep nothing.

/// How the planes of an `ocv_picture` hold the pixels, 8 bits a component.
typedef enum {
    /// `planes[0]`: grey.
    OCV_PICTURE_GRAY = 0,
    /// `planes[0]`: blue, green, red in turn, 3 bytes a pixel; `width` counts pixels, `stride` bytes.
    OCV_PICTURE_BGR = 1,
    /// `planes[0…2]`: Y′, Cb, Cr.
    OCV_PICTURE_YUV = 2
} ocv_picture_format;

/// The weights of red, green and blue in luma (ITU-R BT.601, BT.709, BT.2020 non-constant luminance).
typedef enum { OCV_MATRIX_BT601 = 0, OCV_MATRIX_BT709 = 1, OCV_MATRIX_BT2020 = 2 } ocv_matrix;

/// Where a subsampled chroma value lies among the luma pixels that it belongs to.
typedef enum {
    /// On the first column, between the rows: MPEG-2, H.264 and most video.
    OCV_SITING_LEFT = 0,
    /// In the middle: JPEG, MPEG-1.
    OCV_SITING_CENTER = 1,
    /// On the first column and row: BT.2020 video.
    OCV_SITING_TOP_LEFT = 2
} ocv_siting;

/// A decoded picture, not owned. Any size from 1×1. Strides may be negative (bottom-up).
typedef struct {
    ocv_picture_format format;
    /// Those that the format doesn't use are ignored.
    ocv_plane planes[3];
    /// For YUV: log2 of the horizontal and vertical subsampling of chroma, 0…4: 1 and 1 for 4:2:0, 1 and 0 for 4:2:2,
    /// 0 and 0 for 4:4:4, 0 and 1 for 4:4:0.
    int32_t chromaShiftX, chromaShiftY;
    /// For YUV.
    ocv_matrix matrix;
    ocv_siting siting;
    /// For YUV and grey: true for codes 0…255, false for 16…235 (luma) and 16…240 (chroma).
    bool fullRange;
} ocv_picture;

/// A region of the picture: a convex quadrilateral, its corners clockwise from the one that becomes the result's top
/// left. In pixels; integer coordinates are pixel centres, and the corners are the region's outer edge: the whole of a
/// picture runs from (−0.5, −0.5) to (width − 0.5, height − 0.5). Anticlockwise corners give a mirrored result.
typedef struct {
    ocv_point corners[4];
} ocv_quad;

/// How a region that isn't of the result's proportions becomes one that is. A region's width and height are the means
/// of its opposite sides.
typedef enum {
    /// The region is scaled to the result's width and height, each by its own factor.
    OCV_GEOMETRY_STRETCH = 0,
    /// The largest part in the middle with the result's proportions is cut out and scaled. The margins are rounded
    /// down to whole pixels, as `image[(h − s) // 2:][:s]` does.
    OCV_GEOMETRY_CENTER_CROP = 1,
    /// The region is scaled as a whole into the middle of the result; the rest is `padding`.
    OCV_GEOMETRY_FIT = 2
} ocv_geometry;

/// The channels of a result, interleaved in this order.
typedef enum { OCV_CHANNELS_BGR = 0, OCV_CHANNELS_RGB = 1, OCV_CHANNELS_GRAY = 2 } ocv_channels;

typedef struct {
    /// The result's size in pixels, 1…8192.
    int32_t width, height;
    ocv_channels channels;
    ocv_geometry geometry;
    /// False: plain bilinear samples, as `cv2.resize(…, INTER_LINEAR)` takes them, which is what most networks were
    /// checked with. True: where the result is less than half the region's size, an average over the region's pixels.
    bool antialias;
    /// The grey value beside a fitted region, 0…255.
    uint8_t padding;
} ocv_crop_options;

/// The outline of a box whose pixel column `x` is its first one: (x − 0.5, y − 0.5) … (x + width − 0.5, …).
ocv_quad ocv_quad_of_box(ocv_box box) OCV_NOEXCEPT;

/// Samples a region into `out`: height rows of width × channels bytes, rows `outStride` bytes apart.
///
/// Pixel (i, j) of the result is the sample at the place of (i + 0.5) ÷ width, (j + 0.5) ÷ height of the region under
/// the homography that takes the unit square to its corners (Heckbert 1989, section 2.2). The four pixels around that
/// place are converted to 8 bits each, chroma being interpolated between its neighbours as libjpeg does, and then
/// weighted in OpenCV's fixed point. So for a box of whole pixels the result is what `cv2.resize` with `INTER_LINEAR`
/// makes of that part of the converted picture: the same bytes, save that in a magnified picture's first and last rows
/// OpenCV may be darker by 1. As there, nothing beyond the region's outermost pixels is mixed in; where the region
/// leaves the picture, the picture's border pixels go on.
///
/// - Parameters:
///   - region: NULL for the whole picture.
///   - outStride: at least width × (1 or 3).
/// - Returns: a failure for a picture without pixels, options out of range, a region that isn't finite (or over a
///   million pixels away), that is not convex or has no area. A region that lies beside the picture is not an error.
ocv_status ocv_crop(
    const ocv_picture *picture, const ocv_quad *region, const ocv_crop_options *options, uint8_t *out,
    int64_t outStride) OCV_NOEXCEPT;

/// The mean colours of the cells of a grid over an upright box, rows × columns × 3 bytes without padding, blue first.
///
/// Of each cell 1 to 4 × 4 pixels count, evenly spread, so that a large box costs no more than a small one. Chroma is that of the
/// sample that a pixel shares with its neighbours. What of the box is beside the picture is like the picture's border.
///
/// - Parameters:
///   - box: column `x` of the picture's pixels reaches from x to x + 1.
///   - columns, rows: of the grid, 1…1024.
/// - Returns: a failure for a picture without pixels, or a box without area or that isn't finite.
ocv_status ocv_cell_colors(const ocv_picture *picture, ocv_box box, int32_t columns, int32_t rows, uint8_t *out)
    OCV_NOEXCEPT;

/// The order of a tensor's values.
typedef enum {
    /// Channel by channel: [1, channels, height, width].
    OCV_LAYOUT_NCHW = 0,
    /// Pixel by pixel: [1, height, width, channels].
    OCV_LAYOUT_NHWC = 1
} ocv_layout;

/// What a network wants of its input: tensor = (value · scale − mean[c]) ÷ std[c], in this order, where value is
/// 0…255 and c counts the channels as they are in the crop. So “pixels 0…1, then ImageNet's mean” is scale 1⁄255 with
/// the usual mean and std, and “pixels − 127, ÷ 128” is scale 1, mean 127, std 128. `{layout, 1, {0, 0, 0}, {1, 1, 1}}`
/// leaves the values alone.
typedef struct {
    ocv_layout layout;
    float scale;
    float mean[3];
    /// Not 0.
    float std[3];
} ocv_normalization;

/// Fills a tensor from an image as `ocv_crop` makes it.
///
/// - Parameters:
///   - image: height rows of width × channels bytes, rows `stride` bytes apart.
///   - channels: 1 or 3.
///   - tensor: room for `width · height · channels` floats.
/// - Returns: a failure for a null pointer, an empty size, other channel counts, or numbers that aren't finite.
ocv_status ocv_fill_tensor(
    const uint8_t *image, int64_t stride, int32_t width, int32_t height, int32_t channels,
    const ocv_normalization *normalization, float *tensor) OCV_NOEXCEPT;

/// Where a box of whole pixels goes in a network's input, and how.
typedef struct {
    /// Of the picture, pixels; within it.
    int32_t x, y, boxWidth, boxHeight;
    /// Of the input, pixels, 1…8192.
    int32_t width, height;
    /// Where the box, scaled to `across` × `down`, lies in it.
    int32_t left, top, across, down;
    ocv_channels channels;
    /// The grey value beside it, 0…255.
    uint8_t padding;
    ocv_normalization normalization;
} ocv_input_options;

/// Fills a tensor with a box of the picture: the values of `ocv_crop` (stretched, plain bilinear samples) into a picture of
/// `padding`, and `ocv_fill_tensor` of that, to the last bit, several times as fast.
///
/// - Parameter tensor: room for `width · height · (1 or 3)` floats.
/// - Returns: a failure for a picture without pixels, a box that isn't within it, a place that isn't within the input.
ocv_status ocv_fill_input(const ocv_picture *picture, const ocv_input_options *options, float *tensor) OCV_NOEXCEPT;

// MARK: Patches of luma

/// How a patch's grey values are treated.
typedef enum {
    OCV_PATCH_PLAIN = 0,
    /// Blur is partly undone (an unsharp mask), and the range stretched.
    OCV_PATCH_SHARPENED = 1
} ocv_patch_treatment;

/// Samples a quad of the picture into `out`, `width` × `height` bytes, by bicubic interpolation, or by averaging where
/// it is made smaller. Beyond the picture its border goes on. Pixel (i, j) is the place ((i + 0.5) ÷ width, (j + 0.5) ÷
/// height) of the quad, whose corners are its outer edge.
ocv_status ocv_sample_patch(
    ocv_plane luma, const ocv_point corners[4], ocv_patch_treatment treatment, int32_t width, int32_t height,
    uint8_t *out) OCV_NOEXCEPT;

/// Takes a place of a patch back to the picture.
ocv_point ocv_patch_to_picture(const ocv_point corners[4], int32_t width, int32_t height, ocv_point place) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
