#ifndef ZX_H
#define ZX_H

// ZXing-C++ as plain C: what Swift imports. Every function is noexcept: what ZXing throws becomes a code of failure.

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#define ZX_NOEXCEPT noexcept
extern "C" {
#else
#define ZX_NOEXCEPT
#endif

/// Kinds of codes, as bits of a set.
typedef enum {
    ZX_AZTEC = 1 << 0,
    ZX_CODABAR = 1 << 1,
    ZX_CODE_39 = 1 << 2,
    ZX_CODE_93 = 1 << 3,
    ZX_CODE_128 = 1 << 4,
    ZX_DATA_MATRIX = 1 << 5,
    ZX_EAN_8 = 1 << 6,
    ZX_EAN_13 = 1 << 7,
    ZX_ITF = 1 << 8,
    ZX_PDF_417 = 1 << 9,
    ZX_QR = 1 << 10,
    ZX_MICRO_QR = 1 << 11,
    ZX_UPC_A = 1 << 12,
    ZX_UPC_E = 1 << 13,
    /// Omnidirectional, truncated and stacked.
    ZX_DATA_BAR = 1 << 14,
    ZX_DATA_BAR_EXPANDED = 1 << 15,
    ZX_DATA_BAR_LIMITED = 1 << 16,
    ZX_MAXI_CODE = 1 << 17,
    ZX_MICRO_PDF_417 = 1 << 18,
    ZX_RMQR = 1 << 19
} zx_symbology;

/// Grey pixels, 8 bits each, not owned. `stride` is in bytes.
typedef struct {
    const uint8_t *data;
    int32_t width, height, stride;
} zx_picture;

typedef struct {
    /// A set of `zx_symbology`.
    uint32_t symbologies;
    /// Also looks for rows of bars that run up and down, and for matrices that only other starting lines find.
    bool tryRotate;
    /// Also looks for light codes on dark ground.
    bool tryInvert;
    /// Also looks at the picture made smaller by 3, and again while its longer side is over 500 pixels.
    bool tryDownscale;
    /// Also closes small gaps of matrices.
    bool tryDenoise;
    /// One threshold a row or for the whole, from the histogram, instead of local ones.
    bool globalThreshold;
    /// Also reads the EAN-2 or EAN-5 beside an EAN or UPC.
    bool supplements;
    /// The picture is made smaller by so much before it is looked at, by averaging; under 2: it is taken as it is.
    int32_t reduction;
} zx_options;

/// One symbol. The memory is the result's.
typedef struct {
    /// One `zx_symbology`.
    uint32_t symbology;
    /// x, y of the corners in the picture's pixels, clockwise from the symbol's own top left; of a row of bars, the ends of the first and the
    /// last line that was read.
    double corners[8];
    /// How many lines of the picture said the same; 0 for a matrix.
    int32_t lines;
    /// The bytes, and the same as UTF-8, made with the symbol's character set (the most likely one where it names none);
    /// `text` is NULL where ZXing takes the bytes for none. Of UPC-A it has 13 digits, of UPC-E the 8 that are printed.
    const uint8_t *bytes;
    int64_t byteCount;
    const char *text;
    int64_t textCount;
    /// Digits of the EAN-2 or EAN-5 beside it, which the corners then include and the payload doesn't; NULL for none.
    const char *supplement;
    /// Whether it is an Aztec rune: an Aztec code's finder with eight bits beside it, and their checks.
    bool isRune;
} zx_symbol;

typedef struct zx_symbols zx_symbols;

/// Reads the symbols of a picture as it is. Thread-safe.
///
/// - Returns: NULL where nothing was found, and where ZXing failed.
zx_symbols *zx_read(zx_picture picture, zx_options options) ZX_NOEXCEPT;

int32_t zx_count(const zx_symbols *symbols) ZX_NOEXCEPT;

/// - Parameter index: under `zx_count`.
zx_symbol zx_get(const zx_symbols *symbols, int32_t index) ZX_NOEXCEPT;

void zx_free(zx_symbols *symbols) ZX_NOEXCEPT;

/// Draws a symbol, one byte a module (0 is dark), row by row from the top: for scenes and tests.
///
/// - Parameters:
///   - text: GS1's symbologies take it with the application identifiers in brackets, `[01]…`.
///   - width, height: receive the symbol's size in modules, without a quiet zone; rows of bars have some height. MaxiCode,
///     which has no square modules, is drawn with some five pixels each.
/// - Returns: memory to be given to `zx_free_modules`; NULL where the text doesn't suit the symbology.
uint8_t *zx_write(zx_symbology symbology, const char *text, int32_t *width, int32_t *height) ZX_NOEXCEPT;

void zx_free_modules(uint8_t *modules) ZX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
