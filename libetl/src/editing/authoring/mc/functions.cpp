#include "authoring/mc/prologue.hpp"

namespace etl::authoring {

namespace {

constexpr std::string_view context_text = R"(
#ifndef MCGEN_TRACE_CONTEXT_DEF
#define MCGEN_TRACE_CONTEXT_DEF
typedef struct _MCGEN_TRACE_CONTEXT {
    TRACEHANDLE RegistrationHandle;
    TRACEHANDLE Logger; // the address of the provider traits, or 0
    ULONGLONG MatchAnyKeyword;
    ULONGLONG MatchAllKeyword;
    ULONG Flags;
    ULONG IsEnabled;
    UCHAR Level;
    UCHAR Reserve;
    USHORT EnableBitsCount; // the size of the following arrays, in bits and elements
    PULONG EnableBitMask;
    const ULONGLONG* EnableKeyWords;
    const UCHAR* EnableLevel;
} MCGEN_TRACE_CONTEXT, *PMCGEN_TRACE_CONTEXT;
#endif

#ifndef MCGEN_LEVEL_KEYWORD_ENABLED_DEF
#define MCGEN_LEVEL_KEYWORD_ENABLED_DEF
// Whether the sessions want events of this level and keyword. 0 is every level, and any keyword.
ETW_INLINE BOOLEAN McGenLevelKeywordEnabled(_In_ PMCGEN_TRACE_CONTEXT EnableInfo, _In_ UCHAR Level,
                                            _In_ ULONGLONG Keyword)
{
    if (Level > EnableInfo->Level && EnableInfo->Level != 0) {
        return FALSE;
    }
    if (Keyword == 0) {
        return TRUE;
    }
    return (Keyword & EnableInfo->MatchAnyKeyword) != 0 &&
           (Keyword & EnableInfo->MatchAllKeyword) == EnableInfo->MatchAllKeyword;
}
#endif

#ifndef MCGEN_EVENT_ENABLED_DEF
#define MCGEN_EVENT_ENABLED_DEF
ETW_INLINE BOOLEAN McGenEventEnabled(_In_ PMCGEN_TRACE_CONTEXT EnableInfo,
                                     _In_ PCEVENT_DESCRIPTOR EventDescriptor)
{
    return McGenLevelKeywordEnabled(EnableInfo, EventDescriptor->Level, EventDescriptor->Keyword);
}
#endif

#ifndef MCGEN_CONTROL_CALLBACK
#define MCGEN_CONTROL_CALLBACK
// Sets the enable bits of a context when a session enables or disables the provider.
ETW_INLINE VOID NTAPI McGenControlCallbackV2(_In_ LPCGUID SourceId, _In_ ULONG ControlCode,
                                             _In_ UCHAR Level, _In_ ULONGLONG MatchAnyKeyword,
                                             _In_ ULONGLONG MatchAllKeyword,
                                             _In_opt_ PEVENT_FILTER_DESCRIPTOR FilterData,
                                             _Inout_opt_ PVOID CallbackContext)
{
    PMCGEN_TRACE_CONTEXT Ctx = (PMCGEN_TRACE_CONTEXT)CallbackContext;
    const BOOLEAN Enables = ControlCode == 1; // EVENT_CONTROL_CODE_ENABLE_PROVIDER
    ULONG Bits = 0;
    ULONG Ix;

    UNREFERENCED_PARAMETER(SourceId);
    UNREFERENCED_PARAMETER(FilterData);
    if (Ctx == NULL) {
        return;
    }
    if (Enables || ControlCode == 0) { // EVENT_CONTROL_CODE_DISABLE_PROVIDER
        Ctx->Level = Enables ? Level : 0;
        Ctx->MatchAnyKeyword = Enables ? MatchAnyKeyword : 0;
        Ctx->MatchAllKeyword = Enables ? MatchAllKeyword : 0;
        Ctx->IsEnabled = ControlCode;
        for (Ix = 0; Ix < Ctx->EnableBitsCount; ++Ix) {
            if (Enables && McGenLevelKeywordEnabled(Ctx, Ctx->EnableLevel[Ix], Ctx->EnableKeyWords[Ix])) {
                Bits |= 1U << (Ix % 32);
            }
            if (Ix % 32 == 31 || Ix + 1 == Ctx->EnableBitsCount) {
                _mcgen_STORE(Ctx->EnableBitMask[Ix / 32], Bits);
                Bits = 0;
            }
        }
    }
#ifdef MCGEN_PRIVATE_ENABLE_CALLBACK_V2
    MCGEN_PRIVATE_ENABLE_CALLBACK_V2(SourceId, ControlCode, Level, MatchAnyKeyword, MatchAllKeyword,
                                     FilterData, CallbackContext);
#endif
}
#endif
)";

constexpr std::string_view functions_text = R"(
#ifndef McGenEventWrite_def
#define McGenEventWrite_def
#define McGenEventWrite _mcgen_PASTE2(McGenEventWrite_, MCGEN_EVENTWRITETRANSFER)
// EventData[0] is for the traits of the provider; the payload follows.
ETW_INLINE ULONG McGenEventWrite(_In_ PMCGEN_TRACE_CONTEXT Context,
                                 _In_ PCEVENT_DESCRIPTOR Descriptor, _In_opt_ LPCGUID ActivityId,
                                 _In_range_(1, 128) ULONG EventDataCount,
                                 _Inout_updates_(EventDataCount) EVENT_DATA_DESCRIPTOR* EventData)
{
    const unsigned char* Traits = (const unsigned char*)(ULONG_PTR)Context->Logger;

    UNREFERENCED_PARAMETER(ActivityId);
    EventDataDescCreate(&EventData[0], Traits, 0);
    if (Traits != NULL) {
        EventData[0].Size = Traits[0] + Traits[1] * 256U;
        EventData[0].Reserved = 2; // EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA
    }
    return (ULONG)MCGEN_EVENTWRITETRANSFER(Context->RegistrationHandle, Descriptor, ActivityId, NULL,
                                           EventDataCount, EventData);
}

// Missing texts are written as NULL, a missing SID as 8 zero bytes.
ETW_INLINE VOID _mcgen_DescribeWide(_Out_ EVENT_DATA_DESCRIPTOR* EventData, _In_opt_ PCWSTR Text)
{
    static const WCHAR Missing[] = {'N', 'U', 'L', 'L', 0};

    if (Text == NULL) {
        EventDataDescCreate(EventData, Missing, (ULONG)sizeof(Missing));
    } else {
        EventDataDescCreate(EventData, Text, (ULONG)((wcslen(Text) + 1) * sizeof(WCHAR)));
    }
}

ETW_INLINE VOID _mcgen_DescribeAnsi(_Out_ EVENT_DATA_DESCRIPTOR* EventData, _In_opt_ PCSTR Text)
{
    if (Text == NULL) {
        Text = "NULL";
    }
    EventDataDescCreate(EventData, Text, (ULONG)(strlen(Text) + 1));
}

ETW_INLINE VOID _mcgen_DescribeSid(_Out_ EVENT_DATA_DESCRIPTOR* EventData, _In_opt_ const SID* Sid)
{
    if (Sid == NULL) {
        EventDataDescCreate(EventData, "\0\0\0\0\0\0\0", 8);
    } else {
        EventDataDescCreate(EventData, Sid, MCGEN_GETLENGTHSID(Sid));
    }
}
#endif

#ifndef McGenEventRegisterUnregister
#define McGenEventRegisterUnregister
#define McGenEventRegister _mcgen_PASTE2(McGenEventRegister_, MCGEN_EVENTREGISTER)
// A provider that is registered stays so: success.
ETW_INLINE ULONG McGenEventRegister(_In_ LPCGUID ProviderId,
                                    _In_opt_ MCGEN_PENABLECALLBACK EnableCallback,
                                    _In_opt_ PVOID CallbackContext, _Inout_ PREGHANDLE RegHandle)
{
    return *RegHandle != 0 ? 0
                           : (ULONG)MCGEN_EVENTREGISTER(ProviderId, EnableCallback, CallbackContext,
                                                        RegHandle);
}

#define McGenEventUnregister _mcgen_PASTE2(McGenEventUnregister_, MCGEN_EVENTUNREGISTER)
// A provider that is not registered: success.
ETW_INLINE ULONG McGenEventUnregister(_Inout_ PREGHANDLE RegHandle)
{
    ULONG Error = 0;

    if (*RegHandle != 0) {
        Error = (ULONG)MCGEN_EVENTUNREGISTER(*RegHandle);
        *RegHandle = 0;
    }
    return Error;
}
#endif
)";

constexpr std::string_view trait_functions_text = R"(
#ifndef McGenEventSetInformation_def
#define McGenEventSetInformation_def
#define McGenEventSetInformation _mcgen_PASTE2(McGenEventSetInformation_, MCGEN_EVENTSETINFORMATION)
ETW_INLINE ULONG McGenEventSetInformation(_In_ REGHANDLE RegHandle,
                                          _In_ EVENT_INFO_CLASS InformationClass,
                                          _In_opt_ PVOID EventInformation,
                                          _In_ ULONG InformationLength)
{
#if MCGEN_HAVE_EVENTSETINFORMATION
    return (ULONG)MCGEN_EVENTSETINFORMATION(RegHandle, InformationClass, EventInformation,
                                            InformationLength);
#else
    UNREFERENCED_PARAMETER(RegHandle);
    UNREFERENCED_PARAMETER(InformationClass);
    UNREFERENCED_PARAMETER(EventInformation);
    UNREFERENCED_PARAMETER(InformationLength);
    return 50; // ERROR_NOT_SUPPORTED
#endif
}
#endif

#ifndef McGenEventRegisterContext_def
#define McGenEventRegisterContext_def
#define McGenEventRegisterContext _mcgen_PASTE2(McGenEventRegisterContext_, MCGEN_EVENTREGISTER)
// Registers a provider and its traits. Not for one that is registered.
ETW_INLINE ULONG McGenEventRegisterContext(_In_ LPCGUID ProviderId,
                                           _In_opt_ MCGEN_PENABLECALLBACK EnableCallback,
                                           _In_opt_ PVOID CallbackContext,
                                           _Inout_ PMCGEN_TRACE_CONTEXT Context)
{
    const unsigned char* Traits = (const unsigned char*)(ULONG_PTR)Context->Logger;
    ULONG Error = 87; // ERROR_INVALID_PARAMETER

    if (Context->RegistrationHandle == 0) {
        Error = (ULONG)MCGEN_EVENTREGISTER(ProviderId, EnableCallback, CallbackContext,
                                           &Context->RegistrationHandle);
        if (Error == 0 && Traits != NULL) {
            (VOID)McGenEventSetInformation(Context->RegistrationHandle,
                                           (EVENT_INFO_CLASS)2, // EventProviderSetTraits
                                           (PVOID)(ULONG_PTR)Context->Logger,
                                           Traits[0] + Traits[1] * 256U);
        }
    }
    return Error;
}
#endif
)";

} // namespace

std::string mc_functions() {
    return std::string(context_text).append(functions_text);
}

std::string_view mc_trait_functions() noexcept {
    return trait_functions_text;
}

} // namespace etl::authoring
