/* What Swift's importer cannot see of the C library: variadic calls and GNU extensions. */
#ifndef ASSENT_CSYSTEM_H
#define ASSENT_CSYSTEM_H

#include <sys/prctl.h>

static inline void csystem_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
