#include "authoring/descriptors.hpp"
#include "authoring/mc/prologue.hpp"
#include "authoring/mc/provider.hpp"
#include "authoring/mc_header.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <ranges>
#include <string_view>
#include <unordered_map>

namespace etl::authoring {

namespace {

// Names that the header uses itself, and functions of the headers that it includes.
constexpr std::string_view used_names =
    "BOOLEAN CloseTrace Context ControlTrace ControlTraceA ControlTraceW CreateTraceInstanceId "
    "DECLSPEC_CACHEALIGN Descriptor ETW_INLINE EVENT_DATA_DESCRIPTOR EVENT_DESCRIPTOR "
    "EVENT_INFO_CLASS EnableTrace EnableTraceEx EnableTraceEx2 EnumerateTraceGuids "
    "EnumerateTraceGuidsEx EventActivityIdControl EventData EventDataDescCreate EventEnabled "
    "EventProviderEnabled EventRegister EventSetInformation EventUnregister EventWrite "
    "EventWriteEx EventWriteString EventWriteTransfer FALSE FILETIME FlushTrace FlushTraceA "
    "FlushTraceW GUID GetLastError GetLengthSid GetTickCount GetTraceEnableFlags "
    "GetTraceEnableLevel GetTraceLoggerHandle LPCGUID MCGEN_CALLOUT MCGEN_TRACE_CONTEXT "
    "McGenEventWrite NULL OpenTrace OpenTraceA OpenTraceW PCSTR PCWSTR PMCGEN_TRACE_CONTEXT "
    "PVOID ProcessTrace QueryAllTraces QueryAllTracesA QueryAllTracesW QueryTrace QueryTraceA "
    "QueryTraceW RegisterTraceGuids RegisterTraceGuidsA RegisterTraceGuidsW SID SYSTEMTIME "
    "SetLastError Sleep StartTrace StartTraceA StartTraceW StopTrace StopTraceA StopTraceW TRUE "
    "TraceEvent TraceEventInstance TraceMessage TraceMessageVa TraceQueryInformation "
    "TraceSetInformation UCHAR ULONG ULONGLONG ULONG_PTR USHORT UnregisterTraceGuids "
    "UpdateTrace UpdateTraceA UpdateTraceW VOID WCHAR _mcgen_CONST _mcgen_DATA errno main "
    "stderr stdin stdout";

void add_template(CppCode& to, const McTemplate& function, const McHeaderOptions& options) {
    const std::string name =
        fmt::format("McTemplate{}0{}", options.kernel ? 'K' : 'U', function.suffix);
    to.line("#ifndef {}_def", name).line("#define {}_def", name);
    to.line("ETW_INLINE ULONG _mcgen_PASTE2({}_, MCGEN_EVENTWRITETRANSFER)(", name);
    std::vector<std::string> parameters{"_In_ PMCGEN_TRACE_CONTEXT Context",
                                        "_In_ PCEVENT_DESCRIPTOR Descriptor"};
    if (options.kernel) {
        parameters.emplace_back("_In_opt_ LPCGUID Activity");
    }
    std::ranges::copy(function.declarations, std::back_inserter(parameters));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        to.line("    {}{}", parameters[i], i + 1 == parameters.size() ? ")" : ",");
    }
    to.line("{{");
    to.line("    EVENT_DATA_DESCRIPTOR EventData[{}];", function.descriptors + 1);
    to.add(function.body);
    const std::string call =
        fmt::format("McGenEventWrite(Context, Descriptor, {}, {}, EventData)",
                    options.kernel ? "Activity" : "NULL", function.descriptors + 1);
    if (options.callout) {
        to.line("    const ULONG Error = {};", call);
        to.line("#ifdef MCGEN_CALLOUT");
        to.line("    MCGEN_CALLOUT(Context->RegistrationHandle, Descriptor, {}, EventData + 1);",
                function.descriptors);
        to.line("#endif").line("    return Error;");
    } else {
        to.line("    return {};", call);
    }
    to.line("}}").line("#endif").blank();
}

class McHeaderWriter {
public:
    McHeaderWriter(const schema::SchemaSet& set, const McHeaderOptions& options)
        : providers_(group_by_provider(set)), sharing_{options, notes_, McScope(notes_)} {
        for (const auto name : std::views::split(used_names, ' ')) {
            sharing_.names.reserve(std::string_view(name));
        }
        for (const char* taken : {"Ex", "String", "Transfer"}) { // EventWriteEx is a function
            sharing_.events.take(taken);
        }
        std::erase_if(providers_, [](const ProviderEvents& provider) {
            return std::ranges::none_of(provider.events,
                                        [](const auto& event) { return has_descriptor(*event); });
        });
        std::unordered_map<Guid, const schema::CodeNames*> codes;
        for (const schema::CodeNames& code : set.code_names) {
            codes.try_emplace(code.provider, &code);
        }
        for (const ProviderEvents& provider : providers_) {
            const auto code = codes.find(provider.names.guid);
            written_.emplace_back(provider, code == codes.end() ? no_code_ : *code->second,
                                  sharing_);
        }
    }

    Result<CppHeader> write() {
        CppCode code;
        code.add(mc_head()).blank();
        for (McProvider& provider : written_) {
            provider.add_constants(code);
        }
        code.add(mc_overrides()).add(mc_functions());
        if (std::ranges::any_of(written_, &McProvider::has_traits)) {
            code.add(mc_trait_functions());
        }
        code.blank();
        for (McProvider& provider : written_) {
            provider.add_macros(code);
            if (code.text().size() > limits::manifest_file_bytes) {
                return fail(ErrorCode::limit, "size of a header", {}, limits::manifest_file_bytes);
            }
        }
        code.line("// Functions that write payloads, by the types of their fields.");
        for (const auto& [suffix, function] : sharing_.templates) {
            add_template(code, function, sharing_.options);
        }
        code.line("#endif // MCGEN_DISABLE_PROVIDER_CODE_GENERATION").blank();
        code.line("#ifdef __cplusplus").line("}}").line("#endif").blank();
        for (McProvider& provider : written_) {
            provider.add_messages(code);
        }
        if (code.text().size() > limits::manifest_file_bytes) {
            return fail(ErrorCode::limit, "size of a header", {}, limits::manifest_file_bytes);
        }
        return CppHeader{code.text(), notes_.take()};
    }

private:
    std::vector<ProviderEvents> providers_;
    WrittenNotes notes_;
    McSharing sharing_;
    schema::CodeNames no_code_;
    std::vector<McProvider> written_;
};

} // namespace

Result<CppHeader> write_mc_header(const schema::SchemaSet& set, const McHeaderOptions& options) {
    const std::string& prefix = options.write_prefix;
    if (prefix.empty() || mc_identifier(prefix) != prefix) {
        return fail(ErrorCode::invalid_option, "prefix");
    }
    try {
        return McHeaderWriter(set, options).write();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory");
    }
}

} // namespace etl::authoring
