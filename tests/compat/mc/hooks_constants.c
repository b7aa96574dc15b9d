/* Only the constants of a header. */
#define MCGEN_DISABLE_PROVIDER_CODE_GENERATION
#include "hooks.h"
#include "teapot_hooks.h"

#ifdef EventRegisterExample_Tea_Pot
#error "code in spite of MCGEN_DISABLE_PROVIDER_CODE_GENERATION"
#endif

USHORT IdFromConstantsOnly(void) {
    return TEA_BOILED.Id;
}
