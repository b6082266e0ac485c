#define ZX_USE_UTF8
// How bits are stored depends on it, so it comes first.
#include <ZXing/ZXConfig.h>

#include "formats.hpp"

#include <ZXing/BitMatrix.h>
#include <ZXing/MultiFormatWriter.h>
#include <memory>
#include <string>

uint8_t *zx_write(zx_symbology symbology, const char *text, int32_t *width, int32_t *height) noexcept {
    if (!text || !width || !height) return nullptr;
    try {
        for (const auto &[known, format] : zx::table) {
            if (known != symbology) continue;
            const auto matrix = ZXing::MultiFormatWriter(format).encode(std::string(text), 0, 0);
            auto modules = std::make_unique<uint8_t[]>(size_t(matrix.width()) * size_t(matrix.height()));
            for (int y = 0; y < matrix.height(); y++)
                for (int x = 0; x < matrix.width(); x++)
                    modules[size_t(y) * size_t(matrix.width()) + size_t(x)] = matrix.get(x, y) ? 0 : 255;
            *width = matrix.width();
            *height = matrix.height();
            return modules.release();
        }
    } catch (...) {
        // The text doesn't suit the symbology.
    }
    return nullptr;
}

void zx_free_modules(uint8_t *modules) noexcept { delete[] modules; }
