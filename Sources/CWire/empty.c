#include "cwire.h"
