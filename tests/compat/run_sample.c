/* Runs the parts one after the other: what the controller's session recorded is what the consumer
 * reads. The argument is the file. */
#include "sample.h"

#include <stdio.h>
#include <windows.h>

static ULONG RunProviders(TRACEHANDLE SessionHandle) {
    ULONG status = RunProvider(SessionHandle);
    return status == ERROR_SUCCESS ? RunClassicProvider(SessionHandle) : status;
}

int main(int argc, char** argv) {
    WCHAR Path[MAX_PATH];
    ULONG Count = 0;
    ULONG status = ERROR_INVALID_PARAMETER;
    size_t i = 0;

    if (argc != 2 || strlen(argv[1]) >= MAX_PATH) {
        return 64;
    }
    for (i = 0; i <= strlen(argv[1]); ++i) {
        Path[i] = (WCHAR)argv[1][i];
    }
    status = RunController(Path, RunProviders);
    if (status == ERROR_SUCCESS) {
        status = RunConsumer(Path, &Count);
    }
    wprintf(SAMPLE_TEXT("status %lu, %lu events\n"), status, Count);
    /* 5 of the providers, and 2 about their enablements */
    return status == ERROR_SUCCESS && Count == 7 ? 0 : 1;
}
