#include "schema/tmf.hpp"

#include "base/text.hpp"
#include "schema/file_text.hpp"
#include "schema/guarded.hpp"
#include "schema/limits.hpp"
#include "schema/wpp/tmf_entry.hpp"
#include "schema/wpp/tmf_items.hpp"
#include "schema/wpp_format.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

namespace etl::schema {

namespace {

struct MessageKey {
    Guid guid;
    std::uint16_t number = 0;

    bool operator==(const MessageKey&) const = default;
};

struct MessageHash {
    std::size_t operator()(const MessageKey& key) const noexcept {
        return std::hash<Guid>{}(key.guid) ^ (key.number * std::size_t{0x9E3779B1U});
    }
};

bool is_same(const Extent& a, const Extent& b) noexcept {
    return a.kind == b.kind && a.value == b.value;
}

bool is_same(const ValueMap& a, const ValueMap& b) noexcept {
    return a.kind == b.kind && a.name == b.name && a.entries == b.entries;
}

// `map` counts the fields before that have one.
bool is_same(const Field& a, const Field& b) noexcept {
    return a.name == b.name && a.in_type == b.in_type && a.out_type == b.out_type &&
           is_same(a.count, b.count) && is_same(a.length, b.length) && a.map == b.map;
}

bool is_same(const EventSchema& a, const EventSchema& b) noexcept {
    return a.symbol == b.symbol && a.message == b.message &&
           std::ranges::equal(a.fields, b.fields,
                              [](const Field& x, const Field& y) { return is_same(x, y); }) &&
           std::ranges::equal(a.maps, b.maps,
                              [](const auto& x, const auto& y) { return is_same(*x, *y); });
}

// Memory that the schema of this entry will occupy, roughly, and rather too much than too little.
std::size_t bytes_of_schema(const TmfEntry& entry, const TmfGuidLine& line) noexcept {
    constexpr std::size_t of_indices = 256; // what finds and counts it, and the heap's own
    std::size_t bytes = sizeof(EventSchema) + sizeof(TraceSite) + of_indices +
                        line.component.size() + line.source.size() + 3 * entry.tag.size() +
                        4 * entry.format.size() + 2 * entry.trailer.size();
    for (const TmfArgument& argument : entry.arguments) {
        bytes += sizeof(Field) + argument.expression.size() +
                 2 * sizeof(std::shared_ptr<ValueMap>) + bytes_of_map(argument.type);
    }
    return bytes;
}

/// Turns entries into schemas.
class Collector {
public:
    explicit Collector(std::string_view text) : lines_(text), text_(text) {}

    void guid_line(const TmfGuidLine& line) {
        is_full_ = is_full_ || bytes_ > limits::manifest_schema_bytes;
        if (is_full_) {
            return;
        }
        constexpr std::size_t of_indices = 192;
        auto& provider = providers_[line.guid];
        if (!provider) {
            bytes_ += sizeof(ProviderNames) + line.component.size() + of_indices;
            auto names = std::make_shared<ProviderNames>();
            names->guid = line.guid;
            names->name = line.component;
            provider = std::move(names);
            set_.providers.push_back(provider);
        }
        provider_ = provider;
        line_ = line;
    }

    void entry(const TmfEntry& entry) {
        if (!provider_) {
            return note(entry.where, "message before any GUID");
        }
        const std::size_t bytes = bytes_of_schema(entry, line_);
        is_full_ = is_full_ || bytes_ + bytes > limits::manifest_schema_bytes;
        if (is_full_) {
            return;
        }
        auto schema = schema_of(entry);
        auto& known = by_key_[{line_.guid, schema->id}];
        if (std::ranges::any_of(known, [&](const auto& one) { return is_same(*one, *schema); })) {
            return; // an inlined function has its messages at every place where it went
        }
        if (known.size() == limits::wpp_variants) {
            return note(entry.where, "too many variants of a message");
        }
        bytes_ += bytes;
        known.push_back(schema);
        set_.events.push_back(std::move(schema));
    }

    void note(const char* where, std::string what) {
        if (set_.notes.size() < limits::manifest_notes) {
            set_.notes.push_back(
                {lines_.line_of(static_cast<std::size_t>(where - text_.data())), std::move(what)});
        }
    }

    std::expected<SchemaSet, FileError> finish() {
        if (set_.events.empty()) {
            return std::unexpected(FileError{0, "no messages"});
        }
        if (is_full_) {
            set_.notes.push_back({0, "too many messages; the rest is omitted"});
        }
        return std::move(set_);
    }

private:
    std::shared_ptr<const EventSchema> schema_of(const TmfEntry& entry) {
        auto schema = std::make_shared<EventSchema>();
        schema->origin = Origin::wpp;
        schema->provider = provider_;
        schema->id = entry.number;
        schema->symbol = entry.tag;
        schema->site = site_of(entry, line_);
        schema->event_name = name_of(*schema);
        schema->message = with_arguments_counted(entry);
        const auto conversions = conversions_of(entry);
        schema->fields.reserve(entry.arguments.size());
        for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
            add_field(*schema, entry.arguments[i], conversions[i]);
        }
        return schema;
    }

    void add_field(EventSchema& schema, const TmfArgument& argument, char conversion) {
        TmfItem item = parse_tmf_item(argument.type, conversion);
        item.field.name = argument.expression;
        if (item.map) {
            item.field.map = static_cast<std::uint16_t>(schema.maps.size());
            schema.maps.push_back(std::move(item.map));
        }
        if (!item.is_known) {
            note(argument.type.data(),
                 "unknown type of argument: " +
                     std::string(argument.type.substr(0, argument.type.find('('))));
        }
        if (item.is_cut) {
            note(argument.type.data(), "too many names in a list; the rest is omitted");
        }
        schema.fields.push_back(std::move(item.field));
    }

    // In public PDBs all tags are one and the same.
    static std::string name_of(const EventSchema& schema) {
        const bool says_nothing = schema.symbol.empty() || schema.symbol.starts_with("Unknown_");
        return says_nothing && !schema.site->function.empty() ? schema.site->function
                                                              : schema.symbol;
    }

    LineIndex lines_;
    std::string_view text_;
    SchemaSet set_;
    std::unordered_map<Guid, std::shared_ptr<const ProviderNames>> providers_;
    std::unordered_map<MessageKey, std::vector<std::shared_ptr<const EventSchema>>, MessageHash>
        by_key_;
    std::shared_ptr<const ProviderNames> provider_;
    TmfGuidLine line_;
    std::size_t bytes_ = 0; // of what has been collected, roughly
    bool is_full_ = false;
};

std::expected<SchemaSet, FileError> parse_text(Bytes text) {
    const DecodedText decoded = decode_text(text);
    TmfReader reader(decoded.utf8);
    Collector collector(decoded.utf8);
    for (TmfReader::Found found = reader.next(); found != TmfReader::Found::end;
         found = reader.next()) {
        switch (found) {
        case TmfReader::Found::guid_line:
            collector.guid_line(reader.guid_line());
            break;
        case TmfReader::Found::entry:
            collector.entry(reader.entry());
            break;
        case TmfReader::Found::broken:
            collector.note(reader.where(), reader.problem());
            break;
        case TmfReader::Found::end:
            break;
        }
    }
    return collector.finish();
}

std::vector<Guid> scan_lines(Bytes text) {
    // Looking for the word is much cheaper than making UTF-8 of every file that is no TMF.
    if (!looks_like_utf16(text) && as_text(text).find("#type") == std::string_view::npos) {
        return {};
    }
    const DecodedText decoded = decode_text(text);
    if (decoded.utf8.find("#type") == std::string::npos) {
        return {};
    }
    std::vector<Guid> guids;
    std::unordered_set<Guid> seen;
    TmfReader reader(decoded.utf8);
    for (TmfReader::Found found = reader.next(); found != TmfReader::Found::end;
         found = reader.next()) {
        if (found == TmfReader::Found::guid_line && seen.insert(reader.guid_line().guid).second) {
            guids.push_back(reader.guid_line().guid);
        }
    }
    return guids;
}

} // namespace

std::expected<SchemaSet, FileError> parse_tmf(Bytes text) {
    return guarded([&] { return parse_text(text); });
}

std::vector<Guid> scan_tmf(Bytes text) {
    return guarded_scan([&] { return scan_lines(text); });
}

} // namespace etl::schema
