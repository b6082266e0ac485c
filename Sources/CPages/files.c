#include "pages.h"

#include <string.h>

// Swift's clang has it for every C; the standard since 2023.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char shared_theme_css[] = {
#embed "web/shared/theme.css"
};
static const unsigned char review_html[] = {
#embed "web/review/review.html"
};
static const unsigned char pick_html[] = {
#embed "web/pick/pick.html"
};

#define FILE_OF(name, array) {name, array, sizeof(array)}

// A new file is its bytes above and a line here.
static const struct pages_file files[] = {
    FILE_OF("shared/theme.css", shared_theme_css),
    FILE_OF("review/review.html", review_html),
    FILE_OF("pick/pick.html", pick_html),
};

const struct pages_file *pages_at(size_t index) {
    return index < sizeof(files) / sizeof(files[0]) ? &files[index] : NULL;
}

const struct pages_file *pages_find(const char *name) {
    for (size_t index = 0; index < sizeof(files) / sizeof(files[0]); index++)
        if (strcmp(files[index].name, name) == 0) return &files[index];
    return NULL;
}
