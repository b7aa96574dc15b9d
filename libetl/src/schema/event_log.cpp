#include <etl/evtx/event.hpp>
#include <etl/evtx/reader.hpp>
#include <etl/schema/event_log.hpp>
#include <etl/schema/limits.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace etl::schema {

namespace {

using Key = std::tuple<Guid, std::uint16_t, std::uint8_t>;

/// Calls `take` with each event that has a provider GUID.
Result<void> for_each_event(Bytes log, const std::function<void(const evtx::Event&)>& take) {
    auto reader = evtx::Reader::open(log);
    if (!reader) {
        return std::unexpected(reader.error());
    }
    evtx::EventReader events;
    evtx::Record record;
    while (reader->next(record)) {
        const auto event = events.read(record);
        if (event && (*event)->provider_guid) {
            take(**event);
        }
    }
    return {};
}

/// Whether the payload of the event in a trace is its fields, one after the other.
bool is_flat(const evtx::Event& event) {
    return (event.payload == evtx::PayloadKind::event_data && !event.fields.empty() &&
            event.fields.size() <= limits::schema_fields &&
            std::ranges::all_of(event.fields, [](const evtx::Field& field) {
                return field.depth == 0 && !field.is_structure && !field.is_attribute &&
                       !field.name.empty() && !field.value.is_array;
            })) ||
           event.payload == evtx::PayloadKind::none;
}

/// One event of a provider, from all records of it.
struct Described {
    EventSchema schema;
    bool is_flat = true;

    explicit Described(const evtx::Event& event) {
        schema.origin = Origin::wevt;
        schema.id = static_cast<std::uint16_t>(event.id);
        schema.version = event.version;
        schema.level = event.level;
        schema.opcode = event.opcode;
        schema.task = event.task;
        schema.keyword = event.keywords;
        for (const evtx::Field& field : event.fields) {
            schema.fields.emplace_back().name = field.name;
        }
    }

    /// A value that is null has no type.
    void add(const evtx::Event& event) {
        is_flat = is_flat && schema::is_flat(event) && event.fields.size() == schema.fields.size();
        for (std::size_t i = 0; is_flat && i < schema.fields.size(); ++i) {
            Field& field = schema.fields[i];
            const auto type = static_cast<InType>(event.fields[i].value.type);
            is_flat = field.name == event.fields[i].name &&
                      (type == InType::null || field.in_type == InType::null ||
                       field.in_type == type);
            field.in_type = type == InType::null ? field.in_type : type;
        }
    }

    bool is_complete() const {
        return is_flat &&
               std::ranges::none_of(schema.fields, [](const Field& field) {
                   return field.in_type == InType::null;
               });
    }
};

} // namespace

bool is_event_log(Bytes file) noexcept {
    return evtx::looks_like_event_log(file);
}

std::vector<Guid> scan_event_log(Bytes log) {
    std::set<Guid> providers;
    static_cast<void>(for_each_event(
        log, [&](const evtx::Event& event) { providers.insert(*event.provider_guid); }));
    return {providers.begin(), providers.end()};
}

std::expected<SchemaSet, FileError> parse_event_log(Bytes log) {
    std::map<Key, Described> events;
    std::map<Guid, std::shared_ptr<ProviderNames>> providers;
    const auto read = for_each_event(log, [&](const evtx::Event& event) {
        auto& names = providers[*event.provider_guid];
        if (!names) {
            names = std::make_shared<ProviderNames>();
            names->guid = *event.provider_guid;
            names->name = event.provider;
        }
        const Key key{*event.provider_guid, static_cast<std::uint16_t>(event.id), event.version};
        events.try_emplace(key, event).first->second.add(event);
    });
    if (!read) {
        return std::unexpected(FileError{0, describe(read.error())});
    }
    SchemaSet set;
    std::size_t left_out = 0;
    for (auto& [key, described] : events) {
        if (!described.is_complete()) {
            ++left_out;
            continue;
        }
        described.schema.provider = providers[std::get<Guid>(key)];
        set.events.push_back(std::make_shared<EventSchema>(std::move(described.schema)));
    }
    for (auto& [guid, names] : providers) {
        set.providers.push_back(std::move(names));
    }
    if (left_out > 0) {
        set.notes.push_back({0, std::to_string(left_out) +
                                    " events of the log have fields without a name or a type; "
                                    "they are not described"});
    }
    return set;
}

} // namespace etl::schema
