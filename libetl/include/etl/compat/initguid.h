/* From here on DEFINE_GUID makes objects. docs/compat.md */
#ifndef INITGUID
#define INITGUID
#endif
#include "guiddef.h"
