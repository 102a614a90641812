// The server on PostgreSQL.
#include "consent/postgres.h"
#include "calls/server.h"
