#include "sql/event_table.hpp"

#include "sql/event_cursor.hpp"
#include "sql/names.hpp"

#include <array>

namespace etl::sql {

namespace {

struct KnownColumn {
    std::string_view name; // as the key
    std::string_view type;
    bool is_of_kinds = false; // also a column of tables of kinds
};

constexpr std::array known_columns{
    KnownColumn{"time", "time", true},
    KnownColumn{time_as_number, "integer", true},
    KnownColumn{"cpu", "integer", true},
    KnownColumn{"pid", "integer", true},
    KnownColumn{"tid", "integer", true},
    KnownColumn{"trace", "integer"},
    KnownColumn{"file", "text"},
    KnownColumn{"machine", "text"},
    KnownColumn{"boot", "time"},
    KnownColumn{"provider", "text"},
    KnownColumn{"provider_guid", "text"},
    KnownColumn{"id", "integer", true},
    KnownColumn{"version", "integer", true},
    KnownColumn{"channel", "integer"},
    KnownColumn{"level", "integer", true},
    KnownColumn{"opcode", "integer", true},
    KnownColumn{"task", "integer"},
    KnownColumn{"keyword", "hex", true},
    KnownColumn{"event", "text"},
    KnownColumn{"task_name", "text"},
    KnownColumn{"opcode_name", "text"},
    KnownColumn{"level_name", "text"},
    KnownColumn{"channel_name", "text"},
    KnownColumn{"keywords", "json"},
    KnownColumn{"activity_id", "text", true},
    KnownColumn{"related_activity_id", "text", true},
    KnownColumn{"qualifiers", "integer"},
    KnownColumn{"computer", "text"},
    KnownColumn{"user", "text"},
    KnownColumn{"record_id", "integer"},
    KnownColumn{"source", "text"},
    KnownColumn{"schema_from", "text"},
    KnownColumn{"wpp", "json"},
    KnownColumn{"data", "json"},
    KnownColumn{"message", "text"},
    KnownColumn{"stack", "json"},
    KnownColumn{"ext", "json"},
    KnownColumn{"payload", "text"},
    KnownColumn{"decode_error", "text"},
    KnownColumn{"decode_note", "text", true},
};

} // namespace

EventTable::EventTable(Inputs& inputs) : inputs_(&inputs) {
    for (const KnownColumn& column : known_columns) {
        add(std::string(column.name), column.type, source_of(column.name));
    }
}

EventTable::EventTable(Inputs& inputs, const Kind& kind)
    : inputs_(&inputs), where_(condition_of(kind)) {
    UniqueNames names;
    for (const KnownColumn& column : known_columns) {
        if (column.is_of_kinds) {
            add(names.take(column.name), column.type, source_of(column.name));
        }
    }
    const UniqueNames of_header = names;
    for (const Kind::Field& field : kind.fields) {
        const bool is_taken = of_header.has(field.name);
        add(names.take(is_taken ? "data." + field.name : field.name), field.type,
            source_of_field(field.name, field.comparison));
    }
}

void EventTable::add(std::string name, std::string_view type, ColumnSource source) {
    columns_.push_back({std::move(name), type});
    sources_.push_back(std::move(source));
}

std::unique_ptr<Cursor> EventTable::open() {
    return std::make_unique<EventCursor>(*this);
}

} // namespace etl::sql
