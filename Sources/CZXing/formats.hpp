#pragma once
#include "zx.h"

#include <ZXing/BarcodeFormat.h>
#include <optional>
#include <utility>
#include <vector>

namespace zx {

/// What is asked for, and what is written.
inline constexpr std::pair<zx_symbology, ZXing::BarcodeFormat> table[] = {
    {ZX_AZTEC, ZXing::BarcodeFormat::Aztec},
    {ZX_CODABAR, ZXing::BarcodeFormat::Codabar},
    {ZX_CODE_39, ZXing::BarcodeFormat::Code39},
    {ZX_CODE_93, ZXing::BarcodeFormat::Code93},
    {ZX_CODE_128, ZXing::BarcodeFormat::Code128},
    {ZX_DATA_MATRIX, ZXing::BarcodeFormat::DataMatrix},
    {ZX_EAN_8, ZXing::BarcodeFormat::EAN8},
    {ZX_EAN_13, ZXing::BarcodeFormat::EAN13},
    {ZX_ITF, ZXing::BarcodeFormat::ITF},
    {ZX_PDF_417, ZXing::BarcodeFormat::PDF417},
    {ZX_QR, ZXing::BarcodeFormat::QRCodeModel2},
    {ZX_MICRO_QR, ZXing::BarcodeFormat::MicroQRCode},
    {ZX_UPC_A, ZXing::BarcodeFormat::UPCA},
    {ZX_UPC_E, ZXing::BarcodeFormat::UPCE},
    {ZX_DATA_BAR, ZXing::BarcodeFormat::DataBarOmni},
    {ZX_DATA_BAR_EXPANDED, ZXing::BarcodeFormat::DataBarExp},
    {ZX_DATA_BAR_LIMITED, ZXing::BarcodeFormat::DataBarLtd},
    {ZX_MAXI_CODE, ZXing::BarcodeFormat::MaxiCode},
    {ZX_MICRO_PDF_417, ZXing::BarcodeFormat::MicroPDF417},
    {ZX_RMQR, ZXing::BarcodeFormat::RMQRCode},
};

/// Other forms of the same, which are asked for and reported with them.
inline constexpr std::pair<zx_symbology, ZXing::BarcodeFormat> variants[] = {
    {ZX_QR, ZXing::BarcodeFormat::QRCodeModel1},
    {ZX_AZTEC, ZXing::BarcodeFormat::AztecCode},
    {ZX_AZTEC, ZXing::BarcodeFormat::AztecRune},
    {ZX_PDF_417, ZXing::BarcodeFormat::CompactPDF417},
    {ZX_DATA_BAR, ZXing::BarcodeFormat::DataBarStk},
    {ZX_DATA_BAR, ZXing::BarcodeFormat::DataBarStkOmni},
    {ZX_DATA_BAR_EXPANDED, ZXing::BarcodeFormat::DataBarExpStk},
};

/// Names under which ZXing tells what was asked for by another.
inline constexpr std::pair<zx_symbology, ZXing::BarcodeFormat> names[] = {
    // Both models of QR, by the family, which isn't asked for: Micro QR and rMQR are of it.
    {ZX_QR, ZXing::BarcodeFormat::QRCode},         {ZX_CODE_39, ZXing::BarcodeFormat::Code39Std},
    {ZX_CODE_39, ZXing::BarcodeFormat::Code39Ext}, {ZX_CODE_39, ZXing::BarcodeFormat::Code32},
    {ZX_CODE_39, ZXing::BarcodeFormat::PZN},       {ZX_ITF, ZXing::BarcodeFormat::ITF14},
    {ZX_EAN_13, ZXing::BarcodeFormat::ISBN},       {ZX_EAN_13, ZXing::BarcodeFormat::EANUPC},
    {ZX_DATA_BAR, ZXing::BarcodeFormat::DataBar},
};

/// Those that aren't asked for, and so aren't told.
inline constexpr ZXing::BarcodeFormat unasked[] = {
    ZXing::BarcodeFormat::Telepen,    ZXing::BarcodeFormat::TelepenAlpha, ZXing::BarcodeFormat::TelepenNumeric,
    ZXing::BarcodeFormat::DXFilmEdge, ZXing::BarcodeFormat::OtherBarcode,
};

inline ZXing::BarcodeFormats formats(uint32_t set) {
    std::vector<ZXing::BarcodeFormat> wanted;
    for (const auto &[symbology, format] : table)
        if (set & symbology) wanted.push_back(format);
    for (const auto &[symbology, format] : variants)
        if (set & symbology) wanted.push_back(format);
    return ZXing::BarcodeFormats(std::move(wanted));
}

constexpr std::optional<zx_symbology> symbology(ZXing::BarcodeFormat wanted) {
    for (const auto &[symbology, format] : table)
        if (format == wanted) return symbology;
    for (const auto &[symbology, format] : variants)
        if (format == wanted) return symbology;
    for (const auto &[symbology, format] : names)
        if (format == wanted) return symbology;
    return std::nullopt;
}

/// One of ZXing's own list: its flags say whether it reads it.
struct Listed {
    ZXing::BarcodeFormat format;
    bool isRead;
};

inline constexpr Listed listed[] = {
#define ZX_LISTED(NAME, SYM, VAR, FLAGS, ZINT, ENABLED, HRI) {ZXing::BarcodeFormat::NAME, (FLAGS)[1] == 'r'},
    ZX_BCF_LIST(ZX_LISTED)
#undef ZX_LISTED
};

/// Whether every format that ZXing may answer is known here.
constexpr bool areAllKnown() {
    for (const Listed &one : listed) {
        bool isKnown = !one.isRead || symbology(one.format);
        for (const ZXing::BarcodeFormat format : unasked) isKnown = isKnown || format == one.format;
        if (!isKnown) return false;
    }
    return true;
}
static_assert(areAllKnown(), "ZXing reads a format that has no symbology here: it would be dropped where it is read");

} // namespace zx
