/* A provider that writes three events when it is enabled: by sessions of the machine. */
#include <windows.h>

#include <evntprov.h>
#include <stdio.h>

static const GUID Provider = {
    0x4a1d7b6e, 0x3c52, 0x4f0e, {0x9b, 0x1d, 0x52, 0xa6, 0xc3, 0xf7, 0xe8, 0x02}};

int main(void) {
    const EVENT_DESCRIPTOR event = {7, 0, 0, 4, 0, 0, 1};
    REGHANDLE handle = 0;
    ULONG written = 0;
    ULONG i;
    if (EventRegister(&Provider, NULL, NULL, &handle) != ERROR_SUCCESS) {
        return 1;
    }
    for (i = 0; i < 3; ++i) {
        EVENT_DATA_DESCRIPTOR data;
        EventDataDescCreate(&data, &i, sizeof i);
        if (EventEnabled(handle, &event) && EventWrite(handle, &event, 1, &data) == ERROR_SUCCESS) {
            ++written;
        }
    }
    EventUnregister(handle);
    printf("%u events\n", (unsigned)written);
    return 0;
}
