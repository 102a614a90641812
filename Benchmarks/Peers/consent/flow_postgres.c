/* libpq in a plain loop. */
#include "consent/postgres.h"
#include "consent/flow.h"
