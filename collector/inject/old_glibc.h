// SPDX-License-Identifier: Apache-2.0
// Lets the library run on glibc 2.17 and later, whatever it was built on. Part of every file of it.
#pragma once

// A linker binds to the newest version of a symbol. glibc 2.34 moved libdl and libpthread into libc and gave
// what it moved a new version, and 2.38 renamed the scanners of numbers. The code behind the old versions is
// the same; on an old system it lies in libdl.so.2 and libpthread.so.0, which the library therefore asks for
// by name.
#if defined(__x86_64__)
#define TACHO_OLD_VERSION "GLIBC_2.2.5"
#define TACHO_OLD_SETCLOCK "GLIBC_2.3.3"
#define TACHO_OLD_SCANF "GLIBC_2.7"
#elif defined(__aarch64__) // glibc came there with 2.17
#define TACHO_OLD_VERSION "GLIBC_2.17"
#define TACHO_OLD_SETCLOCK "GLIBC_2.17"
#define TACHO_OLD_SCANF "GLIBC_2.17"
#else
#error "tacho knows the symbol versions of x86-64 and of 64-bit Arm only"
#endif

// Does nothing where the symbol is not used.
#define TACHO_BIND(symbol, old, version) __asm__(".symver " #symbol ", " #old "@" version)

TACHO_BIND(dladdr, dladdr, TACHO_OLD_VERSION);
TACHO_BIND(dlclose, dlclose, TACHO_OLD_VERSION);
TACHO_BIND(dlerror, dlerror, TACHO_OLD_VERSION);
TACHO_BIND(dlopen, dlopen, TACHO_OLD_VERSION);
TACHO_BIND(dlsym, dlsym, TACHO_OLD_VERSION);
TACHO_BIND(pthread_condattr_setclock, pthread_condattr_setclock, TACHO_OLD_SETCLOCK);
TACHO_BIND(pthread_create, pthread_create, TACHO_OLD_VERSION);
TACHO_BIND(pthread_detach, pthread_detach, TACHO_OLD_VERSION);
TACHO_BIND(pthread_getspecific, pthread_getspecific, TACHO_OLD_VERSION);
TACHO_BIND(pthread_join, pthread_join, TACHO_OLD_VERSION);
TACHO_BIND(pthread_key_create, pthread_key_create, TACHO_OLD_VERSION);
TACHO_BIND(pthread_setspecific, pthread_setspecific, TACHO_OLD_VERSION);
TACHO_BIND(pthread_sigmask, pthread_sigmask, TACHO_OLD_VERSION);
TACHO_BIND(__isoc23_sscanf, __isoc99_sscanf, TACHO_OLD_SCANF);
TACHO_BIND(__isoc23_strtol, strtol, TACHO_OLD_VERSION);
TACHO_BIND(__isoc23_strtoll, strtoll, TACHO_OLD_VERSION);
TACHO_BIND(__isoc23_strtoul, strtoul, TACHO_OLD_VERSION);
TACHO_BIND(__isoc23_strtoull, strtoull, TACHO_OLD_VERSION);

#undef TACHO_BIND
#undef TACHO_OLD_SCANF
#undef TACHO_OLD_SETCLOCK
#undef TACHO_OLD_VERSION
