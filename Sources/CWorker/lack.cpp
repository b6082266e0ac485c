extern "C" {
#include "CWorker.h"
}

#include <cstdlib>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <unistd.h>

namespace {

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void *wait(void *) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return nullptr;
}

/// Whether as many threads can be started as libraries do: one a core, and a few. They stay, as nothing comes after this.
bool has_threads() {
    pthread_mutex_lock(&gate);
    for (int i = 0; i < cwk_cores() + 4; i++) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, wait, nullptr) != 0) return false;
    }
    return true;
}

std::terminate_handler next;

/// A library of C++ whose threads can't be started throws where nobody catches, or has nothing else to do than this.
[[noreturn]] void on_terminate() {
    cwk_end_in_lack();
    if (next) next();
    std::abort();
}

} // namespace

extern "C" void cwk_end_in_lack(void) {
    if (has_threads()) return;
    const char *words = "there are hardly any threads left: too many processes\n";
    // Nothing to be done where it can't be said.
    [[maybe_unused]] const auto written = write(STDERR_FILENO, words, std::strlen(words));
    _exit(CWK_STATUS_OF_LACK);
}

extern "C" void cwk_watch_lack(void) {
    if (!next) next = std::set_terminate(on_terminate);
}
