#include "page.h"

#include <string.h>

void cwk_write_text(char *place, size_t size, const char *text) {
    // Without `snprintf`, which may allocate: handlers of signals use it. The end first, so that a reader never runs past.
    size_t length = strnlen(text, size - 1);
    place[size - 1] = 0;
    memmove(place, text, length);
    place[length] = 0;
}

static char *find(cwk_page *page, cwk_text which, size_t *size) {
    switch (which) {
    case CWK_ROLE: return *size = sizeof page->role, page->role;
    case CWK_REFUSED: return *size = sizeof page->refused, page->refused;
    case CWK_ACTIVITY: break;
    }
    return *size = sizeof page->activity, page->activity;
}

const char *cwk_get_text(const cwk_status *status, cwk_text which, size_t *size) {
    return find((cwk_page *)status, which, size);
}

void cwk_set_text(cwk_status *status, cwk_text which, const char *text) {
    size_t size;
    char *place = find((cwk_page *)status, which, &size);
    cwk_write_text(place, size, text);
}
