// Classes to schemas: what a class inherits, and one schema for each of its event types.
#include "schema/mof.hpp"

#include "base/text.hpp"
#include "schema/file_reading.hpp"
#include "schema/file_text.hpp"
#include "schema/limits.hpp"
#include "schema/mof_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <unordered_set>

namespace etl::schema {

// Which classes a MOF file defines, without parsing it: a catalog asks this of hundreds of files.

namespace {

bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A file of MOF begins with a comment, a directive, a qualifier list or a word of the language.
bool may_begin_mof(std::string_view text) noexcept {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) {
        text.remove_prefix(mark.size());
    }
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin != text.npos && std::string_view("/#[cCiIqQ").find(text[begin]) != text.npos &&
           text.substr(0, 1024).find('\0') == text.npos;
}

// Where `word` stands on its own from `from` on, case ignored; npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) noexcept {
    const char letters[] = {word.front(), static_cast<char>(word.front() - 'a' + 'A')};
    const std::string_view either(letters, 2);
    for (std::size_t at = text.find_first_of(either, from); at != text.npos;
         at = text.find_first_of(either, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end >= text.size() || !is_word(text[end])) &&
            equals_ignoring_case(text.substr(at, word.size()), word)) {
            return at;
        }
    }
    return text.npos;
}

// The GUID in `("{...}")`; `text` begins behind the qualifier's name.
std::optional<Guid> guid_of_qualifier(std::string_view text) noexcept {
    for (const char wanted : {'(', '"'}) {
        const std::size_t at = text.find_first_not_of(blanks);
        if (at == text.npos || text[at] != wanted) {
            return std::nullopt;
        }
        text.remove_prefix(at + 1);
    }
    return parse_guid(text.substr(0, text.find('"')));
}

std::vector<Guid> scan_classes(std::string_view text) {
    constexpr std::string_view qualifier = "guid";
    std::vector<Guid> guids;
    if (!may_begin_mof(text) || find_word(text, "class", 0) == text.npos) {
        return guids;
    }
    std::unordered_set<Guid> seen;
    for (std::size_t at = find_word(text, qualifier, 0); at != text.npos;
         at = find_word(text, qualifier, at + qualifier.size())) {
        constexpr std::size_t max_size = 256;
        const auto guid = guid_of_qualifier(text.substr(at + qualifier.size(), max_size));
        if (guid && seen.insert(*guid).second) {
            guids.push_back(*guid);
        }
    }
    return guids;
}

} // namespace

std::vector<Guid> scan_mof_classes(Bytes text) {
    return guarded_scan([&] {
        return looks_like_utf16(text) ? scan_classes(decode_text(text).utf8)
                                      : scan_classes(as_text(text));
    });
}

namespace {

using Ancestry = std::vector<const MofClass*>;

// Where event classes end and WMI's own begin.
constexpr std::string_view wmi_root = "EventTrace";
constexpr std::string_view kernel_root = "MSNT_SystemTrace";

/// The nearest class of a line that has a qualifier; null: none.
const MofClass* nearest(const Ancestry& line, std::string_view qualifier) noexcept {
    for (const MofClass* made : line) {
        if (find(made->qualifiers, qualifier) != nullptr) {
            return made;
        }
    }
    return nullptr;
}

/// Reads the classes of one file into reading.result.
class MofEvents {
public:
    MofEvents(const std::vector<MofClass>& classes, MofReading& reading)
        : all_(classes), reading_(reading), classes_(classes, reading) {}

    void run() {
        for (const MofClass& made : all_) {
            if (reading_.exhausted()) {
                return;
            }
            // Of two definitions with one name the later one stands.
            if (find(made.qualifiers, "EventType") != nullptr &&
                classes_.find(made.name) == &made) {
                event_class(made);
            } else if (find(made.qualifiers, "Guid") != nullptr) {
                known_class(classes_.ancestry(made));
            }
        }
    }

private:
    void event_class(const MofClass& made) {
        const Ancestry line = classes_.ancestry(made);
        EventSchema event;
        event.origin = Origin::mof;
        event.provider = known_class(line);
        if (!event.provider) {
            reading_.note(made.offset, fmt::format("class `{}` has no GUID", quoted(made.name)));
            return;
        }
        const MofClass* shown = nearest(line, "DisplayName");
        const std::string_view name = shown != nullptr ? text_of(shown->qualifiers, "DisplayName")
                                                       : nearest(line, "Guid")->name;
        if (!reading_.charge(name.size() + made.name.size())) {
            return; // a long name that many inherit
        }
        event.task_name = name;
        event.symbol = made.name;
        read_version(line, event);
        MofFields(classes_, reading_).read(line, event);
        add_types(made, event);
    }

    void read_version(const Ancestry& line, EventSchema& event) {
        const MofClass* versioned = nearest(line, "EventVersion");
        const auto version =
            versioned != nullptr ? integer_of(versioned->qualifiers, "EventVersion") : std::nullopt;
        event.any_version = !version || *version < 0 || *version > 0xFF;
        event.version = event.any_version ? std::uint8_t{0} : static_cast<std::uint8_t>(*version);
        if (versioned != nullptr && event.any_version) {
            reading_.note(versioned->offset,
                          fmt::format("EventVersion of class `{}` is not a version",
                                      quoted(versioned->name)));
        }
    }

    void add_types(const MofClass& made, const EventSchema& event) {
        const std::vector<MofValue>& types = find(made.qualifiers, "EventType")->values;
        const std::size_t bytes = bytes_of(event);
        std::bitset<256> known;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const auto type = integer_of(types[i]);
            if (!type || *type < 0 || *type > 0xFF) {
                reading_.note(made.offset, fmt::format("class `{}` has an invalid EventType",
                                                       quoted(made.name)));
                continue;
            }
            const auto opcode = static_cast<std::uint8_t>(*type);
            if (known.test(opcode)) {
                reading_.note(
                    made.offset,
                    fmt::format("class `{}` has the EventType {} twice; the first is used",
                                quoted(made.name), opcode));
                continue;
            }
            known.set(opcode);
            const std::string_view name = type_name(made, i);
            if (!reading_.charge(bytes + 2 * name.size())) {
                return;
            }
            add_type(event, opcode, name);
        }
    }

    /// One name for all types, or a name for each.
    static std::string_view type_name(const MofClass& made, std::size_t index) noexcept {
        const MofQualifier* const names = find(made.qualifiers, "EventTypeName");
        if (names == nullptr) {
            return {};
        }
        const std::size_t place = names->values.size() == 1 ? 0 : index;
        return place < names->values.size() ? names->values[place].text : std::string_view();
    }

    void add_type(const EventSchema& event, std::uint8_t type, std::string_view name) {
        auto copy = std::make_shared<EventSchema>(event);
        copy->opcode = type;
        copy->id = type;
        copy->opcode_name = name;
        copy->event_name = name.empty() ? fmt::format("{}/Opcode({})", copy->task_name, type)
                                        : fmt::format("{}/{}", copy->task_name, name);
        reading_.result.events.push_back(std::move(copy));
    }

    /// The names under the nearest GUID of a line, made once per GUID; null: there is no GUID.
    std::shared_ptr<const ProviderNames> known_class(const Ancestry& line) {
        const MofClass* owner = nearest(line, "Guid");
        const auto guid =
            owner != nullptr ? parse_guid(text_of(owner->qualifiers, "Guid")) : std::nullopt;
        if (!guid) {
            return nullptr;
        }
        const auto [known, is_new] = by_guid_.try_emplace(*guid);
        if (is_new) {
            auto names = std::make_shared<ProviderNames>();
            names->guid = *guid;
            names->name = provider_name(line);
            reading_.charge(sizeof(ProviderNames) + names->name.size());
            known->second = std::move(names);
            reading_.result.providers.push_back(known->second);
        }
        return known->second;
    }

    /// The class just below EventTrace is the provider. The kernel's goes by the name of the class,
    /// others by the one they wish to be shown under.
    static std::string provider_name(const Ancestry& line) {
        const MofClass& last = *line.back();
        if (!last.base.empty() && !equals_ignoring_case(last.base, wmi_root)) {
            return std::string(last.base); // it is in another file
        }
        const MofClass& root = line.size() > 1 && equals_ignoring_case(last.name, wmi_root)
                                   ? *line[line.size() - 2]
                                   : last;
        const std::string_view shown = text_of(root.qualifiers, "DisplayName");
        return std::string(shown.empty() || equals_ignoring_case(root.name, kernel_root) ? root.name
                                                                                         : shown);
    }

    /// Of a copy, but for what its type is called.
    static std::size_t bytes_of(const EventSchema& event) noexcept {
        std::size_t bytes = sizeof(EventSchema) + event.fields.size() * sizeof(Field) +
                            event.maps.size() * sizeof(event.maps.front()) + event.symbol.size() +
                            2 * event.task_name.size();
        for (const Field& field : event.fields) {
            bytes += field.name.size();
        }
        return bytes;
    }

    const std::vector<MofClass>& all_;
    MofReading& reading_;
    MofClasses classes_;
    std::unordered_map<Guid, std::shared_ptr<const ProviderNames>> by_guid_;
};

std::expected<SchemaSet, FileError> parse_classes(Bytes file) {
    if (file.size() > limits::manifest_file_bytes) {
        return std::unexpected(
            FileError{0, fmt::format("larger than {} MB", limits::manifest_file_bytes >> 20U)});
    }
    const DecodedText decoded = decode_text(file);
    MofReading reading(decoded.utf8);
    if (decoded.assumed_ansi) {
        reading.note(0, "not UTF-8; decoded as Windows-1252");
    }
    const auto classes = parse_mof_classes(decoded.utf8, reading);
    if (!classes) {
        return std::unexpected(classes.error());
    }
    MofEvents(*classes, reading).run();
    if (reading.exhausted()) {
        return std::unexpected(FileError{
            0, fmt::format("its schemas exceed {} MB", limits::manifest_schema_bytes >> 20U)});
    }
    if (reading.result.events.empty()) {
        return std::unexpected(FileError{0, "defines no event class"});
    }
    return std::move(reading.result);
}

} // namespace

std::expected<SchemaSet, FileError> parse_mof(Bytes text) {
    return guarded([&] { return parse_classes(text); });
}

} // namespace etl::schema
