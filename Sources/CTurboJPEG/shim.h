#include <jconfig.h>
#include <turbojpeg.h>
