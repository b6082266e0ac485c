#include "late.h"

#include <dlfcn.h>
#include <libavcodec/version.h>
#include <libavfilter/version.h>
#include <libavformat/version.h>
#include <libavutil/version.h>
#include <libswresample/version.h>
#include <libswscale/version.h>
#include <opencv2/core/version.hpp>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT(number) #number
#define VALUE(number) TEXT(number)
#define FFMPEG(name, NAME) "lib" name ".so." VALUE(NAME##_VERSION_MAJOR)

enum { most_libraries = 6 };

// By the names that the linker would have written into the program. OpenCV's are numbered by its release.
static const char *const libraries[LATE_GROUPS][most_libraries] = {
    [LATE_util] = {FFMPEG("avutil", LIBAVUTIL)},
    [LATE_scale] = {FFMPEG("swscale", LIBSWSCALE)},
    [LATE_codec] = {FFMPEG("avcodec", LIBAVCODEC), FFMPEG("swresample", LIBSWRESAMPLE)},
    [LATE_format] = {FFMPEG("avformat", LIBAVFORMAT)},
    [LATE_filter] = {FFMPEG("avfilter", LIBAVFILTER)},
    [LATE_vision] = {"opencv_core", "opencv_imgproc", "opencv_features2d", "opencv_calib3d"},
    [LATE_flow] = {"opencv_video"},
    [LATE_ocr] = {"libtesseract.so.5"},
    [LATE_writing] =
        {"libpangocairo-1.0.so.0", "libpango-1.0.so.0", "libgobject-2.0.so.0", "libglib-2.0.so.0", "libharfbuzz.so.0",
         "libcairo.so.2"},
};

// In the order of the table.
static const struct {
    late_group group;
    const char *name;
} functions[] = {
#define LATE(group, name) {LATE_##group, #name},
#include "names.inc"
#undef LATE
};
enum { function_count = sizeof functions / sizeof *functions };

// The table, in pages of its own: jumps.S.
extern void *late_table[], *late_table_end[];

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static int is_open[LATE_GROUPS];
static void (*preparations[LATE_GROUPS])(void);
// Functions that an opened library doesn't have. Another release may lack what the program calls with this one alone.
static char is_missing[function_count];

static _Noreturn void give_up(const char *library, const char *reason) {
    fprintf(stderr, "annotate-batch: error while loading shared libraries: %s: %s\n", library, reason);
    _exit(127);
}

static void *load(const char *library) {
    char name[64];
    if (strncmp(library, "opencv_", 7) == 0) {
        snprintf(name, sizeof name, "lib%s.so.%d%02d", library, CV_VERSION_MAJOR, CV_VERSION_MINOR);
        library = name;
    }
    // Lazily, as the linker has it for a program's libraries: what their hundred own ones call is looked for when it is
    // called, which is seldom. All of it at once costs a third more.
    void *handle = dlopen(library, RTLD_LAZY | RTLD_GLOBAL);
    if (!handle) give_up(library, dlerror());
    return handle;
}

static void protect(int access) {
    if (mprotect(late_table, (size_t)((char *)late_table_end - (char *)late_table), access) != 0)
        give_up("the table of functions", "the kernel doesn't let it be written");
}

// Nothing fills it in but what stands below.
__attribute__((constructor)) static void close_table(void) { protect(PROT_READ); }

static void bind(late_group group) {
    void *handles[most_libraries] = {NULL};
    for (int i = 0; i < most_libraries && libraries[group][i]; i++) handles[i] = load(libraries[group][i]);
    protect(PROT_READ | PROT_WRITE);
    for (int function = 0; function < function_count; function++) {
        if (functions[function].group != group) continue;
        // As the loader looks at a start: what stands before the libraries (LD_PRELOAD) comes first.
        void *address = dlsym(RTLD_DEFAULT, functions[function].name);
        for (int i = 0; i < most_libraries && handles[i] && !address; i++)
            address = dlsym(handles[i], functions[function].name);
        if (address)
            __atomic_store_n(&late_table[function], address, __ATOMIC_RELEASE);
        else
            is_missing[function] = 1;
    }
    protect(PROT_READ);
}

void late_open(late_group group) {
    if (__atomic_load_n(&is_open[group], __ATOMIC_ACQUIRE)) return;
    pthread_mutex_lock(&opening);
    if (!is_open[group]) {
        bind(group);
        if (preparations[group]) preparations[group]();
        __atomic_store_n(&is_open[group], 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&opening);
}

void late_open_common(void) {
    static const late_group common[] = {LATE_format, LATE_codec, LATE_scale, LATE_util, LATE_vision, LATE_writing};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) late_open(common[i]);
}

void late_open_elsewhere(void) {
    if (!getenv("LD_LIBRARY_PATH")) return;
    for (int group = 0; group < LATE_GROUPS; group++) late_open(group);
}

void late_when_open(late_group group, void (*prepare)(void)) {
    pthread_mutex_lock(&opening);
    preparations[group] = prepare;
    if (is_open[group]) prepare();
    pthread_mutex_unlock(&opening);
}

/// Where a function is that is called for the first time; jumps.S goes on there.
__attribute__((visibility("hidden"))) void *late_address(uint32_t function);
void *late_address(uint32_t function) {
    late_open(functions[function].group);
    if (is_missing[function]) give_up(libraries[functions[function].group][0], functions[function].name);
    return __atomic_load_n(&late_table[function], __ATOMIC_ACQUIRE);
}
