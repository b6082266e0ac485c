#include "formats.hpp"

#include <ZXing/ReadBarcode.h>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zx {
namespace {

struct Symbol {
    zx_symbology symbology;
    double corners[8];
    int32_t lines;
    std::vector<uint8_t> bytes;
    std::optional<std::string> text;
};

} // namespace
} // namespace zx

struct zx_symbols {
    std::vector<zx::Symbol> list;
};

namespace zx {
namespace {

/// True for what is UTF-8 as it stands: no overlong forms, no surrogates, nothing beyond Unicode.
bool isUTF8(const std::vector<uint8_t> &bytes) {
    for (size_t i = 0; i < bytes.size();) {
        const uint8_t first = bytes[i++];
        if (first < 0x80) continue;
        const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4 || bytes.size() - i < size_t(more)) return false;
        uint32_t scalar = first & (0x3f >> more);
        for (int k = 0; k < more; k++, i++) {
            if ((bytes[i] & 0xc0) != 0x80) return false;
            scalar = scalar << 6 | (bytes[i] & 0x3f);
        }
        if (scalar > 0x10ffff || (scalar >= 0xd800 && scalar < 0xe000)) return false;
        if ((more == 2 && scalar < 0x800) || (more == 3 && scalar < 0x10000)) return false;
    }
    return true;
}

/// The text that ZXing makes with the symbol's character set. A binary payload has none: what isn't UTF-8 by itself is
/// left as bytes.
std::optional<std::string> text(const ZXing::Barcode &code) {
    const auto type = code.contentType();
    if (type != ZXing::ContentType::Binary && type != ZXing::ContentType::UnknownECI)
        return code.text(ZXing::TextMode::Plain);
    if (!isUTF8(code.bytes())) return std::nullopt;
    return std::string(code.bytes().begin(), code.bytes().end());
}

/// ZXing gives EAN and UPC as 13 digits; here they are what is printed below the bars.
void makeRetail(Symbol &symbol, const ZXing::Barcode &code, uint32_t wanted) {
    if (!symbol.text) return;
    if (symbol.symbology == ZX_UPC_E) symbol.text = code.extra(ZXing::BarcodeExtra::UPCE);
    const bool isLong = symbol.text->size() == 13 && symbol.text->front() == '0';
    // A UPC-A is an EAN-13 that starts with a zero.
    if (symbol.symbology == ZX_EAN_13 && isLong && wanted & ZX_UPC_A) symbol.symbology = ZX_UPC_A;
    if (symbol.symbology == ZX_UPC_A && isLong) symbol.text->erase(0, 1);
    symbol.bytes.assign(symbol.text->begin(), symbol.text->end());
}

/// Averages of `by` × `by` pixels.
ZXing::Image reduced(zx_picture picture, int by) {
    ZXing::Image small(picture.width / by, picture.height / by);
    uint8_t *out = const_cast<uint8_t *>(small.data());
    std::vector<uint32_t> sums(size_t(small.width()));
    const uint32_t count = uint32_t(by) * uint32_t(by);
    for (int y = 0; y < small.height(); y++) {
        std::fill(sums.begin(), sums.end(), count / 2);
        for (int line = 0; line < by; line++) {
            const uint8_t *in = picture.data + ptrdiff_t(y * by + line) * picture.stride;
            for (uint32_t &sum : sums)
                for (int k = 0; k < by; k++) sum += *in++;
        }
        for (const uint32_t sum : sums) *out++ = uint8_t(sum / count);
    }
    return small;
}

Symbol symbol(const ZXing::Barcode &code, zx_symbology symbology, uint32_t wanted, int reduction) {
    Symbol symbol{symbology, {}, code.lineCount(), code.bytes(), text(code)};
    // ZXing's corners are in pixels whose integer coordinates are centres.
    for (int corner = 0; corner < 4; corner++) {
        const auto point = code.position()[corner];
        symbol.corners[2 * corner] = (point.x + 0.5) * reduction - 0.5;
        symbol.corners[2 * corner + 1] = (point.y + 0.5) * reduction - 0.5;
    }
    if (symbology & (ZX_EAN_13 | ZX_UPC_A | ZX_UPC_E)) makeRetail(symbol, code, wanted);
    return symbol;
}

} // namespace
} // namespace zx

zx_symbols *zx_read(zx_picture picture, zx_options options) noexcept {
    // Smaller pictures hold no symbol, and ZXing's own limits are not checked below them.
    if (!picture.data || picture.width < 8 || picture.height < 8 || picture.stride < picture.width) return nullptr;
    if (picture.width > 0xffff || picture.height > 0xffff) return nullptr;
    // Damaged symbols make ZXing throw, its own assertions among it.
    try {
        ZXing::BarcodeFormats formats = zx::formats(options.symbologies);
        // No formats are all of them, for ZXing.
        if (formats.empty()) return nullptr;
        const auto hints =
            ZXing::ReaderOptions()
                .formats(std::move(formats))
                .setTryRotate(options.tryRotate)
                .setTryInvert(options.tryInvert)
                .setTryDownscale(options.tryDownscale)
                .setTryDenoise(options.tryDenoise)
                .setBinarizer(
                    options.globalThreshold ? ZXing::Binarizer::GlobalHistogram : ZXing::Binarizer::LocalAverage);
        const int reduction = std::max(options.reduction, 1);
        if (picture.width / reduction < 8 || picture.height / reduction < 8) return nullptr;
        const ZXing::Image small = reduction > 1 ? zx::reduced(picture, reduction) : ZXing::Image();
        const ZXing::ImageView view =
            reduction > 1 ? ZXing::ImageView(small)
                          : ZXing::ImageView(
                                picture.data, picture.width, picture.height, ZXing::ImageFormat::Lum, picture.stride);
        auto symbols = std::make_unique<zx_symbols>();
        for (const auto &code : ZXing::ReadBarcodes(view, hints)) {
            const auto symbology = zx::symbology(code.format());
            if (code.isValid() && symbology)
                symbols->list.push_back(zx::symbol(code, *symbology, options.symbologies, reduction));
        }
        return symbols->list.empty() ? nullptr : symbols.release();
    } catch (...) {
        return nullptr;
    }
}

int32_t zx_count(const zx_symbols *symbols) noexcept { return symbols ? int32_t(symbols->list.size()) : 0; }

zx_symbol zx_get(const zx_symbols *symbols, int32_t index) noexcept {
    zx_symbol out{};
    if (!symbols || index < 0 || size_t(index) >= symbols->list.size()) return out;
    const zx::Symbol &symbol = symbols->list[size_t(index)];
    out.symbology = symbol.symbology;
    std::copy(std::begin(symbol.corners), std::end(symbol.corners), out.corners);
    out.lines = symbol.lines;
    out.bytes = symbol.bytes.data();
    out.byteCount = int64_t(symbol.bytes.size());
    out.text = symbol.text ? symbol.text->data() : nullptr;
    out.textCount = symbol.text ? int64_t(symbol.text->size()) : 0;
    return out;
}

void zx_free(zx_symbols *symbols) noexcept { delete symbols; }
