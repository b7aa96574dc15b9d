#include "authoring/mc/templates.hpp"

#include "authoring/mc/names.hpp"
#include "format/limits.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace etl::authoring {

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
        constexpr std::uint32_t largest = limits::payload_bytes; // of one byte each
        constexpr McNumber unknown{McNumber::Kind::unknown};
        switch (extent.kind) {
        case schema::Extent::Kind::natural:
            return {};
        case schema::Extent::Kind::fixed:
            return extent.value <= largest ? McNumber{McNumber::Kind::constant, extent.value}
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

} // namespace etl::authoring
