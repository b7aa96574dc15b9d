#include "schema/pdb.hpp"

#include "base/cursor.hpp"
#include "base/function_ref.hpp"
#include "base/text.hpp"
#include "schema/event_schema.hpp"
#include "schema/file_reading.hpp"
#include "schema/limits.hpp"
#include "schema/tmf.hpp"
#include "schema/tmf_entry.hpp"
#include "symbols/stream_file.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::schema {

namespace {

// Annotations among the symbols of a program database. docs/format/wpp.md#pdb

/// One S_ANNOTATION. Valid for the call only.
struct PdbAnnotation {
    std::span<const std::string_view> texts;
    std::string_view function; // around it; empty: none
};

/// Calls `each` for every annotation of every module, in order. Damaged modules are passed over.
/// False: the list of modules cannot be read.
bool for_each_annotation(const symbols::StreamFile& file,
                         FunctionRef<void(const PdbAnnotation&)> each);

constexpr std::size_t debug_information = 3; // the stream that lists the modules

namespace symbol {
constexpr std::uint16_t annotation = 0x1019;
constexpr std::uint16_t local_function = 0x110F;
constexpr std::uint16_t global_function = 0x1110;
constexpr std::uint16_t local_function_id = 0x1146;
constexpr std::uint16_t global_function_id = 0x1147;
} // namespace symbol

bool is_function(std::uint16_t kind) noexcept {
    return kind == symbol::local_function || kind == symbol::global_function ||
           kind == symbol::local_function_id || kind == symbol::global_function_id;
}

/// Walks over the symbols of one module.
class ModuleWalk {
public:
    ModuleWalk(Bytes symbols, FunctionRef<void(const PdbAnnotation&)> each)
        : symbols_(symbols), each_(each) {}

    void run() {
        constexpr std::size_t signature = 4;
        for (std::size_t at = signature; has_range(symbols_, at, 4);) {
            const std::size_t size = 2UL + load_le<std::uint16_t>(symbols_.data() + at);
            if (size < 4 || !has_range(symbols_, at, size)) {
                return;
            }
            const auto kind = load_le<std::uint16_t>(symbols_.data() + at + 2);
            const Bytes content = symbols_.subspan(at + 4, size - 4);
            if (at >= function_end_) {
                function_ = {};
            }
            if (is_function(kind)) {
                begin_function(content);
            } else if (kind == symbol::annotation) {
                annotation(content);
            }
            at += size;
        }
    }

private:
    void begin_function(Bytes content) {
        Cursor in(content);
        in.u32("parent");
        function_end_ = in.u32("offset of its end");
        in.bytes("lengths, type, address, flags", 27);
        function_ = as_text(in.zero_terminated8("name"));
    }

    void annotation(Bytes content) {
        Cursor in(content);
        in.u32("offset");
        in.u16("segment");
        const std::size_t count = in.u16("count");
        texts_.clear();
        while (texts_.size() < count) {
            const std::string_view text = as_text(in.zero_terminated8("text"));
            if (!in) {
                return;
            }
            texts_.push_back(text);
        }
        each_({texts_, function_});
    }

    Bytes symbols_;
    FunctionRef<void(const PdbAnnotation&)> each_;
    std::string_view function_;
    std::size_t function_end_ = 0; // offset of the record that ends it
    std::vector<std::string_view> texts_;
};

bool for_each_annotation(const symbols::StreamFile& file,
                         FunctionRef<void(const PdbAnnotation&)> each) {
    std::vector<std::byte> modules;
    constexpr std::size_t header = 64;
    constexpr std::size_t size_of_modules = 24; // where the header says it
    if (!file.read(debug_information, modules) || modules.size() < header) {
        return false;
    }
    const auto size = load_le<std::uint32_t>(modules.data() + size_of_modules);
    Cursor in(clamped(modules, header, size));
    std::vector<std::byte> symbols;
    std::vector<bool> is_read(file.streams()); // a stream belongs to one module only
    while (in.left() >= header) {
        in.bytes("section contribution, flags", 34);
        const std::size_t stream = in.u16("stream of the symbols");
        const std::size_t bytes = in.u32("bytes of symbols");
        in.bytes("lines, source files", 24);
        in.zero_terminated8("module");
        in.zero_terminated8("object file");
        in.bytes("padding", (0 - in.position()) & 3U);
        if (in && stream < is_read.size() && !is_read[stream] && file.read(stream, symbols)) {
            is_read[stream] = true;
            ModuleWalk(clamped(symbols, 0, bytes), each).run();
        }
    }
    return true;
}

// Enumerations among the types of a program database. docs/format/wpp.md#pdb

/// Members by name of the type: filled in for the names that are there already.
using PdbEnums = std::unordered_map<std::string, decltype(ValueMap::entries)>;

/// Leaves those empty that the file does not define.
void read_enums(const symbols::StreamFile& file, PdbEnums& enums);

constexpr std::size_t type_information = 2; // the stream

namespace leaf {
constexpr std::uint16_t field_list = 0x1203;
constexpr std::uint16_t enumerator = 0x1502;
constexpr std::uint16_t enumeration = 0x1507;
} // namespace leaf

using Entries = decltype(ValueMap::entries);

// A number is two bytes, or two that say how many follow.
std::uint32_t take_number(Cursor& in) noexcept {
    const std::uint16_t first = in.u16("number");
    if (first < 0x8000) {
        return first;
    }
    switch (first) {
    case 0x8000:
        return static_cast<std::uint32_t>(static_cast<std::int8_t>(in.u8("number")));
    case 0x8001:
        return static_cast<std::uint32_t>(static_cast<std::int16_t>(in.u16("number")));
    case 0x8002:
        return in.u16("number");
    case 0x8003:
    case 0x8004:
        return in.u32("number");
    default:
        return static_cast<std::uint32_t>(in.u64("number"));
    }
}

/// Goes over the types twice: for the enumerations, then for their lists of members.
class EnumReader {
public:
    explicit EnumReader(Bytes types) {
        Cursor in(types);
        in.u32("version");
        const std::size_t header = in.u32("size of the header");
        first_index_ = in.u32("first index");
        records_ = clamped(types, header);
    }

    void run(PdbEnums& enums) {
        for_each([&](std::uint32_t, std::uint16_t kind, Bytes content) {
            if (kind == leaf::enumeration) {
                find(content, enums);
            }
        });
        for_each([&](std::uint32_t index, std::uint16_t kind, Bytes content) {
            if (kind == leaf::field_list && lists_.contains(index)) {
                read_members(content, *lists_[index]);
            }
        });
    }

private:
    void for_each(FunctionRef<void(std::uint32_t, std::uint16_t, Bytes)> each) const {
        std::uint32_t index = first_index_;
        for (std::size_t at = 0; has_range(records_, at, 4); ++index) {
            const std::size_t size = 2UL + load_le<std::uint16_t>(records_.data() + at);
            if (size < 4 || !has_range(records_, at, size)) {
                return;
            }
            each(index, load_le<std::uint16_t>(records_.data() + at + 2),
                 records_.subspan(at + 4, size - 4));
            at += size;
        }
    }

    void find(Bytes content, PdbEnums& enums) {
        Cursor in(content);
        in.u16("count");
        const std::uint16_t property = in.u16("property");
        in.u32("underlying type");
        const std::uint32_t list = in.u32("list of members");
        constexpr std::uint16_t is_declared_only = 0x80;
        const auto wanted = enums.find(std::string(as_text(in.zero_terminated8("name"))));
        // Modules may define the same type again.
        if (in && wanted != enums.end() && (property & is_declared_only) == 0 &&
            defined_.insert(&wanted->second).second) {
            lists_.try_emplace(list, &wanted->second);
        }
    }

    void read_members(Bytes content, Entries& to) const {
        Cursor in(content);
        while (in.left() >= 4 && to.size() < limits::fields) {
            if (in.u16("kind") != leaf::enumerator) {
                return; // the list goes on elsewhere, or it is none of an enumeration
            }
            in.u16("attributes");
            const std::uint32_t value = take_number(in);
            const std::string_view name = as_text(in.zero_terminated8("name"));
            if (!in) {
                return;
            }
            append_utf8(to.emplace_back(value, std::string()).second,
                        std::as_bytes(std::span(name)));
            while (!in.is_at_end() && content[in.position()] >= std::byte{0xF0}) {
                in.u8("padding");
            }
        }
    }

    Bytes records_;
    std::uint32_t first_index_ = 0;
    std::unordered_map<std::uint32_t, Entries*> lists_;
    std::unordered_set<const Entries*> defined_;
};

void read_enums(const symbols::StreamFile& file, PdbEnums& enums) {
    std::vector<std::byte> types;
    if (!enums.empty() && file.read(type_information, types)) {
        EnumReader(types).run(enums);
    }
}

constexpr std::string_view message_mark = "TMF:";
constexpr std::string_view control_mark = "TMC:";
constexpr std::string_view says_full = "too many messages; the rest is omitted";

// GUID, name, then the flags from the lowest bit on.
std::shared_ptr<const ProviderNames> control_of(const PdbAnnotation& annotation) {
    const auto guid = annotation.texts.size() > 1 ? parse_guid(annotation.texts[1]) : std::nullopt;
    if (!guid) {
        return nullptr;
    }
    auto names = std::make_shared<ProviderNames>();
    names->guid = *guid;
    constexpr std::size_t first_flag = 3;
    if (annotation.texts.size() >= first_flag) {
        append_utf8(names->name, std::as_bytes(std::span(annotation.texts[2])));
    }
    for (std::size_t i = first_flag; i < annotation.texts.size() && i < first_flag + 32; ++i) {
        const std::string_view flag = annotation.texts[i];
        if (!flag.ends_with(':')) {
            append_utf8(
                names->keywords.emplace_back(std::uint64_t{1} << (i - first_flag), std::string())
                    .second,
                std::as_bytes(std::span(flag)));
        }
    }
    return names;
}

/// What the annotations say, as far as it is kept.
class Annotations {
public:
    void add(const PdbAnnotation& annotation) {
        if (is_full_ || annotation.texts.empty()) {
            return;
        }
        if (annotation.texts.front() == message_mark) {
            add_message(annotation);
        } else if (annotation.texts.front() == control_mark) {
            add_control(annotation);
        }
    }

    std::string tmf;
    std::vector<std::shared_ptr<const ProviderNames>> controls;

    bool is_full() const noexcept { return is_full_; }

private:
    // The entry's second line is `#typev ...`; its trailer ends it.
    void add_message(const PdbAnnotation& annotation) {
        constexpr std::size_t head = 2;
        constexpr std::string_view key = " // FUNC=";
        const std::string_view function = cut_name(annotation.function);
        std::size_t bytes = key.size() + function.size();
        for (const std::string_view text : annotation.texts.subspan(1)) {
            bytes += text.size() + 1;
        }
        if (!has_room(bytes)) {
            return;
        }
        for (std::size_t i = 1; i < annotation.texts.size(); ++i) {
            const std::string_view text = annotation.texts[i];
            tmf.append(text);
            if (i == head && !function.empty() &&
                to_lower_ascii(text).find(" func=") == std::string::npos) {
                tmf.append(text.find("\" //") == text.npos ? key : key.substr(3)).append(function);
            }
            tmf.push_back('\n');
        }
    }

    void add_control(const PdbAnnotation& annotation) {
        auto control = control_of(annotation);
        if (!control || known_.contains(control->guid)) {
            return;
        }
        constexpr std::size_t of_indices = 96;
        std::size_t bytes = sizeof(ProviderNames) + of_indices + control->name.capacity() +
                            control->keywords.capacity() * sizeof(control->keywords[0]);
        for (const auto& [mask, name] : control->keywords) {
            bytes += name.capacity();
        }
        if (has_room(bytes)) {
            known_.insert(control->guid);
            controls.push_back(std::move(control));
        }
    }

    bool has_room(std::size_t bytes) noexcept {
        is_full_ = bytes > limits::pdb_text_bytes - bytes_;
        bytes_ += is_full_ ? 0 : bytes;
        return !is_full_;
    }

    std::unordered_set<Guid> known_; // controls
    std::size_t bytes_ = 0;
    bool is_full_ = false;
};

std::expected<Annotations, FileError> read_annotations(const symbols::StreamFile& file) {
    Annotations result;
    if (!for_each_annotation(file, [&](const PdbAnnotation& one) { result.add(one); })) {
        return std::unexpected(FileError{0, "damaged module list"});
    }
    if (result.tmf.empty()) {
        return std::unexpected(FileError{0, "the program database contains no WPP messages"});
    }
    return result;
}

bool is_unresolved(const std::shared_ptr<const ValueMap>& map) noexcept {
    return !map->name.empty() && map->entries.empty();
}

// Puts the members of enumerations, which so far have their name only, in.
void resolve_enums(const symbols::StreamFile& file, SchemaSet& set) {
    PdbEnums enums;
    for (const auto& event : set.events) {
        for (const auto& map : event->maps) {
            if (is_unresolved(map)) {
                enums[map->name];
            }
        }
    }
    read_enums(file, enums);
    // Shared: many messages show one enumeration.
    std::unordered_map<std::string, std::shared_ptr<const ValueMap>> values;
    std::unordered_map<std::string, std::shared_ptr<const ValueMap>> bits;
    const auto resolved = [&](const std::shared_ptr<const ValueMap>& map) {
        if (!is_unresolved(map) || enums[map->name].empty()) {
            return map;
        }
        auto& full = (map->kind == ValueMap::Kind::bits ? bits : values)[map->name];
        if (!full) {
            full = std::make_shared<ValueMap>(ValueMap{map->name, map->kind, enums[map->name]});
        }
        return full;
    };
    for (auto& event : set.events) {
        if (std::ranges::any_of(event->maps, is_unresolved)) {
            auto copy = std::make_shared<EventSchema>(*event);
            for (auto& map : copy->maps) {
                map = resolved(map);
            }
            event = std::move(copy);
        }
    }
}

std::expected<symbols::StreamFile, FileError> open(Bytes file) {
    auto opened = symbols::StreamFile::open(file);
    if (!opened) {
        return std::unexpected(FileError{0, opened.error().what});
    }
    return std::move(*opened);
}

std::expected<SchemaSet, FileError> parse_streams(Bytes file) {
    auto opened = open(file);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    auto annotations = read_annotations(*opened);
    if (!annotations) {
        return std::unexpected(annotations.error());
    }
    auto set = parse_tmf(std::as_bytes(std::span(annotations->tmf)));
    if (!set) {
        return set;
    }
    for (FileNote& note : set->notes) {
        note.line = 0; // of a text that nobody has seen
    }
    if (annotations->is_full()) {
        set->notes.push_back({0, std::string(says_full)});
    }
    resolve_enums(*opened, *set);
    for (auto& control : annotations->controls) {
        set->providers.push_back(std::move(control));
    }
    return set;
}

// Without the text, which is much larger than the file when functions have long names.
std::vector<Guid> scan_streams(Bytes file) {
    auto opened = symbols::StreamFile::open(file);
    std::vector<Guid> guids;
    if (!opened) {
        return guids;
    }
    std::unordered_set<Guid> seen;
    const auto take = [&](std::string_view text) {
        TmfReader reader(text);
        for (auto found = reader.next(); found != TmfReader::Found::end; found = reader.next()) {
            if (found == TmfReader::Found::guid_line &&
                seen.insert(reader.guid_line().guid).second) {
                guids.push_back(reader.guid_line().guid);
            }
        }
    };
    for_each_annotation(*opened, [&](const PdbAnnotation& annotation) {
        if (!annotation.texts.empty() && annotation.texts.front() == message_mark) {
            std::ranges::for_each(annotation.texts.subspan(1), take);
        }
    });
    return guids;
}

std::expected<std::string, FileError> extract(Bytes file) {
    auto opened = open(file);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    auto annotations = read_annotations(*opened);
    if (!annotations) {
        return std::unexpected(annotations.error());
    }
    if (annotations->is_full()) {
        annotations->tmf.append("// ").append(says_full).append("\n");
    }
    return std::move(annotations->tmf);
}

} // namespace

bool is_pdb(Bytes file) noexcept {
    return symbols::StreamFile::is_likely(file);
}

std::expected<SchemaSet, FileError> parse_pdb(Bytes file) {
    return guarded([&] { return parse_streams(file); });
}

std::vector<Guid> scan_pdb(Bytes file) {
    return guarded_scan([&] { return scan_streams(file); });
}

std::expected<std::string, FileError> extract_tmf(Bytes file) {
    return guarded([&] { return extract(file); });
}

} // namespace etl::schema
