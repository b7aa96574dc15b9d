#include "authoring/mc_provider.hpp"

#include "authoring/cpp_code.hpp"
#include "format/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace etl::authoring {

namespace {

// A text that is longer says nothing more as a name. Compilers take identifiers of at least 2,000.
constexpr std::size_t max_identifier = 240;

constexpr bool is_mc_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

constexpr bool is_mc_part(char c) noexcept {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_mc_digit(c) || c == '_';
}

constexpr bool continues_a_character(char c) noexcept {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

} // namespace

std::string mc_identifier(std::string_view text) {
    std::string name;
    bool is_in_front = true;
    for (const char c : text.substr(0, max_identifier)) {
        is_in_front = is_in_front && is_mc_digit(c);
        if (is_mc_part(c) && !is_in_front) {
            name += c;
        } else if (!continues_a_character(c)) {
            name += '_';
        }
    }
    return name;
}

std::string McScope::take(std::string_view symbol, std::string_view derived) {
    std::string wished = mc_identifier(symbol.empty() ? derived : symbol);
    if (wished.empty() || is_reserved_word(wished)) {
        wished += '_';
    }
    std::string name = names_.take_identifier(wished);
    if (!symbol.empty() && name != symbol) {
        notes_->add(fmt::format("symbol `{}` is called {}", symbol, name));
    }
    return name;
}

namespace {

// How values of a type are passed.
enum class McForm : std::uint8_t {
    blob,    // pointer and size
    number,  // by value; an array by pointer
    object,  // pointer to const
    text,    // pointer; up to a zero if there is no length
    counted, // pointer and number of units; a 16-bit size precedes the data
    sid,
    binary,
};

struct McType {
    char letter;
    std::string_view name; // of one value or unit
    McForm form = McForm::number;
};

// By in type. Types of manifests end at 25.
constexpr auto mc_types = std::to_array<McType>({
    {'n', "", McForm::blob},
    {'z', "WCHAR", McForm::text},
    {'s', "char", McForm::text},
    {'c', "signed char"},
    {'u', "unsigned char"},
    {'l', "signed short"},
    {'h', "unsigned short"},
    {'d', "signed int"},
    {'q', "unsigned int"},
    {'i', "signed __int64"},
    {'x', "unsigned __int64"},
    {'f', "float"},
    {'g', "double"},
    {'t', "signed int"}, // Boolean
    {'b', "unsigned char", McForm::binary},
    {'j', "GUID", McForm::object},
    {'p', "void*"},
    {'m', "FILETIME", McForm::object},
    {'y', "SYSTEMTIME", McForm::object},
    {'k', "SID", McForm::sid},
    {'d', "signed int"},     // HexInt32
    {'i', "signed __int64"}, // HexInt64
    {'w', "WCHAR", McForm::counted},
    {'a', "char", McForm::counted},
    {'n', "", McForm::blob}, // a structure
    {'e', "unsigned char", McForm::counted},
});

McType mc_type(schema::InType in) noexcept {
    const auto code = static_cast<std::size_t>(in);
    return code < mc_types.size() ? mc_types[code] : mc_types[0];
}

// A count or length: none, a constant, or the parameter of another field.
struct McNumber {
    enum class Kind : std::uint8_t { none, constant, field, unknown };

    Kind kind = Kind::none;
    std::uint32_t value = 0;

    explicit operator bool() const noexcept { return kind != Kind::none; }

    bool is_field() const noexcept { return kind == Kind::field; }

    std::string expression() const {
        return is_field() ? fmt::format("_Arg{}", value) : std::to_string(value);
    }

    std::string factor() const {
        return is_field() ? fmt::format("(ULONG)_Arg{}", value) : fmt::format("{}U", value);
    }
};

class TemplateWriter {
public:
    TemplateWriter(const schema::EventSchema& event, std::span<const std::string> taken)
        : event_(&event), places_(event.fields.size(), no_place) {
        for (const std::string& name : taken) {
            names_.take(name);
        }
    }

    McTemplate write() {
        std::uint32_t place = 0;
        for (const std::uint16_t i : event_->top_level()) {
            places_[i] = place;
            add(event_->fields[i], place++);
        }
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t no_place = 0xFFFFFFFF;

    McNumber resolve(const schema::Extent& extent) const {
        constexpr std::uint32_t max_size = format::limits::payload_bytes; // of one byte each
        constexpr McNumber unknown{McNumber::Kind::unknown};
        switch (extent.kind) {
        case schema::Extent::Kind::natural:
            return {};
        case schema::Extent::Kind::fixed:
            return extent.value <= max_size ? McNumber{McNumber::Kind::constant, extent.value}
                                            : unknown;
        case schema::Extent::Kind::field:
            break;
        case schema::Extent::Kind::prefixed:
        case schema::Extent::Kind::rest:
        case schema::Extent::Kind::unknown:
            return unknown;
        }
        const std::uint32_t place =
            extent.value < places_.size() ? places_[extent.value] : no_place;
        if (place == no_place || !is_integer(event_->fields[extent.value])) {
            return unknown;
        }
        return {McNumber::Kind::field, place};
    }

    static bool is_integer(const schema::Field& field) noexcept {
        constexpr std::string_view letters = "culhdqix";
        return letters.find(mc_type(field.in_type).letter) != letters.npos &&
               field.count.kind == schema::Extent::Kind::natural;
    }

    void add(const schema::Field& field, std::uint32_t place) {
        const std::string name = argument(field.name, place);
        const std::string arg = fmt::format("_Arg{}", place);
        McNumber count = resolve(field.count);
        const McNumber length = resolve(field.length);
        if (count.kind == McNumber::Kind::constant && count.value == 1) {
            count = {}; // an array of one is one value
        }
        const McType type = mc_type(field.in_type);
        const bool is_unknown =
            count.kind == McNumber::Kind::unknown || length.kind == McNumber::Kind::unknown ||
            (type.form == McForm::binary && !length) ||
            (type.form == McForm::blob && field.in_type != schema::InType::structure);
        if (is_unknown) {
            result_.blobs.push_back(field.name);
            add_blob(name, arg, {});
        } else if (type.form == McForm::blob) {
            add_blob(name, arg, count);
        } else if (type.form == McForm::text || type.form == McForm::binary) {
            add_text(type, name, arg, count, length);
        } else if (type.form == McForm::counted || (type.form == McForm::sid && count)) {
            add_counted(type, name, arg, count);
        } else {
            add_value(type, name, arg, count);
        }
    }

    std::string argument(const std::string& field, std::uint32_t place) {
        const std::string wished = mc_identifier(field);
        return names_.take_identifier(wished.empty() ? fmt::format("Arg{}", place) : wished);
    }

    template <typename... Args>
    void declare(fmt::format_string<Args...> format, Args&&... args) {
        result_.declarations.push_back(fmt::format(format, std::forward<Args>(args)...));
    }

    void declare_length(const std::string& name, const std::string& arg) {
        result_.arguments.push_back(names_.take_identifier(name + "_Len_"));
        declare("_In_ ULONG {}_Len_", arg);
    }

    void describe(const std::string& pointer, const std::string& size) {
        result_.body.line("EventDataDescCreate(&EventData[{}], {}, {});", ++result_.descriptors,
                          pointer, size);
    }

    void add_suffix(char letter, const McNumber& count) {
        if (!count) {
            result_.suffix += letter;
            return;
        }
        result_.suffix += static_cast<char>(letter - 'a' + 'A');
        result_.suffix += fmt::format("{}{}", count.is_field() ? "R" : "", count.value);
    }

    void add_blob(const std::string& name, const std::string& arg, const McNumber& count) {
        add_suffix('n', count);
        declare_length(name, arg);
        result_.arguments.push_back(name);
        const std::string times = count ? count.factor() + " * " : "";
        declare("_In_reads_bytes_({}{}_Len_) const void* {}", times, arg, arg);
        describe(arg, fmt::format("{}{}_Len_", times, arg));
    }

    void add_value(const McType& type, const std::string& name, const std::string& arg,
                   const McNumber& count) {
        add_suffix(type.letter, count);
        result_.arguments.push_back(name);
        const std::string size = fmt::format("(ULONG)sizeof(const {})", type.name);
        if (count) {
            declare("_In_reads_({}) const {}* {}", count.expression(), type.name, arg);
            describe(arg, size + " * " + count.factor());
        } else if (type.form == McForm::sid) {
            declare("_In_opt_ const SID* {}", arg);
            result_.body.line("_mcgen_DescribeSid(&EventData[{}], {});", ++result_.descriptors,
                              arg);
        } else if (type.form == McForm::object) {
            declare("_In_ const {}* {}", type.name, arg);
            describe(arg, size);
        } else {
            declare("_In_{} const {} {}", type.letter == 'p' ? "opt_" : "", type.name, arg);
            describe('&' + arg, size);
        }
    }

    // Texts and binary data: of a length, or packed with a zero behind each.
    void add_text(const McType& type, const std::string& name, const std::string& arg,
                  const McNumber& count, const McNumber& length) {
        const std::string unit = fmt::format("(ULONG)sizeof({})", type.name);
        result_.suffix += count ? static_cast<char>(type.letter - 'a' + 'A') : type.letter;
        if (length) {
            result_.suffix += text_extents(count, length);
            result_.arguments.push_back(name);
            const std::string units =
                count ? count.factor() + " * " + length.factor() : length.factor();
            declare("_In_reads_({}) const {}* {}", units, type.name, arg);
            describe(arg, unit + " * " + units);
        } else if (count) {
            result_.suffix += 'R';
            declare_length(name, arg);
            result_.arguments.push_back(name);
            declare("_In_reads_({}_Len_) const {}* {}", arg, type.name, arg);
            describe(arg, fmt::format("{} * {}_Len_", unit, arg));
        } else {
            result_.arguments.push_back(name);
            const bool is_wide = type.letter == 'z';
            declare("_In_opt_ {} {}", is_wide ? "PCWSTR" : "PCSTR", arg);
            result_.body.line("_mcgen_Describe{}(&EventData[{}], {});", is_wide ? "Wide" : "Ansi",
                              ++result_.descriptors, arg);
        }
    }

    static std::string text_extents(const McNumber& count, const McNumber& length) {
        if (!count) {
            return fmt::format("{}{}", length.is_field() ? "r" : "", length.value);
        }
        if (!count.is_field() && !length.is_field()) {
            return std::to_string(std::uint64_t{count.value} * length.value);
        }
        if (count.is_field() && length.is_field()) {
            return fmt::format("r{}R{}", length.value, count.value);
        }
        return count.is_field() ? fmt::format("{}r{}", length.value, count.value)
                                : fmt::format("{}r{}", count.value, length.value);
    }

    // Values with their size in front. An array is packed, sizes included, as are SIDs.
    void add_counted(const McType& type, const std::string& name, const std::string& arg,
                     const McNumber& count) {
        add_suffix(type.letter, count);
        declare_length(name, arg);
        result_.arguments.push_back(name);
        const std::string_view unit = type.form == McForm::sid ? "unsigned char" : type.name;
        declare("_In_reads_({}_Len_) const {}* {}", arg, unit, arg);
        const std::string size = fmt::format("(ULONG)sizeof({}) * {}_Len_", unit, arg);
        if (!count) {
            result_.body.line("const USHORT {}_Size_ = (USHORT)({});", arg, size);
            describe(fmt::format("&{}_Size_", arg), "(ULONG)sizeof(USHORT)");
        }
        describe(arg, size);
    }

    const schema::EventSchema* event_;
    std::vector<std::uint32_t> places_; // by field: its number among the parameters
    UniqueNames names_;
    McTemplate result_;
};

} // namespace

McTemplate mc_template(const schema::EventSchema& event, std::span<const std::string> taken) {
    return TemplateWriter(event, taken).write();
}

namespace {

// One of 128 data descriptors is for the traits of the provider.
constexpr std::size_t max_descriptors = 127;

std::string derived_symbol(std::string_view provider, const schema::EventSchema& event,
                           std::uint64_t keyword) {
    return fmt::format("{}_EVENT_0x{:x}_{:x}_{:x}_{:x}_{:x}_{:x}_{:x}", provider, event.id,
                       event.version, event.channel, event.level, event.opcode, event.task,
                       keyword);
} // namespace

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
    if (function.descriptors > max_descriptors) {
        sharing_->notes.add(fmt::format("event {} version {} of {} has no write macro: more than "
                                        "{} data descriptors",
                                        event.schema->id, event.schema->version, names_->name,
                                        max_descriptors));
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

namespace etl::authoring {

namespace {

std::string guid_value(const Guid& guid) {
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Guid)>>(guid);
    const auto number = [&](std::size_t at, std::size_t size) {
        std::uint32_t value = 0;
        for (std::size_t i = size; i-- > 0;) {
            value = value << 8U | bytes[at + i];
        }
        return value;
    };
    std::string text =
        fmt::format("{{0x{:08x}, 0x{:04x}, 0x{:04x}, {{", number(0, 4), number(4, 2), number(6, 2));
    for (std::size_t i = 8; i < bytes.size(); ++i) {
        text += fmt::format("{}0x{:02x}", i == 8 ? "" : ", ", bytes[i]);
    }
    return text + "}}";
}

// One trait: u16 size, u8 type, GUID.
std::string guid_trait(std::uint8_t type, const Guid& guid) {
    std::string trait{'\x13', '\0', static_cast<char>(type)};
    const auto bytes = std::bit_cast<std::array<char, sizeof(Guid)>>(guid);
    return trait.append(bytes.begin(), bytes.end());
}

} // namespace

// u16 size of all, name and NUL, traits. The literal adds a NUL behind it, which the size omits.
void McProvider::add_traits(CppCode& to) {
    to.line("#ifndef {}_Traits", symbol_);
    if (!has_traits()) {
        to.line("#define {}_Traits NULL", symbol_);
    } else {
        constexpr std::size_t max_name = 60'000;
        std::string traits =
            code_->traits_have_name ? names_->name.substr(0, max_name) : std::string();
        traits += '\0';
        if (!code_->group_guid.is_zero()) {
            traits += guid_trait(1, code_->group_guid);
        }
        if (!code_->control_guid.is_zero()) {
            traits += guid_trait(2, code_->provider);
        }
        const std::size_t size = traits.size() + 2;
        traits.insert(0, {static_cast<char>(size & 0xFFU), static_cast<char>(size >> 8U)});
        to.line("#define {}_Traits {}", symbol_, string_literal(traits));
    }
    to.line("#endif").blank();
}

void McProvider::add_constants(CppCode& to) {
    to.line("// Provider {}, {}", comment_text(names_->name), to_string(names_->guid));
    to.line("_mcgen_CONST GUID {} = {};", symbol_, guid_value(names_->guid));
    if (!code_->control_guid.is_zero()) {
        to.line("_mcgen_CONST GUID {}_ControlGuid = {};", symbol_, guid_value(code_->control_guid));
    }
    add_traits(to);
    add_list(to, "Channels", "CHANNEL", code_->channels);
    add_list(to, "Levels", "LEVEL", code_->levels);
    add_list(to, "Opcodes", "OPCODE", code_->opcodes);
    add_list(to, "Tasks", "TASK", code_->tasks);
    add_list(to, "Keywords", "KEYWORD", code_->keywords);
    to.line("// Events");
    for (const Event& event : events_) {
        const schema::EventSchema& schema = *event.schema;
        to.line("_mcgen_CONST EVENT_DESCRIPTOR {} = {{0x{:x}, 0x{:x}, 0x{:x}, 0x{:x}, 0x{:x}, "
                "0x{:x}, 0x{:x}}};",
                event.symbol, schema.id, schema.version, schema.channel, schema.level,
                schema.opcode, schema.task, event.keyword);
        to.line("#define {}_value 0x{:x}", event.symbol, schema.id);
    }
    to.blank();
}

void McProvider::add_list(CppCode& to, std::string_view title, std::string_view kind,
                          const std::vector<schema::CodeNames::Constant>& constants) {
    if (constants.empty()) {
        return;
    }
    to.line("// {}", title);
    for (const schema::CodeNames::Constant& constant : constants) {
        const std::string name = sharing_->names.take(
            constant.symbol, fmt::format("{}_{}_{}", symbol_, kind, constant.name));
        to.line("#define {} 0x{:x}", name, constant.value);
        if (!constant.guid.is_zero()) {
            to.line("_mcgen_CONST GUID {} = {};",
                    sharing_->names.take({}, mc_identifier(constant.name) + "Id"),
                    guid_value(constant.guid));
        }
    }
    to.blank();
}

// Entries are called by the symbol of the map and their own.
void McProvider::add_maps(CppCode& to) {
    for (const bool is_bits : {true, false}) {
        for (const schema::CodeNames::Map& map : code_->maps) {
            const bool has_symbols = std::ranges::any_of(
                map.entries, [](const auto& entry) { return !entry.second.empty(); });
            if (map.is_bits != is_bits || map.symbol.empty() || !has_symbols) {
                continue;
            }
            const std::string type = sharing_->names.take(map.symbol, {});
            to.line("// {}", is_bits ? "Bits" : "Values");
            to.line("typedef enum _{} {{", type);
            for (const auto& [value, symbol] : map.entries) {
                if (!symbol.empty()) {
                    to.line("    {} = {},", sharing_->names.take({}, type + symbol),
                            static_cast<std::int32_t>(value));
                }
            }
            to.line("}} {};", type).blank();
        }
    }
}

void McProvider::add_messages(CppCode& to) {
    std::vector<schema::CodeNames::Message> messages = code_->messages;
    std::ranges::stable_sort(messages, {}, &schema::CodeNames::Message::number);
    for (const schema::CodeNames::Message& message : messages) {
        to.line("#define {} 0x{:08X}L", sharing_->names.take({}, "MSG_" + message.string_id),
                message.number);
    }
}

} // namespace etl::authoring
