/* The provider: registers, writes its events if a session wants them, and exits. */
#include "four.h"
#include "teapot.h"

#include <evntprov.h>
#include <evntrace.h>

int ProviderMain(int argc, TCHAR** argv) {
    ULONG Status = EventRegisterExample_Tea_Pot();
    int i;

    UNREFERENCED_PARAMETER(argc);
    UNREFERENCED_PARAMETER(argv);
    for (i = 0; i < EVENTS_PER_PROVIDER && Status == ERROR_SUCCESS; ++i) {
        Status = EventEnabledSized() ? EventWriteSized(3, TEXT("tea"), (const UCHAR*)"pot")
                                     : ERROR_NOT_FOUND;
    }
    EventUnregisterExample_Tea_Pot();
    return (int)Status;
}
