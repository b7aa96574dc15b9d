#include <etl/base/text.hpp>
#include <etl/schema/pdb.hpp>
#include <etl/schema/tmf.hpp>

#include "schema/pdb_annotations.hpp"
#include "schema/pdb_enums.hpp"

#include <algorithm>
#include <unordered_set>

namespace etl::schema {

namespace {

constexpr std::string_view message_mark = "TMF:";
constexpr std::string_view control_mark = "TMC:";

/// What the annotations say.
struct Annotations {
    std::string tmf;
    std::vector<std::shared_ptr<const ProviderNames>> controls;
};

// The entry's second line is `#typev ...`; its trailer ends it.
void append_message(const PdbAnnotation& annotation, std::string& to) {
    constexpr std::size_t head = 2;
    for (std::size_t i = 1; i < annotation.texts.size(); ++i) {
        const std::string_view text = annotation.texts[i];
        to.append(text);
        if (i == head && !annotation.function.empty() &&
            to_lower_ascii(text).find(" func=") == std::string::npos) {
            to.append(text.find("\" //") == text.npos ? " // FUNC=" : " FUNC=");
            to.append(annotation.function);
        }
        to.push_back('\n');
    }
}

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

std::expected<Annotations, FileError> read_annotations(MsfFile& file) {
    Annotations result;
    std::unordered_set<Guid> controls;
    const bool has_modules = for_each_annotation(file, [&](const PdbAnnotation& annotation) {
        if (annotation.texts.empty()) {
            return;
        }
        if (annotation.texts.front() == message_mark) {
            append_message(annotation, result.tmf);
        } else if (annotation.texts.front() == control_mark) {
            if (auto control = control_of(annotation);
                control && controls.insert(control->guid).second) {
                result.controls.push_back(std::move(control));
            }
        }
    });
    if (!has_modules) {
        return std::unexpected(FileError{0, "list of modules is damaged"});
    }
    if (result.tmf.empty()) {
        return std::unexpected(FileError{0, "program database holds no WPP message"});
    }
    return result;
}

bool is_unresolved(const std::shared_ptr<const ValueMap>& map) noexcept {
    return !map->name.empty() && map->entries.empty();
}

// Puts the members of enumerations, which so far have their name only, in.
void resolve_enums(MsfFile& file, SchemaSet& set) {
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

std::expected<MsfFile, FileError> open(Bytes file) {
    auto opened = MsfFile::open(file);
    if (!opened) {
        return std::unexpected(FileError{0, opened.error()});
    }
    return std::move(*opened);
}

} // namespace

bool is_pdb(Bytes file) noexcept {
    return as_text(clamped(file, 0, MsfFile::magic.size())) == MsfFile::magic;
}

std::expected<SchemaSet, FileError> parse_pdb(Bytes file) {
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
    resolve_enums(*opened, *set);
    for (auto& control : annotations->controls) {
        set->providers.push_back(std::move(control));
    }
    return set;
}

std::vector<Guid> scan_pdb(Bytes file) {
    const auto text =
        is_pdb(file) ? extract_tmf(file) : std::expected<std::string, FileError>(std::string());
    return text ? scan_tmf(std::as_bytes(std::span(*text))) : std::vector<Guid>{};
}

std::expected<std::string, FileError> extract_tmf(Bytes file) {
    auto opened = open(file);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    auto annotations = read_annotations(*opened);
    if (!annotations) {
        return std::unexpected(annotations.error());
    }
    return std::move(annotations->tmf);
}

} // namespace etl::schema
