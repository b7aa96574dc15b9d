#include "schema/event_log.hpp"

#include "evtx/event.hpp"
#include "evtx/reader.hpp"
#include "schema/limits.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
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
    evtx::EventReader events(evtx::NullParts::shown);
    evtx::Record record;
    while (reader->next(record)) {
        const auto event = events.read(record);
        if (event && (*event)->provider_guid) {
            take(**event);
        }
    }
    return {};
}

/// A field of the payload of the event in a trace.
struct Leaf {
    std::string name;
    std::uint16_t index = 0; // in the payload, or after what precedes it in the template
    InType type = InType::null;
    bool is_stated = false; // the type, by the template: the value is null
    evtx::Value value{};
};

/// Integers to hexadecimal numbers have the same numbers.
constexpr auto last_type = static_cast<std::uint8_t>(InType::hex_int64);

/// A value that is null has the type that its template states.
std::optional<Leaf> leaf_of(const evtx::Event& event, const evtx::Field& field) {
    const evtx::Substitution& from = field.from;
    const evtx::ValueType type = field.value.is_null() ? from.type : field.value.type;
    const std::string& name = field.name.empty() ? event.payload_name : field.name;
    const bool is_nested = event.payload != evtx::PayloadKind::user_data &&
                           (field.depth > 0 || field.is_attribute || field.name.empty());
    if (from.is_part || from.is_array || field.value.is_array || is_nested || name.empty() ||
        static_cast<std::uint8_t>(type) > last_type) {
        return std::nullopt;
    }
    return Leaf{name, from.index, static_cast<InType>(type), field.value.is_null(), field.value};
}

/// Whether these are all values of the template that has no others; of a template that has System
/// as well, those that are together.
bool are_all(std::span<const Leaf> leaves, const evtx::Event& event,
             const evtx::Substitution& of) noexcept {
    const bool is_own = of.instance != event.system_instance;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i].index != leaves.front().index + i) {
            return false;
        }
    }
    return !is_own || (leaves.front().index == 0 && leaves.size() >= of.values);
}

/// The fields of the payload in their order, which is that of the values of the template; none: it
/// is not known. Text of the template, such as a namespace, is no field.
std::optional<std::vector<Leaf>> leaves_of(const evtx::Event& event) {
    std::vector<Leaf> leaves;
    const bool is_known_kind = event.payload == evtx::PayloadKind::event_data ||
                               event.payload == evtx::PayloadKind::user_data;
    if (event.payload == evtx::PayloadKind::none) {
        return leaves;
    }
    evtx::Substitution of;
    for (const evtx::Field& field : event.fields) {
        if (field.is_structure || field.from.instance == 0) {
            continue;
        }
        auto leaf = leaf_of(event, field);
        const bool is_same = of.instance == 0 || of.instance == field.from.instance;
        if (!is_known_kind || !leaf || !is_same || leaves.size() == limits::fields) {
            return std::nullopt;
        }
        of = field.from;
        leaves.push_back(*std::move(leaf));
    }
    std::ranges::stable_sort(leaves, {}, &Leaf::index);
    const auto again = std::ranges::unique(leaves, {}, &Leaf::index);
    leaves.erase(again.begin(), again.end());
    return !leaves.empty() && are_all(leaves, event, of) ? std::optional(std::move(leaves))
                                                         : std::nullopt;
}

bool can_be_length(InType type) noexcept {
    return type == InType::uint8 || type == InType::uint16 || type == InType::uint32;
}

/// The fields before a binary one that may be its length: integers that equal the number of its
/// bytes in each record.
class Lengths {
public:
    void add(std::span<const Leaf> leaves, bool is_first) {
        by_field_.resize(leaves.size());
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (leaves[i].type != InType::binary) {
                continue;
            }
            Candidates& of = by_field_[i];
            if (is_first) {
                of.lengths = integers_before(leaves, i);
            }
            if (leaves[i].value.is_null()) {
                continue;
            }
            of.is_confirmed = true;
            std::erase_if(of.lengths, [&](std::uint16_t length) {
                const std::uint64_t bytes = leaves[i].value.data.size();
                return evtx::to_number(leaves[length].value) != bytes;
            });
        }
    }

    /// The nearest one is the length. Without one, nothing states it.
    void apply(std::vector<Field>& fields) const {
        for (std::size_t i = 0; i < by_field_.size(); ++i) {
            if (by_field_[i].is_confirmed && !by_field_[i].lengths.empty()) {
                const std::uint16_t length = by_field_[i].lengths.front();
                fields[i].length = {Extent::Kind::field, length};
                fields[length].referenced = true;
            }
        }
    }

private:
    struct Candidates {
        std::vector<std::uint16_t> lengths{}; // the nearest first
        bool is_confirmed = false;            // by a value that is not null
    };

    static std::vector<std::uint16_t> integers_before(std::span<const Leaf> leaves,
                                                      std::size_t field) {
        constexpr std::size_t max = 8;
        std::vector<std::uint16_t> integers;
        while (field-- > 0 && integers.size() < max) {
            if (can_be_length(leaves[field].type)) {
                integers.push_back(static_cast<std::uint16_t>(field));
            }
        }
        return integers;
    }

    std::vector<Candidates> by_field_;
};

/// One event of a provider, from all records of it.
struct Described {
    EventSchema schema;
    std::vector<bool> is_stated{}; // the types of fields
    Lengths lengths{};
    bool is_known = true;
    bool is_first = true;

    explicit Described(const evtx::Event& event) {
        schema.origin = Origin::wevt;
        schema.id = static_cast<std::uint16_t>(event.id);
        schema.version = event.version;
        schema.level = event.level;
        schema.opcode = event.opcode;
        schema.task = event.task;
        schema.keyword = event.keywords;
    }

    /// The type of a value is better than the one that the template states. An event that Windows
    /// could not process states nothing.
    void add(const evtx::Event& event) {
        if (event.payload == evtx::PayloadKind::processing_error_data) {
            return;
        }
        const auto leaves = is_known ? leaves_of(event) : std::nullopt;
        is_known = leaves && (is_first || leaves->size() == schema.fields.size());
        if (!is_known) {
            return;
        }
        schema.fields.resize(leaves->size());
        is_stated.resize(leaves->size(), true);
        for (std::size_t i = 0; is_known && i < leaves->size(); ++i) {
            Field& field = schema.fields[i];
            const Leaf& leaf = (*leaves)[i];
            const bool is_same = leaf.is_stated || is_stated[i] || field.in_type == leaf.type;
            is_known = is_first || (field.name == leaf.name && is_same);
            field.name = leaf.name;
            field.in_type = is_stated[i] ? leaf.type : field.in_type;
            is_stated[i] = is_stated[i] && leaf.is_stated;
        }
        lengths.add(*leaves, is_first);
        is_first = false;
    }

    bool is_complete() const {
        return is_known && !is_first && std::ranges::none_of(schema.fields, [](const Field& field) {
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
        described.lengths.apply(described.schema.fields);
        described.schema.provider = providers[std::get<Guid>(key)];
        set.events.push_back(std::make_shared<EventSchema>(std::move(described.schema)));
    }
    for (auto& [guid, names] : providers) {
        set.providers.push_back(std::move(names));
    }
    if (left_out > 0) {
        const bool is_one = left_out == 1;
        set.notes.push_back(
            {0, std::to_string(left_out) + (is_one ? " event" : " events") +
                    " of the log not described: a field has no name, type, or known position"});
    }
    return set;
}

} // namespace etl::schema
