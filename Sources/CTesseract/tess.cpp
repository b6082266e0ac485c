#include "tess.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <tesseract/capi.h>
#include <vector>

struct tess {
    TessBaseAPI *api = nullptr;

    ~tess() {
        if (api) {
            TessBaseAPIEnd(api);
            TessBaseAPIDelete(api);
        }
    }
};

namespace {

tess_status failure(const char *message) noexcept {
    tess_status status{};
    status.code = 1;
    std::snprintf(status.message, sizeof status.message, "%s", message);
    return status;
}

template <typename Body> tess_status guarded(Body &&body) noexcept {
    try {
        return body();
    } catch (const std::exception &error) {
        return failure(error.what());
    } catch (...) {
        return failure("unknown C++ exception");
    }
}

/// Keeps Tesseract on the caller's thread: the pipeline owns the parallelism. With no level of parallel regions allowed,
/// OpenMP starts no threads.
void stayOnOneThread() noexcept {
    using Setter = void (*)(int);
    if (const auto set = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"))) set(0);
}

/// A line that owns its texts.
struct Line {
    tess_line line{};
    std::vector<std::string> texts;
    std::vector<tess_part> words, characters;
};

/// The words or characters of the page.
void collect(
    TessBaseAPI *api, TessPageIteratorLevel level, std::vector<tess_part> &parts, std::vector<std::string> &texts) {
    std::unique_ptr<TessResultIterator, void (*)(TessResultIterator *)> iterator(
        TessBaseAPIGetIterator(api), TessResultIteratorDelete);
    if (!iterator) return;
    do {
        std::unique_ptr<char, void (*)(const char *)> text(
            TessResultIteratorGetUTF8Text(iterator.get(), level), TessDeleteText);
        int left = 0, top = 0, right = 0, bottom = 0;
        if (!text || !*text ||
            !TessPageIteratorBoundingBox(
                TessResultIteratorGetPageIteratorConst(iterator.get()), level, &left, &top, &right, &bottom)) {
            continue;
        }
        const double confidence = double(TessResultIteratorConfidence(iterator.get(), level)) / 100;
        texts.emplace_back(text.get());
        // NaN, too, is no confidence.
        parts.push_back({nullptr, confidence > 0 ? (confidence < 1 ? confidence : 1) : 0, left, top, right, bottom});
    } while (TessResultIteratorNext(iterator.get(), level));
}

} // namespace

tess_status tess_open(const char *languages, const char *folder, tess **recogniser) noexcept {
    if (!languages || !recogniser) return failure("Tesseract needs languages and a place to go");
    *recogniser = nullptr;
    return guarded([&] {
        stayOnOneThread();
        auto made = std::make_unique<tess>();
        made->api = TessBaseAPICreate();
        if (!made->api) return failure("no memory for Tesseract");
        TessBaseAPISetVariable(made->api, "debug_file", "/dev/null");
        if (TessBaseAPIInit2(made->api, folder, languages, tesseract::OEM_LSTM_ONLY) != 0)
            return failure("Tesseract can't load its models");
        // Dark on light is what it is given.
        TessBaseAPISetVariable(made->api, "tessedit_do_invert", "0");
        *recogniser = made.release();
        return tess_status{};
    });
}

void tess_close(tess *recogniser) noexcept { delete recogniser; }

tess_status tess_read(
    tess *recogniser, const uint8_t *pixels, int32_t width, int32_t height, int32_t mode, int32_t resolution,
    tess_line **line) noexcept {
    if (!recogniser || !pixels || width < 1 || height < 1 || width > 8192 || height > 8192 || mode < 0 || mode > 13 ||
        !line) {
        return failure("Tesseract needs a picture and a place for the result");
    }
    *line = nullptr;
    return guarded([&] {
        stayOnOneThread();
        TessBaseAPI *api = recogniser->api;
        TessBaseAPISetPageSegMode(api, TessPageSegMode(mode));
        TessBaseAPISetImage(api, pixels, width, height, 1, width);
        TessBaseAPISetSourceResolution(api, resolution);
        if (TessBaseAPIRecognize(api, nullptr) != 0) {
            TessBaseAPIClear(api);
            return failure("Tesseract failed on a line");
        }
        auto made = std::make_unique<Line>();
        std::vector<std::string> words, characters;
        collect(api, tesseract::RIL_WORD, made->words, words);
        collect(api, tesseract::RIL_SYMBOL, made->characters, characters);
        // The LSTM learns nothing from what it reads, so that the next line is read as if it were the first.
        TessBaseAPIClear(api);
        if (made->words.empty()) return tess_status{};
        made->texts = std::move(words);
        made->texts.insert(made->texts.end(), characters.begin(), characters.end());
        for (size_t i = 0; i < made->words.size(); i++) made->words[i].text = made->texts[i].c_str();
        for (size_t i = 0; i < made->characters.size(); i++)
            made->characters[i].text = made->texts[made->words.size() + i].c_str();
        made->line = {
            int32_t(made->words.size()), int32_t(made->characters.size()), made->words.data(), made->characters.data()};
        *line = &made.release()->line;
        return tess_status{};
    });
}

void tess_free(tess_line *line) noexcept {
    // The line is its owner's first member.
    delete reinterpret_cast<Line *>(line);
}
