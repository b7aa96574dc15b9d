#include "decode/embedding.hpp"

#include "decode/harvest/embedded_records.hpp"
#include "decode/kinds/kind_builder.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "schema/event_info.hpp"
#include "schema/event_schema.hpp"
#include "schema/eventsource_chunks.hpp"
#include "schema/tracelogging.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>

namespace etl::decode {

namespace {

/// Maps that were embedded. A trace knows them by (provider, name).
class EmbeddedMapNames {
public:
    /// The name that the map goes by, which is another than its own when that is taken by one that
    /// differs; and whether the map is new.
    std::pair<std::string, bool> name(const Guid& provider,
                                      const std::shared_ptr<const schema::ValueMap>& map) {
        std::string name = map->name;
        for (unsigned number = 2;; ++number) {
            const auto [known, is_new] = maps_.try_emplace({provider, name}, map);
            if (is_new || known->second == map || is_same(*known->second, *map)) {
                return {std::move(name), is_new};
            }
            name = map->name + '#' + std::to_string(number);
        }
    }

private:
    static bool is_same(const schema::ValueMap& a, const schema::ValueMap& b) {
        return a.kind == b.kind && a.entries == b.entries;
    }

    std::map<std::pair<Guid, std::string>, std::shared_ptr<const schema::ValueMap>> maps_;
};

using schema::EventSchema;
using schema::Origin;

bool is_event_info(const flow::Event& event) noexcept {
    return format::is_full(event.kind) &&
           flow::stored<format::full_record::type>(event) == event_info_type &&
           flow::stored<format::full_record::guid>(event) == format::event_metadata_guid;
}

/// What tells one kind of event from others, as far as finding its schema goes.
struct Kind {
    Guid provider;
    Guid control; // zero: none
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    bool has_traits = false;
    std::uint16_t schemas = 0; // schema::SchemasByTrace::number_of

    bool operator==(const Kind&) const = default;
};

struct KindHash {
    std::size_t operator()(const Kind& kind) const noexcept {
        const std::size_t number = (std::size_t{kind.id} << 8U) | kind.version;
        return std::hash<Guid>{}(kind.provider) ^ (number * std::size_t{0x9E3779B1U});
    }
};

struct KeyHash {
    std::size_t operator()(const schema::EventKey& key) const noexcept {
        return KindHash{}({.provider = key.provider, .id = key.id, .version = key.version});
    }
};

/// What was described already.
struct Known {
    std::unordered_set<Kind, KindHash> seen{};
    std::array<Kind, 256> recent{};                         // of them
    std::unordered_set<schema::EventKey, KeyHash> passed{}; // described by records that passed
    std::unordered_set<const EventSchema*> embedded{};
    EmbeddedMapNames maps{};
};

} // namespace

struct EmbeddedSource::State {
    flow::Source& upstream;
    schema::SchemasByTrace schemas;
    EmbeddingOptions options;
    EmbeddingReport report{};
    flow::Run rest{}; // of the upstream's run
    std::shared_ptr<const EmbeddedBlock> block{};
    bool gave_block = false; // with the last run

    std::map<std::uint16_t, Known> known_by_logger{};
    Known* known = &known_by_logger[0]; // of the run at hand

    State(flow::Source& source, schema::SchemasByTrace of_traces, const EmbeddingOptions& wanted)
        : upstream(source), schemas(std::move(of_traces)), options(wanted) {}

    flow::Run next_run();
    std::optional<Kind> kind_of(const flow::Event& event) const noexcept;
    bool is_new(const flow::Event& event);
    void note_passed(const flow::Event& event);
    std::shared_ptr<const EmbeddedBlock> describe(const flow::Event& event);
    std::vector<const EventSchema*> candidates_of(const flow::Event& event,
                                                  const flow::EventHeader& header) const;
    bool is_there(const EventSchema& schema) const;
    void embed(const EventSchema& schema, const flow::EventHeader* only_for, EmbeddedRecords& to,
               std::vector<std::vector<std::byte>>& written);
    std::vector<schema::EmbeddedMap> name_maps(const EventSchema& schema,
                                               schema::EmbeddedEvent& event);
};

// Nothing for events that need no description.
std::optional<Kind> EmbeddedSource::State::kind_of(const flow::Event& event) const noexcept {
    namespace record = format::event_record;
    Kind kind{.provider = flow::stored<record::provider_id>(event),
              .control = {},
              .id = flow::stored<record::id>(event),
              .version = flow::stored<record::version>(event),
              .has_traits = false,
              .schemas = schemas.number_of(event.trace().file, event.buffer->merged_input)};
    const std::uint16_t flags = flow::stored<record::flags>(event);
    if ((flags & format::event_flag::string_only) != 0 || kind.id == schema::manifest_chunk_id)
        [[unlikely]] {
        const flow::EventHeader header = flow::read_header(event);
        if ((flags & format::event_flag::string_only) != 0 ||
            schema::is_manifest_chunk(header.id, header.opcode, header.payload)) {
            return std::nullopt;
        }
    }
    if ((flags & format::event_flag::extended_info) != 0) {
        const EventItems items = sort_items(flow::read_header(event));
        if (!items.metadata.empty()) {
            return std::nullopt;
        }
        kind.has_traits = !items.traits.empty();
        if (items.control_guid.size() == sizeof(Guid)) {
            kind.control = load_le<Guid>(items.control_guid.data());
        }
    }
    return kind;
}

bool EmbeddedSource::State::is_new(const flow::Event& event) {
    if (!format::is_event(event.kind)) {
        if (is_event_info(event)) [[unlikely]] {
            note_passed(event);
        }
        return false;
    }
    const auto kind = kind_of(event);
    if (!kind) {
        return false;
    }
    Kind& recently = known->recent[KindHash{}(*kind) % known->recent.size()];
    if (recently == *kind) [[likely]] {
        return false;
    }
    if (known->seen.contains(*kind)) {
        recently = *kind;
        return false;
    }
    if (known->seen.size() == limits::harvested_schemas) {
        ++report.omitted;
        return false;
    }
    return true;
}

void EmbeddedSource::State::note_passed(const flow::Event& event) {
    // Of TRACE_EVENT_INFO: docs/format/decoding.md#event-information
    constexpr etl::LayoutField<Guid> provider{0};
    constexpr etl::LayoutField<std::uint16_t> id{32};
    constexpr etl::LayoutField<std::uint8_t> version{34};
    const Bytes info = event.bytes().subspan(format::full_record::size);
    if (info.size() > version.offset && known->passed.size() < limits::harvested_schemas) {
        known->passed.insert({load_le<Guid>(info.data() + provider.offset),
                              load_le<std::uint16_t>(info.data() + id.offset),
                              load_le<std::uint8_t>(info.data() + version.offset)});
    }
}

flow::Run EmbeddedSource::State::next_run() {
    for (;;) {
        if (rest.empty()) {
            rest = upstream.next_run();
            if (rest.empty()) {
                return {};
            }
            if (options.by_logger) {
                known = &known_by_logger[rest.front().buffer->logger_id];
            }
        }
        const auto first_new =
            std::ranges::find_if(rest, [&](const flow::Event& event) { return is_new(event); });
        const auto before = static_cast<std::size_t>(first_new - rest.begin());
        if (before > 0) {
            gave_block = false;
            const flow::Run run = rest.first(before);
            rest = rest.subspan(before);
            return run;
        }
        if (auto made = describe(rest.front())) {
            block = std::move(made);
            gave_block = true;
            return block->events;
        }
    }
}

// The event's kind is known from here on.
std::shared_ptr<const EmbeddedBlock> EmbeddedSource::State::describe(const flow::Event& event) {
    known->seen.insert(*kind_of(event));
    const flow::EventHeader header = flow::read_header(event);
    const auto candidates = candidates_of(event, header);
    if (candidates.empty()) {
        ++report.unknown;
        return nullptr;
    }
    if (std::ranges::any_of(candidates, [&](const auto* one) { return is_there(*one); })) {
        ++report.existing;
        return nullptr;
    }
    EmbeddedRecords records(event, options.max_record_size);
    std::vector<std::vector<std::byte>> written;
    for (const EventSchema* candidate : candidates) {
        if (known->embedded.insert(candidate).second) {
            embed(*candidate, candidates.size() == 1 ? &header : nullptr, records, written);
        }
    }
    return records.finish();
}

std::vector<const EventSchema*>
EmbeddedSource::State::candidates_of(const flow::Event& event,
                                     const flow::EventHeader& header) const {
    const schema::SchemaStore* store =
        schemas.store_for(event.trace().file, event.buffer->merged_input).get();
    if (store == nullptr) {
        return {};
    }
    const EventItems items = sort_items(header);
    const schema::Match match = find_event(*store, header, items);
    std::vector<const EventSchema*> candidates;
    for (const auto* list : {&match.candidates, &match.lower}) {
        std::ranges::copy_if(*list, std::back_inserter(candidates), [](const EventSchema* schema) {
            return describes(*schema, false) && schema->provider;
        });
    }
    return candidates;
}

bool EmbeddedSource::State::is_there(const EventSchema& schema) const {
    if (options.carried == CarriedSchemas::pass) {
        return schema.origin == Origin::event_info || schema.origin == Origin::eventsource;
    }
    return schema.origin == Origin::event_info &&
           known->passed.contains({schema.provider->guid, schema.id, schema.version});
}

// `only_for`: the record whose descriptor the information has, as Windows has it; with several
// schemas for one kind their own tell them apart.
void EmbeddedSource::State::embed(const EventSchema& schema, const flow::EventHeader* only_for,
                                  EmbeddedRecords& to,
                                  std::vector<std::vector<std::byte>>& written) {
    schema::EmbeddedEvent event = schema::to_embedded_event(schema);
    if (only_for != nullptr) {
        event.schema.channel = only_for->channel;
        event.schema.level = only_for->level;
        event.schema.keyword = only_for->keyword;
    }
    const auto new_maps = name_maps(schema, event);
    ByteWriter blob;
    const auto possible = schema::write_event_info(event, blob);
    const bool is_repeated =
        possible && std::ranges::any_of(written, [&](const std::vector<std::byte>& other) {
            return std::ranges::equal(other, blob.view());
        });
    if (is_repeated) {
        return;
    }
    if (!possible || !to.add(event_info_type, blob.view())) {
        ++report.too_large;
    } else {
        ++report.events;
        written.push_back(blob.take());
    }
    for (const schema::EmbeddedMap& map : new_maps) {
        blob.clear();
        schema::write_map_info(map, blob);
        if (to.add(map_info_type, blob.view())) {
            ++report.maps;
        } else {
            ++report.too_large;
        }
    }
}

// Gives those that no event named so far.
std::vector<schema::EmbeddedMap> EmbeddedSource::State::name_maps(const EventSchema& schema,
                                                                  schema::EmbeddedEvent& event) {
    std::vector<schema::EmbeddedMap> new_maps;
    for (auto& [field, name] : event.map_of_field) {
        const auto& map = schema.maps[schema.fields[field].map];
        auto [called, is_new] = known->maps.name(schema.provider->guid, map);
        name = std::move(called);
        if (is_new) {
            auto copy = std::make_shared<schema::ValueMap>(*map);
            copy->name = name;
            new_maps.push_back({schema.provider->guid, std::move(copy)});
        }
    }
    return new_maps;
}

EmbeddedSource::EmbeddedSource(flow::Source& upstream, schema::SchemasByTrace schemas,
                               const EmbeddingOptions& options)
    : state_(std::make_unique<State>(upstream, std::move(schemas), options)) {}

EmbeddedSource::~EmbeddedSource() = default;

flow::Run EmbeddedSource::next_run() {
    return state_->next_run();
}

flow::Pin EmbeddedSource::pin() const {
    return state_->gave_block ? flow::Pin(state_->block) : state_->upstream.pin();
}

const Error* EmbeddedSource::error() const noexcept {
    return state_->upstream.error();
}

const EmbeddingReport& EmbeddedSource::report() const noexcept {
    return state_->report;
}

} // namespace etl::decode
