/* What the parts of the sample share. SAMPLE_TEXT is L"" where wchar_t has two bytes, u"" else. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <evntrace.h>
#include <windows.h>

#if __SIZEOF_WCHAR_T__ == 2
#define SAMPLE_TEXT(text) L##text
#else
#define SAMPLE_TEXT(text) u##text
#endif

DEFINE_GUID(SampleProviderGuid, 0xd8909c24, 0x5be9, 0x4502, 0x98, 0xca, 0xab, 0x7b, 0xdc, 0x24,
            0x89, 0x9d);
DEFINE_GUID(ClassicProviderGuid, 0x7c214fb1, 0x9cac, 0x4b8d, 0xba, 0xed, 0x7b, 0xf4, 0x8b, 0xf6,
            0x3b, 0xb3);

typedef ULONG (*SAMPLE_BODY)(TRACEHANDLE SessionHandle);

#ifdef __cplusplus
extern "C" {
#endif
ULONG RunController(LPCWSTR LogFilePath, SAMPLE_BODY Body);
ULONG RunProvider(TRACEHANDLE SessionHandle);
ULONG RunClassicProvider(TRACEHANDLE SessionHandle);
ULONG RunConsumer(LPWSTR LogFilePath, ULONG* EventCount);
#ifdef __cplusplus
}
#endif

#endif
