#include "schema/pdb.hpp"

#include "base/text.hpp"
#include "schema/guarded.hpp"
#include "schema/limits.hpp"
#include "schema/tmf.hpp"
#include "schema/wpp/pdb_annotations.hpp"
#include "schema/wpp/pdb_enums.hpp"
#include "schema/wpp/tmf_entry.hpp"

#include <algorithm>
#include <unordered_set>

namespace etl::schema {

namespace {

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
