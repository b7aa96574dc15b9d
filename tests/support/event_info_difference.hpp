// In what two descriptions of an event differ, as far as TRACE_EVENT_INFO can say it.
#pragma once

#include "schema/event_info.hpp"

#include <string>

namespace etl::test {

inline bool same(const schema::Extent& a, const schema::Extent& b) {
    return a.kind == b.kind && a.value == b.value;
}

/// Empty: in nothing.
inline std::string difference(const schema::Field& a, const schema::Field& b) {
    return a.name != b.name               ? "name"
           : a.in_type != b.in_type       ? "in type"
           : a.out_type != b.out_type     ? "out type"
           : !same(a.count, b.count)      ? "count"
           : !same(a.length, b.length)    ? "length"
           : a.members != b.members       ? "members"
           : a.referenced != b.referenced ? "referenced"
           : a.tags != b.tags             ? "tags"
                                          : "";
}

/// Empty: in nothing.
inline std::string difference(const schema::ProviderNames& a, const schema::ProviderNames& b) {
    return a.guid != b.guid           ? "provider"
           : a.name != b.name         ? "name of the provider"
           : a.message != b.message   ? "message of the provider"
           : a.levels != b.levels     ? "levels"
           : a.keywords != b.keywords ? "keywords"
           : a.channels != b.channels ? "channels"
                                      : "";
}

/// Empty: in nothing.
inline std::string difference(const schema::EmbeddedEvent& before,
                              const schema::EmbeddedEvent& after) {
    const schema::EventSchema& a = before.schema;
    const schema::EventSchema& b = after.schema;
    if (a.fields.size() != b.fields.size()) {
        return "number of fields";
    }
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        if (const std::string what = difference(a.fields[i], b.fields[i]); !what.empty()) {
            return what + " of field " + std::to_string(i);
        }
    }
    if (const std::string what = difference(*a.provider, *b.provider); !what.empty()) {
        return what;
    }
    return before.map_of_field != after.map_of_field ? "maps of fields"
           : a.id != b.id                            ? "id"
           : a.version != b.version                  ? "version"
           : a.channel != b.channel                  ? "channel"
           : a.level != b.level                      ? "level"
           : a.opcode != b.opcode                    ? "opcode"
           : a.task != b.task                        ? "task"
           : a.keyword != b.keyword                  ? "keyword"
           : a.event_name != b.event_name            ? "name of the event"
           : a.task_name != b.task_name              ? "name of the task"
           : a.task_guid != b.task_guid              ? "GUID of the task"
           : a.opcode_name != b.opcode_name          ? "name of the opcode"
           : a.message != b.message                  ? "message"
           : a.user_data != b.user_data              ? "element of UserData"
           : a.tags != b.tags                        ? "tags"
                                                     : "";
}

} // namespace etl::test
