/* SQLite in a plain loop. */
#include "consent/sqlite.h"
#include "consent/flow.h"
