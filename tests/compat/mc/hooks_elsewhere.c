/* The same header as hooks.c, in another file of the program. */
#include "hooks.h"
#include "teapot_hooks.h"

ULONG WriteFromAnotherFile(LPCGUID Activity) {
    return FireEmptied(Activity);
}
