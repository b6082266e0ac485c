#ifndef OCV_TEXT_H
#define OCV_TEXT_H

// Lines of text in a picture: where they are, and patches of them that a recogniser can read. All functions are pure and
// thread-safe; they keep nothing.

#include "ocv_pixels.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A line of what may be letters.
typedef struct {
    /// Clockwise from the line's own top left: along the ascenders' tops and the descenders' bottoms, with the tilt of the
    /// letters' uprights.
    ocv_point corners[4];
    /// Light letters on something dark.
    bool isLight;
    /// How many letters, or parts of such, it has.
    int32_t letters;
    /// For ranking, from 0.
    double score;
} ocv_text_line;

/// Finds lines of text that run within 50° of level, of either polarity.
///
/// At each of up to three scales, what differs from its surroundings is split into connected components; those that may
/// be letters are chained to lines (as Chen et al. 2011 do with stable regions); top and bottom of a line are fitted
/// apart, so that it may be in perspective; the uprights' tilt is the shear that makes its columns stand out best.
///
/// - Parameters:
///   - minimumHeight: of a line, ascenders and descenders included, pixels.
///   - lines: receives the best `capacity`, the best first.
ocv_status ocv_find_text_lines(
    ocv_plane luma, double minimumHeight, ocv_text_line *lines, int32_t capacity, int32_t *count) OCV_NOEXCEPT;

typedef enum {
    OCV_TEXT_PLAIN = 0,
    /// Strokes wider by a pixel on each side.
    OCV_TEXT_BOLDER = 1,
    /// What can't be a letter is left white: for letters on top of a picture.
    OCV_TEXT_ISOLATED = 2
} ocv_text_look;

/// Samples a line as dark letters on a light ground into `out`, `width` × `height` bytes, its grey values stretched.
/// - Parameter letters: how many of the rows in the middle the line itself takes.
ocv_status ocv_sample_text(
    ocv_plane luma, const ocv_text_line *line, int32_t width, int32_t height, double letters, ocv_text_look look,
    uint8_t *out) OCV_NOEXCEPT;

// MARK: What a network says

/// A place where a network sees text, in pixels of its map (integer coordinates are pixel centres).
typedef struct {
    /// Clockwise; the first side is a longer one and runs right or, where it is upright, down. Which way up the text is
    /// isn't known.
    ocv_point corners[4];
    /// The map's mean over what counts as text of it, 0…1.
    double score;
} ocv_text_region;

typedef struct {
    /// What counts as text, 0…1.
    double threshold;
    /// The least mean of a region, 0…1.
    double leastScore;
    /// The shortest side of a region as the map has it, pixels.
    double leastSide;
    /// How far a region grows, in its area over its perimeter: the network marks the middle of lines.
    double unclip;
} ocv_text_region_options;

/// Reads the regions of text out of a probability map, as Liao et al. 2020 (“Real-time Scene Text Detection with
/// Differentiable Binarization”) do: connected parts over a threshold, a quad around each, grown again. Parts that are
/// words of one line are put together.
///
/// - Parameters:
///   - map: height × width values, 0…1.
///   - regions: receives the largest and surest `capacity`, these first.
ocv_status ocv_text_regions(
    const float *map, int32_t width, int32_t height, ocv_text_region_options options, ocv_text_region *regions,
    int32_t capacity, int32_t *count) OCV_NOEXCEPT;

/// Samples a line for a recogniser into `out`, height × width × (blue, green, red): by bicubic interpolation, which keeps
/// the gaps between letters, after averaging where it is made much smaller; by bilinear where it is made more than twice as
/// large, as the recognisers were taught. Beyond the picture its border goes on.
/// - Parameter line: its corners are its outer edge.
ocv_status ocv_text_crop(const ocv_picture *picture, const ocv_quad *line, int32_t width, int32_t height, uint8_t *out)
    OCV_NOEXCEPT;

// MARK: From frame to frame

typedef struct {
    /// Row by row: (x, y) goes to (a₀·x + a₁·y + a₂, a₃·x + a₄·y + a₅).
    double affine[6];
    /// False where too little of the line could be followed.
    bool isKnown;
} ocv_text_motion;

/// A plane as lines are followed in it, for the frame before it and the one after it.
typedef struct ocv_text_frame ocv_text_frame;

/// Makes one, which keeps a copy of the plane. The caller owns `*out`.
ocv_status ocv_text_frame_create(ocv_plane luma, ocv_text_frame **out) OCV_NOEXCEPT;

/// Releases it; NULL is allowed.
void ocv_text_frame_destroy(ocv_text_frame *frame) OCV_NOEXCEPT;

/// Follows lines from one frame to the next by the corners of their letters (pyramidal Lucas and Kanade, there and back)
/// and the similar or affine motion that most of them share.
/// - Parameter lines: in pixels of these planes, which are of one size.
ocv_status ocv_follow_text(
    const ocv_text_frame *before, const ocv_text_frame *now, const ocv_quad *lines, int32_t count,
    ocv_text_motion *motions) OCV_NOEXCEPT;

/// How like itself a line still looks: the normalised correlation, −1…1, of its pixels as `ocv_sample_patch` gives them
/// with those that it had.
/// - Parameter reference: height × width bytes.
ocv_status ocv_text_likeness(
    ocv_plane luma, const ocv_point corners[4], int32_t width, int32_t height, const uint8_t *reference,
    double *likeness) OCV_NOEXCEPT;

/// How like itself a line still looks piece by piece, each about a letter wide: the normalised correlations, −1…1, with
/// what was there, where each fits best, once the sharper picture is as blurred as the other.
/// - Parameters:
///   - reference: height × width bytes.
///   - least: of the piece that has changed most.
///   - usual: of three in four pieces at the most.
ocv_status ocv_text_piece_likeness(
    ocv_plane luma, const ocv_point corners[4], int32_t width, int32_t height, const uint8_t *reference, double *least,
    double *usual) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
