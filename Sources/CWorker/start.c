#include <stddef.h>

char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name);

// Where Swift's runtime is linked in, it asks this at every start for the program that it would run when this one crashes. Its
// own answer is looked for beside `argv[0]`: where a shell found the program by its name, in the current folder, which may be
// anybody's. Faults are told of without one (faults.c). The linker puts this in its place (`--wrap` in Package.swift).
char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name) {
    (void)name;
    return NULL;
}
