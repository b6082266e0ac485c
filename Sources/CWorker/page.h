#ifndef CWORKER_PAGE_H
#define CWORKER_PAGE_H

#include "CWorker.h"

/// The whole of the page. Swift takes an array of C for a tuple, and a compiler that meets one of thousands takes minutes:
/// so it has the numbers alone.
typedef struct cwk_page {
    cwk_status status;
    char role[64];
    char refused[32];
    char activity[4096];
} cwk_page;

/// Writes a text, cut to its place.
void cwk_write_text(char *place, size_t size, const char *text);

#endif
