// The server on SQLite.
#include "consent/sqlite.h"
#include "calls/server.h"
