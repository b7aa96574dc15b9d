#include "authoring/mc/provider.hpp"

#include "authoring/descriptors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace etl::authoring {

namespace {

// One of 128 data descriptors is for the traits of the provider.
constexpr std::size_t most_descriptors = 127;

std::string derived_symbol(std::string_view provider, const schema::EventSchema& event,
                           std::uint64_t keyword) {
    return fmt::format("{}_EVENT_0x{:x}_{:x}_{:x}_{:x}_{:x}_{:x}_{:x}", provider, event.id,
                       event.version, event.channel, event.level, event.opcode, event.task,
                       keyword);
}

} // namespace

McProvider::McProvider(const ProviderEvents& provider, const schema::CodeNames& code,
                       McSharing& sharing)
    : names_(&provider.names), code_(&code), sharing_(&sharing) {
    symbol_ = sharing.names.take(code.symbol, names_->name);
    const std::string name = mc_identifier(names_->name);
    name_ = sharing.providers.take_identifier(name.empty() ? symbol_ : name);
    context_ = sharing.names.take({}, symbol_ + "_Context");
    for (const char* suffix : {"_Traits", "_ControlGuid", "_EventWriteActivity"}) {
        sharing.names.reserve(symbol_ + suffix);
    }
    for (const char* suffix : {"EnableBits", "Keywords", "Levels"}) {
        sharing.names.reserve(name_ + suffix);
    }
    const bool is_controlled = !code.control_guid.is_zero();
    registration_ = is_controlled ? '_' + symbol_ : name_;
    handle_ = is_controlled ? symbol_ + "_Handle" : name_ + "Handle";
    sharing.names.reserve(handle_);
    name_events(provider);
}

bool McProvider::has_traits() const noexcept {
    return !code_->control_guid.is_zero() || !code_->group_guid.is_zero() ||
           code_->traits_have_name;
}

// Events have the first choice of names, in the order of the manifest.
void McProvider::name_events(const ProviderEvents& provider) {
    for (const auto& schema : provider.events) {
        if (!has_descriptor(*schema)) {
            continue;
        }
        Event event{schema.get(), {}, {}, descriptor_keyword(*schema, *names_)};
        event.symbol =
            sharing_->names.take(schema->symbol, derived_symbol(symbol_, *schema, event.keyword));
        sharing_->names.reserve(event.symbol + "_value");
        const std::string& cut = sharing_->options.cut_prefix;
        const bool is_cut =
            !cut.empty() && event.symbol.starts_with(cut) && event.symbol.size() > cut.size();
        const std::string wished = is_cut ? event.symbol.substr(cut.size()) : event.symbol;
        event.macro = sharing_->events.take_identifier(wished);
        if (event.macro != wished) {
            sharing_->notes.add(fmt::format("macros of event {} end with {} instead of {}",
                                            event.symbol, event.macro, wished));
        }
        const std::pair bit(event.keyword, schema->level);
        const auto known = std::ranges::find(bits_, bit);
        event.bit = static_cast<std::size_t>(known - bits_.begin());
        if (known == bits_.end()) {
            bits_.push_back(bit);
        }
        events_.push_back(std::move(event));
    }
}

void McProvider::add_macros(CppCode& to) {
    add_maps(to);
    add_context(to);
    add_registration(to);
    for (const Event& event : events_) {
        add_event(to, event);
    }
}

void McProvider::add_context(CppCode& to) {
    const std::size_t words = (bits_.size() + 31) / 32;
    std::string tables = "0, NULL, NULL, NULL";
    if (words != 0) {
        std::vector<std::string> keywords;
        std::vector<std::string> levels;
        for (const auto& [keyword, level] : bits_) {
            keywords.push_back(fmt::format("0x{:x}", keyword));
            levels.push_back(std::to_string(level));
        }
        to.line("// A bit for each pair of keyword and level.");
        to.line("_mcgen_DATA DECLSPEC_CACHEALIGN ULONG {}EnableBits[{}] = {{0}};", name_, words);
        to.line("_mcgen_CONST ULONGLONG {}Keywords[{}] = {{{}}};", name_, bits_.size(),
                fmt::join(keywords, ", "));
        to.line("_mcgen_CONST unsigned char {}Levels[{}] = {{{}}};", name_, bits_.size(),
                fmt::join(levels, ", "));
        to.blank();
        tables = fmt::format("{}, {}EnableBits, {}Keywords, {}Levels", bits_.size(), name_, name_,
                             name_);
    }
    to.line("_mcgen_DATA MCGEN_TRACE_CONTEXT {} = {{", context_);
    to.line("    0, (ULONG_PTR){}_Traits, 0, 0, 0, 0, 0, 0, {}}};", symbol_, tables);
    to.line("#define {} ({}.RegistrationHandle)", handle_, context_);
    to.line("// Whether write macros have an activity ID as their first argument.");
    to.line("#define {}_EventWriteActivity {}", symbol_, sharing_->options.kernel ? 1 : 0);
    to.blank();
}

void McProvider::add_registration(CppCode& to) {
    const bool traits = has_traits();
    const std::string function = traits ? "McGenEventRegisterContext" : "McGenEventRegister";
    const std::string object = traits ? context_ : handle_;
    const std::string own_guid = code_->control_guid.is_zero() ? symbol_ : symbol_ + "_ControlGuid";
    const auto define = [&](std::string_view name, std::string_view parameters,
                            const std::string& body) {
        to.line("#ifndef {}{}", name, registration_);
        to.line("#define {}{}({}) {}", name, registration_, parameters, body);
        to.line("#endif");
    };
    const auto registers = [&](std::string_view guid) {
        return fmt::format("\\\n    {}(&{}, McGenControlCallbackV2, &{}, &{})", function, guid,
                           context_, object);
    };
    define("EventRegister", "", registers(own_guid));
    define("EventRegisterByGuid", "Guid", registers("(Guid)"));
    define("EventUnregister", "", fmt::format("McGenEventUnregister(&{})", handle_));
    to.blank();

    const std::string type = "McGenContext_" + name_;
    to.line("// Several registrations at a time, each with a context of its own.");
    to.line("#ifdef MCGEN_ENABLE_FORCONTEXT_CODE_GENERATION");
    to.open("typedef struct tag{}", type);
    to.line("MCGEN_TRACE_CONTEXT Context;");
    to.line("ULONG EnableBits[{}];", std::max<std::size_t>(1, (bits_.size() + 31) / 32));
    to.close(fmt::format(" {};", type));
    to.line("#define _mcgen_RegisterForContext_{} _mcgen_PASTE2(_mcgen_RegisterForContext_{}_, "
            "MCGEN_EVENTREGISTER)",
            name_, name_);
    to.line("#define EventRegister{}_ForContext(pContext) \\", registration_);
    to.line("    _mcgen_RegisterForContext_{}(&{}, pContext)", name_, own_guid);
    to.line("#define EventRegisterByGuid{}_ForContext(Guid, pContext) \\", registration_);
    to.line("    _mcgen_RegisterForContext_{}(&(Guid), pContext)", name_);
    to.line("#define EventUnregister{}_ForContext(pContext) \\", registration_);
    to.line("    McGenEventUnregister(&(pContext)->Context.RegistrationHandle)");
    to.line("#define {}_ForContext(pContext) ((pContext)->Context.RegistrationHandle)", handle_);
    to.line("ETW_INLINE ULONG _mcgen_RegisterForContext_{}(_In_ LPCGUID pProviderId, _Out_ {}* "
            "pContext)",
            name_, type);
    to.line("{{");
    to.line("    memset(pContext, 0, sizeof(*pContext));");
    to.line("    pContext->Context.Logger = (ULONG_PTR){}_Traits;", symbol_);
    if (!bits_.empty()) {
        to.line("    pContext->Context.EnableBitsCount = {};", bits_.size());
        to.line("    pContext->Context.EnableBitMask = pContext->EnableBits;");
        to.line("    pContext->Context.EnableKeyWords = {}Keywords;", name_);
        to.line("    pContext->Context.EnableLevel = {}Levels;", name_);
    }
    to.line("    return {}(pProviderId, McGenControlCallbackV2, &pContext->Context,", function);
    to.line("        &pContext->Context{});", traits ? "" : ".RegistrationHandle");
    to.line("}}");
    to.line("ETW_INLINE {}* _mcgen_CheckContextType_{}(_In_ {}* pContext)", type, name_, type);
    to.line("{{");
    to.line("    return pContext;");
    to.line("}}");
    to.line("#endif").blank();
}

void McProvider::add_event(CppCode& to, const Event& event) {
    const std::vector<std::string> taken{event.symbol,
                                         event.macro,
                                         context_,
                                         "pContext",
                                         "Activity",
                                         "Context",
                                         "EnableBits",
                                         "MCGEN_EVENT_ENABLED",
                                         "MCGEN_EVENT_ENABLED_FORCONTEXT",
                                         "_mcgen_TEMPLATE_FOR_" + event.symbol,
                                         "_mcgen_CheckContextType_" + name_};
    McTemplate function = mc_template(*event.schema, taken);
    to.line("// Event {} version {}", event.schema->id, event.schema->version);
    to.line("#define EventEnabled{}() MCGEN_EVENT_BIT_SET({}EnableBits, {})", event.macro, name_,
            event.bit);
    to.line("#define EventEnabled{}_ForContext(pContext) \\", event.macro);
    to.line("    MCGEN_EVENT_BIT_SET(_mcgen_CheckContextType_{}(pContext)->EnableBits, {})", name_,
            event.bit);
    if (function.descriptors > most_descriptors) {
        sharing_->notes.add(fmt::format("event {} version {} of {} has no write macro: more than "
                                        "{} data descriptors",
                                        event.schema->id, event.schema->version, names_->name,
                                        most_descriptors));
        to.blank();
        return;
    }
    for (const std::string& blob : function.blobs) {
        sharing_->notes.add(fmt::format("event {} version {} of {}: field `{}` has no known size; "
                                        "its macro takes data and a size",
                                        event.schema->id, event.schema->version, names_->name,
                                        blob));
    }
    add_write_macros(to, event, function, fmt::format("{}", fmt::join(function.arguments, ", ")));
    sharing_->templates.try_emplace(function.suffix, std::move(function));
}

void McProvider::add_write_macros(CppCode& to, const Event& event, const McTemplate& function,
                                  std::string_view arguments) {
    const bool kernel = sharing_->options.kernel;
    const std::string call = fmt::format("_mcgen_TEMPLATE_FOR_{}", event.symbol);
    // (pContext, Activity, A, B), with a comma between those that are there
    const auto list = [&](std::initializer_list<std::string_view> before) {
        std::vector<std::string_view> parts(before);
        if (kernel) {
            parts.emplace_back("Activity");
        }
        if (!arguments.empty()) {
            parts.push_back(arguments);
        }
        return fmt::format("{}", fmt::join(parts, ", "));
    };
    const auto writes = [&](const std::string& context) {
        return fmt::format("{}({})", call, list({context, '&' + event.symbol}));
    };
    const std::string name = sharing_->options.write_prefix + event.macro;
    to.line("#define {}({}) \\", name, list({}));
    to.line("    (MCGEN_EVENT_ENABLED({}) ? {} : 0)", event.macro, writes('&' + context_));
    to.line("#define {}_AssumeEnabled({}) \\", name, list({}));
    to.line("    {}", writes('&' + context_));
    to.line("#define {}_ForContext({}) \\", name, list({"pContext"}));
    to.line("    (MCGEN_EVENT_ENABLED_FORCONTEXT(pContext, {}) ? {} : 0)", event.macro,
            writes("&(pContext)->Context"));
    to.line("#define {}_ForContextAssumeEnabled({}) \\", name, list({"pContext"}));
    to.line("    {}", writes(fmt::format("&_mcgen_CheckContextType_{}(pContext)->Context", name_)));
    to.line("#define {} _mcgen_PASTE2(McTemplate{}0{}_, MCGEN_EVENTWRITETRANSFER)", call,
            kernel ? 'K' : 'U', function.suffix);
    to.blank();
}

} // namespace etl::authoring
