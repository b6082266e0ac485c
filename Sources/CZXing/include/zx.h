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

/// Kinds of codes, as bits of a set. DataBar is left out: Debian's ZXing 1.4 is built with assertions, one of which a
/// damaged DataBar symbol fails, and that ends the process. MaxiCode is only read from perfect pictures.
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
    ZX_UPC_E = 1 << 13
} zx_symbology;

/// Grey pixels, 8 bits each, not owned. `stride` is in bytes.
typedef struct {
    const uint8_t *data;
    int32_t width, height, stride;
} zx_picture;

typedef struct {
    /// A set of `zx_symbology`.
    uint32_t symbologies;
    /// Looks at more lines and at inner parts of the picture.
    bool tryHarder;
    /// Also looks for rows of bars that run up and down.
    bool tryRotate;
    /// One threshold a row or for the whole, from the histogram, instead of local ones.
    bool globalThreshold;
} zx_options;

/// One symbol. The memory is the result's.
typedef struct {
    /// One `zx_symbology`.
    uint32_t symbology;
    /// x, y of the corners, clockwise from the symbol's own top left; of a row of bars, the ends of the first and the
    /// last line that was read.
    double corners[8];
    /// The bytes, and the same as UTF-8, made with the symbol's character set (the most likely one where it names none).
    const uint8_t *bytes;
    int64_t byteCount;
    const char *text;
    int64_t textCount;
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
///   - symbology: one of those that ZXing writes: all but `ZX_MICRO_QR`.
///   - width, height: receive the symbol's size in modules, its quiet zone included.
/// - Returns: memory to be given to `zx_free_modules`; NULL where the text doesn't suit the symbology.
uint8_t *zx_write(zx_symbology symbology, const char *text, int32_t *width, int32_t *height) ZX_NOEXCEPT;

void zx_free_modules(uint8_t *modules) ZX_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
