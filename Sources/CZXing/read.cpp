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
    std::string supplement;
    bool isRune;
};

} // namespace
} // namespace zx

struct zx_symbols {
    std::vector<zx::Symbol> list;
};

namespace zx {
namespace {

/// The text that ZXing makes with the symbol's character set; of UPC-E what is printed. A binary payload has none.
std::optional<std::string> text(const ZXing::Barcode &code, zx_symbology symbology) {
    if (symbology == ZX_UPC_E) return code.extra(ZXing::BarcodeExtra::UPCE);
    const auto type = code.contentType();
    if (type == ZXing::ContentType::Binary || type == ZXing::ContentType::UnknownECI) return std::nullopt;
    return code.text(ZXing::TextMode::Plain);
}

/// Averages of `by` × `by` pixels from sums down the columns, `By` of which are one; 0 where the compiler doesn't know how many.
template <int By> void average(const uint16_t *sums, int by, int width, uint8_t *out) {
    const uint32_t side = By > 0 ? uint32_t(By) : uint32_t(by), count = side * side;
    for (int x = 0; x < width; x++) {
        uint32_t all = count / 2;
        for (uint32_t k = 0; k < side; k++) all += sums[uint32_t(x) * side + k];
        out[x] = uint8_t(all / count);
    }
}

/// Averages of `by` × `by` pixels.
ZXing::Image reduced(zx_picture picture, int by) {
    ZXing::Image small(picture.width / by, picture.height / by);
    uint8_t *out = const_cast<uint8_t *>(small.data());
    // Down the columns first, many of which are added at once; 16 bits hold what 257 rows are.
    std::vector<uint16_t> sums(size_t(small.width()) * size_t(by));
    // A division by what is known beforehand is a multiplication, of many at once.
    const auto average = by == 2 ? zx::average<2> : by == 3 ? zx::average<3> : zx::average<0>;
    for (int y = 0; y < small.height(); y++) {
        std::fill(sums.begin(), sums.end(), uint16_t(0));
        for (int line = 0; line < by; line++) {
            const uint8_t *in = picture.data + ptrdiff_t(y * by + line) * picture.stride;
            for (size_t x = 0; x < sums.size(); x++) sums[x] = uint16_t(sums[x] + in[x]);
        }
        average(sums.data(), by, small.width(), out);
        out += small.width();
    }
    return small;
}

/// Takes the digits of what stands beside a symbol off the end of its own.
template <typename Text> void takeOff(const std::string &supplement, Text &digits) {
    if (digits.size() > supplement.size() && std::equal(supplement.rbegin(), supplement.rend(), digits.rbegin()))
        digits.resize(digits.size() - supplement.size());
}

Symbol symbol(const ZXing::Barcode &code, zx_symbology symbology, int reduction) {
    Symbol symbol{
        symbology,
        {},
        code.lineCount(),
        code.bytes(),
        text(code, symbology),
        code.extra(ZXing::BarcodeExtra::EanAddOn),
        // Its format is that of every Aztec code.
        code.symbologyIdentifier() == "]zC"};
    if (!symbol.supplement.empty()) {
        takeOff(symbol.supplement, symbol.bytes);
        if (symbol.text && symbology != ZX_UPC_E) takeOff(symbol.supplement, *symbol.text);
    }
    // ZXing's corners are in pixels whose integer coordinates are centres.
    for (int corner = 0; corner < 4; corner++) {
        const auto point = code.position()[corner];
        symbol.corners[2 * corner] = (point.x + 0.5) * reduction - 0.5;
        symbol.corners[2 * corner + 1] = (point.y + 0.5) * reduction - 0.5;
    }
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
                .setEanAddOnSymbol(options.supplements ? ZXing::EanAddOnSymbol::Read : ZXing::EanAddOnSymbol::Ignore)
                .setBinarizer(
                    options.globalThreshold ? ZXing::Binarizer::GlobalHistogram : ZXing::Binarizer::LocalAverage);
        const int reduction = std::clamp(options.reduction, 1, 256);
        if (picture.width / reduction < 8 || picture.height / reduction < 8) return nullptr;
        const ZXing::Image small = reduction > 1 ? zx::reduced(picture, reduction) : ZXing::Image();
        const ZXing::ImageView view =
            reduction > 1 ? ZXing::ImageView(small)
                          : ZXing::ImageView(
                                picture.data, picture.width, picture.height, ZXing::ImageFormat::Lum, picture.stride);
        auto symbols = std::make_unique<zx_symbols>();
        for (const auto &code : ZXing::ReadBarcodes(view, hints)) {
            const auto symbology = zx::symbology(code.format());
            if (code.isValid() && symbology) symbols->list.push_back(zx::symbol(code, *symbology, reduction));
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
    out.isRune = symbol.isRune;
    out.supplement = symbol.supplement.empty() ? nullptr : symbol.supplement.c_str();
    return out;
}

void zx_free(zx_symbols *symbols) noexcept { delete symbols; }
