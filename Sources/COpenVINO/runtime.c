#define _GNU_SOURCE // RTLD_DEEPBIND
#include "openvino_api.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static ovn_runtime *opened;

/// The libraries that an installation must have; the release's number follows their names. The first is the one to load.
static const char *const required[] = {
    "libopenvino_c.so",
    "libopenvino.so",
    "libopenvino_ir_frontend.so",
    "libopenvino_onnx_frontend.so",
    "libopenvino_tensorflow_frontend.so",
    "libopenvino_tensorflow_lite_frontend.so",
    "libtbb.so"};
enum { REQUIRED = sizeof required / sizeof *required };

/// The plug-ins that OpenVINO knows by name. Only the first is used, but one that isn't beside the libraries it looks for
/// in the working directory, where anybody's file may lie, and it loads the one for batches whenever it compiles a model.
/// So there has to be a file in each one's place: a plug-in, or what `scripts/setup/fetch.py` puts there and
/// nothing can load.
#ifdef __aarch64__
#define CPU_PLUGIN "arm_cpu"
#else
#define CPU_PLUGIN "intel_cpu"
#endif
static const char *const plugins[] = {CPU_PLUGIN, "auto", "auto_batch", "hetero", "intel_gpu", "intel_npu"};
enum { PLUGINS = sizeof plugins / sizeof *plugins };

static bool names_library(const char *file, const char *library) {
    size_t length = strlen(library);
    return strncmp(file, library, length) == 0 && (file[length] == 0 || file[length] == '.');
}

static ovn_status incomplete(const char *directory, const char *file) {
    return ovn_failure(
        OVN_RUNTIME_MISSING, "OpenVINO is not complete: “%s” has no %s; run `make setup`, which puts it there",
        directory, file);
}

/// Each library binds to its own copies of what others define as well. Templates of the standard library are in OpenVINO as
/// an older compiler made them, and in libraries that the program is linked with (Tesseract's regular expressions) as the
/// system's made them; where these came first, what one had allocated was freed as if the other had.
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define OWN_SYMBOLS 0 // its runtime refuses what would hide it
#else
#define OWN_SYMBOLS RTLD_DEEPBIND
#endif

static void *load(const char *directory, const char *file) {
    char path[PATH_MAX + NAME_MAX + 2];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | OWN_SYMBOLS);
}

/// Looks for the required libraries; writes their files' names.
static ovn_status find_libraries(const char *directory, char names[REQUIRED][NAME_MAX + 1]) {
    bool found[REQUIRED] = {false};
    DIR *listing = opendir(directory);
    if (!listing) {
        return ovn_failure(
            OVN_RUNTIME_MISSING,
            "OpenVINO is not installed: there is no folder “%s”; run `make setup`, which puts it there", directory);
    }
    for (struct dirent *entry; (entry = readdir(listing));) {
        for (int i = 0; i < REQUIRED; i++) {
            if (names_library(entry->d_name, required[i])) {
                found[i] = true;
                snprintf(names[i], NAME_MAX + 1, "%s", entry->d_name);
            }
        }
    }
    closedir(listing);
    for (int i = 0; i < REQUIRED; i++)
        if (!found[i]) return incomplete(directory, required[i]);
    for (int i = 0; i < PLUGINS; i++) {
        char file[64], path[PATH_MAX + sizeof file];
        snprintf(file, sizeof file, "libopenvino_%s_plugin.so", plugins[i]);
        snprintf(path, sizeof path, "%s/%s", directory, file);
        if (access(path, R_OK) != 0) return incomplete(directory, file);
    }
    return ovn_success();
}

static ovn_status look_up(ovn_runtime *ov, void *library) {
#define OVN_LOOK_UP(result, name, parameters)                                                                          \
    *(void **)(&ov->name) = dlsym(library, #name);                                                                     \
    if (!ov->name) {                                                                                                   \
        return ovn_failure(                                                                                            \
            OVN_RUNTIME_UNUSABLE, "OpenVINO in “%s” is of another release: it lacks " #name, ov->directory);           \
    }
    OVN_SYMBOLS(OVN_LOOK_UP)
#undef OVN_LOOK_UP
    return ovn_success();
}

static ovn_status start(ovn_runtime *ov) {
    char names[REQUIRED][NAME_MAX + 1] = {{0}};
    ovn_status status = find_libraries(ov->directory, names);
    if (status.code) return status;
    void *library = load(ov->directory, names[0]);
    if (!library) return ovn_failure(OVN_RUNTIME_UNUSABLE, "OpenVINO can't be loaded: %s", dlerror());
    // OpenVINO loads the others itself, when it wants them, and finds them loaded: how a library binds is decided once.
    for (int i = 1; i < REQUIRED; i++)
        if (!load(ov->directory, names[i]))
            return ovn_failure(OVN_RUNTIME_UNUSABLE, "OpenVINO can't be loaded: %s", dlerror());
    if (!load(ov->directory, "libopenvino_" CPU_PLUGIN "_plugin.so"))
        return ovn_failure(OVN_RUNTIME_UNUSABLE, "OpenVINO can't be loaded: %s", dlerror());
    // The library stays loaded even if what follows fails: unloading it again is what isn't safe.
    status = look_up(ov, library);
    if (status.code) return status;
    ov_version_t version = {0};
    if (ov->ov_get_openvino_version(&version) == 0 && version.buildNumber) {
        snprintf(ov->version, sizeof ov->version, "%s", version.buildNumber);
        ov->ov_version_free(&version);
    }
    if (atoi(ov->version) < 2025) {
        return ovn_failure(
            OVN_RUNTIME_UNUSABLE,
            "OpenVINO %s in “%s” is too old: 2025.0 or newer is needed; "
            "`make setup` fetches a release that fits",
            ov->version[0] ? ov->version : "of unknown release", ov->directory);
    }
    ov_status_e result = ov->ov_core_create(&ov->core);
    if (result != 0 || !ov->core)
        return ovn_openvino_failure(ov, OVN_RUNTIME_UNUSABLE, result, "OpenVINO doesn't start");
    return ovn_success();
}

ovn_status ovn_runtime_open(const char *directory, ovn_runtime **runtime) {
    if (!runtime) return ovn_failure(OVN_ARGUMENT, "no place for the runtime was given");
    *runtime = NULL;
    if (!directory || !directory[0]) return ovn_failure(OVN_ARGUMENT, "no folder for OpenVINO was given");
    char *resolved = realpath(directory, NULL);
    char *folder = resolved ? resolved : strdup(directory);
    if (!folder) return ovn_failure(OVN_RUNTIME_UNUSABLE, "out of memory");
    pthread_mutex_lock(&opening);
    ovn_status status = ovn_success();
    if (opened && strcmp(opened->directory, folder) != 0) {
        status =
            ovn_failure(OVN_ARGUMENT, "OpenVINO is loaded from “%s” already, not from “%s”", opened->directory, folder);
    } else if (!opened) {
        ovn_runtime *ov = calloc(1, sizeof *ov);
        if (ov) {
            ov->directory = folder;
            status = start(ov);
        } else {
            status = ovn_failure(OVN_RUNTIME_UNUSABLE, "out of memory");
        }
        if (status.code == OVN_OK) {
            opened = ov;
            folder = NULL; // the runtime's now
        } else {
            free(ov);
        }
    }
    if (status.code == OVN_OK) *runtime = opened;
    pthread_mutex_unlock(&opening);
    free(folder);
    return status;
}
