#include "outputs/table_json.hpp"

#include "cli/json_object.hpp"
#include "rows/values.hpp"

namespace cli {

namespace {

using namespace etl::analysis;

std::string missing_json(const NotRecorded& missing) {
    JsonList columns;
    for (const std::string_view column : missing.columns) {
        columns.text(column);
    }
    JsonObject json;
    json.text("source", missing.source);
    json.raw("columns", columns.take());
    json.text("record", missing.record);
    return json.take();
}

} // namespace

std::string total_json(const Table& table) {
    JsonObject json;
    for (std::size_t i = 0; i < table.columns.size() && i < table.total.size(); ++i) {
        const Adding adding = table.columns[i].adding;
        if (adding != Adding::key && adding != Adding::none) {
            json.raw(table.columns[i].name,
                     etl::rows::json_of(table.total[i], table.columns[i].unit));
        }
    }
    return json.take();
}

std::string other_versions_json(const std::vector<OtherVersion>& versions) {
    JsonList list;
    for (const OtherVersion& one : versions) {
        JsonObject json;
        json.text("class", one.event_class);
        json.number("version", one.version);
        json.raw("layout", one.layout ? std::to_string(*one.layout) : "null");
        if (one.is_short) {
            json.boolean("short", true);
        }
        json.number("events", one.events);
        list.raw(json.take());
    }
    return list.take();
}

std::string coverage_json(const Coverage& coverage) {
    JsonObject json;
    json.time("begin", coverage.begin);
    json.time("end", coverage.end);
    json.number("duration_ns", coverage.duration_ns);
    json.number("processors", coverage.processors);
    json.number("events", coverage.events);
    json.number("used_events", coverage.used_events);
    const auto or_null = [&](std::string_view key, std::optional<std::uint64_t> value) {
        json.raw(key, value ? std::to_string(*value) : "null");
    };
    or_null("lost_events", coverage.lost_events);
    or_null("lost_buffers", coverage.lost_buffers);
    JsonList missing;
    for (const NotRecorded& one : coverage.not_recorded) {
        missing.raw(missing_json(one));
    }
    json.raw("not_recorded", missing.take());
    if (!coverage.other_versions.empty()) {
        json.raw("other_versions", other_versions_json(coverage.other_versions));
    }
    for (const Remainder& remainder : coverage.remainders) {
        if (remainder.value != 0) {
            json.number(remainder.name, remainder.value);
        }
    }
    return json.take();
}

} // namespace cli
