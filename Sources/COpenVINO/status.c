#include "openvino_api.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ovn_status ovn_success(void) {
    ovn_status status;
    status.code = OVN_OK;
    status.message[0] = 0;
    return status;
}

/// Cuts a message that filled its buffer at a whole UTF-8 character.
static void end_at_character(char *text, size_t capacity) {
    size_t length = strlen(text);
    if (length + 1 < capacity) return;
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80) length--;
    if (length > 0 && (unsigned char)text[length - 1] >= 0xC0) length--;
    text[length] = 0;
}

ovn_status ovn_failure(int32_t code, const char *format, ...) {
    ovn_status status;
    status.code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(status.message, sizeof status.message, format, arguments);
    va_end(arguments);
    end_at_character(status.message, sizeof status.message);
    return status;
}

/// True for the lines of an OpenVINO message that only say where in its sources the error was thrown.
static bool is_noise(const char *line, size_t length) {
    static const char *const starts[] = {"Exception from ", "Check '", "While validating"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t n = strlen(starts[i]);
        if (length >= n && strncmp(line, starts[i], n) == 0) return true;
    }
    return length == 0;
}

ovn_status ovn_openvino_failure(const ovn_runtime *ov, int32_t code, ov_status_e status, const char *what) {
    // OpenVINO keeps the last message for the whole process: with two failures at once, one may show the other's.
    const char *full = ov->ov_get_last_err_msg();
    char gist[400] = "";
    for (const char *line = full; line && *line;) {
        size_t length = strcspn(line, "\n");
        size_t used = strlen(gist);
        if (!is_noise(line, length) && used + 8 < sizeof gist) {
            int shown = length < 300 ? (int)length : 300;
            snprintf(gist + used, sizeof gist - used, "%s%.*s", used ? "; " : "", shown, line);
        }
        line += length + (line[length] != 0);
    }
    // A message that is nothing but “Check … failed” still has to say something.
    if (!gist[0] && full) snprintf(gist, sizeof gist, "%.*s", (int)strcspn(full, "\n"), full);
    if (!gist[0]) {
        const char *name = ov->ov_get_error_info(status);
        snprintf(gist, sizeof gist, "%s (%d)", name ? name : "unknown error", status);
    }
    // The library of C++'s word for it.
    if (strstr(gist, "std::bad_alloc")) snprintf(gist, sizeof gist, "there isn't the memory that it asks for");
    if (full) ov->ov_free(full);
    return ovn_failure(code, "%s: %s", what, gist);
}
