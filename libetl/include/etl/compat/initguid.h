/* From here on, DEFINE_GUID defines objects. docs/compat.md */
#ifndef INITGUID
#define INITGUID
#endif
#include "guiddef.h"
