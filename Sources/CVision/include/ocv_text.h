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

#ifdef __cplusplus
}
#endif
#endif
