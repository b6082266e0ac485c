#ifndef OCV_H
#define OCV_H

// Types that every ability of the shim shares. The headers are plain C: Swift imports them as they are.
// Every function is noexcept: a C++ exception becomes a status with OpenCV's own message.

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

#ifdef __cplusplus
}
#endif
#endif
