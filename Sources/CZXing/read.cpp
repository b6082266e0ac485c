#define ZX_USE_UTF8
#include "assertions.hpp"
#include "formats.hpp"

#include <ZXing/ReadBarcode.h>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace zx {
namespace {

struct Symbol {
    zx_symbology symbology;
    double corners[8];
    std::vector<uint8_t> bytes;
    std::string text;
};

} // namespace
} // namespace zx

struct zx_symbols {
    std::vector<zx::Symbol> list;
};

namespace zx {
namespace {

Symbol symbol(const ZXing::Result &result, zx_symbology symbology) {
    Symbol symbol{symbology, {}, {}, result.text()};
    // ZXing's corners are in pixels whose integer coordinates are centres.
    for (int corner = 0; corner < 4; corner++) {
        const auto point = result.position()[corner];
        symbol.corners[2 * corner] = point.x;
        symbol.corners[2 * corner + 1] = point.y;
    }
    const auto &bytes = result.bytes();
    symbol.bytes.assign(bytes.begin(), bytes.end());
    return symbol;
}

/// May be left by a jump, so it keeps nothing that others need.
zx_symbols *read(zx_picture picture, zx_options options) noexcept {
    try {
        ZXing::DecodeHints hints;
        hints.setFormats(formats(options.symbologies))
            .setTryHarder(options.tryHarder)
            .setTryRotate(options.tryRotate)
            // The caller knows better which sizes to look at.
            .setTryDownscale(false)
            .setBinarizer(options.globalThreshold ? ZXing::Binarizer::GlobalHistogram : ZXing::Binarizer::LocalAverage);
        if (hints.formats().empty()) return nullptr;
        const ZXing::ImageView view(
            picture.data, picture.width, picture.height, ZXing::ImageFormat::Lum, picture.stride);
        auto symbols = std::make_unique<zx_symbols>();
        for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
            const auto symbology = zx::symbology(result.format());
            if (result.isValid() && symbology) symbols->list.push_back(symbol(result, *symbology));
        }
        return symbols->list.empty() ? nullptr : symbols.release();
    } catch (...) {
        return nullptr;
    }
}

} // namespace
} // namespace zx

zx_symbols *zx_read(zx_picture picture, zx_options options) noexcept {
    // Smaller pictures hold no symbol, and ZXing's own limits are not checked below them.
    if (!picture.data || picture.width < 8 || picture.height < 8 || picture.stride < picture.width) return nullptr;
    std::jmp_buf here;
    if (setjmp(here)) {
        zx::escape = nullptr;
        return nullptr;
    }
    zx::escape = &here;
    zx_symbols *symbols = zx::read(picture, options);
    zx::escape = nullptr;
    return symbols;
}

int32_t zx_count(const zx_symbols *symbols) noexcept { return symbols ? int32_t(symbols->list.size()) : 0; }

zx_symbol zx_get(const zx_symbols *symbols, int32_t index) noexcept {
    zx_symbol out{};
    if (!symbols || index < 0 || size_t(index) >= symbols->list.size()) return out;
    const zx::Symbol &symbol = symbols->list[size_t(index)];
    out.symbology = symbol.symbology;
    std::copy(std::begin(symbol.corners), std::end(symbol.corners), out.corners);
    out.bytes = symbol.bytes.data();
    out.byteCount = int64_t(symbol.bytes.size());
    out.text = symbol.text.data();
    out.textCount = int64_t(symbol.text.size());
    return out;
}

void zx_free(zx_symbols *symbols) noexcept { delete symbols; }
