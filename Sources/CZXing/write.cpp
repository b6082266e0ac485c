#include "formats.hpp"

#include <ZXing/CreateBarcode.h>
#include <algorithm>
#include <memory>

uint8_t *zx_write(zx_symbology symbology, const char *text, int32_t *width, int32_t *height) noexcept {
    if (!text || !width || !height) return nullptr;
    try {
        for (const auto &[known, format] : zx::table) {
            if (known != symbology) continue;
            const auto code = ZXing::CreateBarcodeFromText(text, ZXing::CreatorOptions(format));
            const ZXing::ImageView symbol = code.symbol();
            if (!code.isValid() || !symbol.data()) return nullptr;
            auto modules = std::make_unique<uint8_t[]>(size_t(symbol.width()) * size_t(symbol.height()));
            for (int y = 0; y < symbol.height(); y++)
                for (int x = 0; x < symbol.width(); x++)
                    modules[size_t(y) * size_t(symbol.width()) + size_t(x)] = *symbol.data(x, y) ? 255 : 0;
            *width = symbol.width();
            *height = symbol.height();
            return modules.release();
        }
    } catch (...) {
        // The text doesn't suit the symbology.
    }
    return nullptr;
}

void zx_free_modules(uint8_t *modules) noexcept { delete[] modules; }
