// The JSON of etl info. docs/info-and-check.md
#include "catalog/catalog.hpp"
#include "cli/json_object.hpp"
#include "flow/clock.hpp"
#include "flow/trace_info.hpp"
#include "verbs/info/coverage.hpp"
#include "verbs/info/shown.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

std::optional<etl::Filetime> non_zero(std::int64_t filetime) {
    return filetime != 0 ? std::optional(etl::Filetime{filetime}) : std::nullopt;
}

void text_or_null(JsonObject& json, std::string_view key, std::string_view text) {
    text.empty() ? json.raw(key, "null") : json.text(key, text);
}

/// Data not in the header; sessions without the kernel record little of it.
std::string machine_json(const etl::facts::Machine& machine) {
    JsonObject json;
    text_or_null(json, "computer", machine.computer_name);
    text_or_null(json, "domain", machine.domain_name);
    text_or_null(json, "windows_build", machine.build_lab);
    text_or_null(json, "product", machine.product_name);
    json.raw("memory_mb", machine.memory_mb > 0 ? std::to_string(machine.memory_mb) : "null");
    return json.take();
}

void header_json(const ShownTrace& trace, JsonObject& json) {
    const etl::format::LogfileHeader& h = trace.info->header;
    json.text("session", utf8(h.session_name));
    json.text("log_file_name", utf8(h.log_file_name));
    text_or_null(json, "windows",
                 h.provider_version == 0 ? std::string()
                                         : fmt::format("{}.{}.{}", h.major_version, h.minor_version,
                                                       h.provider_version));
    json.raw("schemas_build",
             h.provider_version == 0
                 ? "null"
                 : std::to_string(etl::catalog::built_in_generation(h.provider_version)));
    json.text("layout", fmt::format("{}.{}", h.sub_version, h.sub_minor_version));
    json.number("processors", h.number_of_processors);
    json.number("processor_mhz", trace.processor_mhz());
    json.number("pointer_size", h.pointer_size);
    json.number("log_file_mode", h.log_file_mode);
    json.number("buffer_size", h.buffer_size);
    json.number("buffers_written", h.buffers_written);
    json.number("maximum_file_size", h.maximum_file_size);
    json.text("clock", name(h.clock_type()));
    json.number("clock_frequency", trace.info->clock.frequency());
    json.time("start_time", non_zero(h.start_time));
    json.time("end_time", non_zero(h.end_time));
    json.time("boot_time", non_zero(h.boot_time));
    json.number("utc_bias_minutes", h.time_zone.bias);
    text_or_null(json, "time_zone", trace.time_zone());
    json.number("events_lost", h.events_lost);
    json.number("buffers_lost", etl::trace::buffers_lost_by_session(*trace.info));
}

std::string clock_steps_json(std::span<const etl::flow::ClockRollback> clock_rollbacks,
                             const etl::flow::Clock& clock) {
    std::string rows;
    for (const etl::flow::ClockRollback& set_back : clock_rollbacks) {
        JsonObject row;
        row.number("buffer", set_back.buffer);
        row.time("before", clock.to_filetime(set_back.before));
        row.time("after", clock.to_filetime(set_back.after));
        rows += (rows.empty() ? "" : ",") + row.take();
    }
    return "[" + rows + "]";
}

template <typename T>
void number_or_null(JsonObject& json, std::string_view key, const std::optional<T>& number) {
    if (number) {
        json.number(key, *number);
    } else {
        json.raw(key, "null");
    }
}

std::string hex_of(const std::optional<std::uint64_t>& mask) {
    return mask ? fmt::format("{:#x}", *mask) : std::string();
}

std::string enabled_json(std::span<const EnabledProvider> enabled) {
    std::string rows;
    for (const EnabledProvider& provider : enabled) {
        JsonObject row;
        row.text("guid", etl::to_string(provider.id));
        text_or_null(row, "name", provider.name);
        number_or_null(row, "level", provider.level);
        text_or_null(row, "match_any", hex_of(provider.match_any));
        text_or_null(row, "match_all", hex_of(provider.match_all));
        number_or_null(row, "property", provider.property);
        rows += (rows.empty() ? "" : ",") + row.take();
    }
    return "[" + rows + "]";
}

} // namespace

std::string info_json(const ShownTrace& trace) {
    JsonObject json;
    json.text("file", utf8_text(trace.info->name));
    json.number("size", trace.info->file_size);
    if (const auto& packing = trace.info->container; !packing.name.empty()) {
        JsonObject container;
        container.text("kind", packing.name);
        container.number("frames", packing.frames);
        container.number("compressed_size", packing.size);
        json.raw("container", container.take());
    }
    const bool is_header_stated = etl::flow::is_header_stated(*trace.info);
    json.boolean("has_header", is_header_stated);
    if (is_header_stated) {
        header_json(trace, json);
    }
    if (trace.info->has_header && !trace.are_losses_known()) {
        json.boolean("losses_known", false);
    }
    json.raw("machine", machine_json(trace.machine));
    json.boolean("unfinalized", trace.info->is_unfinalized || trace.is_log_dirty);
    json.number("buffers", trace.info->buffers);
    json.number("compressed_buffers", trace.info->compressed_buffers);
    json.number("events", trace.summary->events);
    if (trace.summary->without_timestamp > 0) {
        json.number("untimed_events", trace.summary->without_timestamp);
    }
    json.time("first_event", trace.time(trace.summary->first_time));
    json.time("last_event", trace.time(trace.summary->last_time));
    json.time("first_own_event", trace.time(trace.summary->first_own_time));
    json.time("last_own_event", trace.time(trace.summary->last_own_time));
    if (const auto& clock_rollbacks = trace.info->clock_rollbacks; !clock_rollbacks.empty()) {
        json.raw("backward_clock_steps", clock_steps_json(clock_rollbacks, trace.info->clock));
    }
    if (!trace.missing.gaps.empty()) {
        json.number("missing_buffers", trace.missing.count());
        json.boolean("missing_is_loss", trace.missing.is_loss());
    }
    if (trace.is_event_log() && trace.info->header.events_lost > 0) {
        json.number("missing_records", trace.info->header.events_lost);
    }
    json.number("damage", trace.damage);
    JsonObject kinds;
    for (std::size_t i = 0; i < trace.summary->by_kind.size(); ++i) {
        if (trace.summary->by_kind[i] > 0) {
            kinds.number(etl::format::name(etl::format::record_kind_of(i)),
                         trace.summary->by_kind[i]);
        }
    }
    json.raw("record_kinds", kinds.take());
    std::string rows;
    for (const ProviderRow& row : trace.providers) {
        JsonObject provider;
        provider.text("guid", row.guid);
        if (row.name.empty()) {
            provider.raw("name", "null");
        } else {
            provider.text("name", row.name);
        }
        provider.number("events", row.events);
        provider.number("payload_bytes", row.payload_bytes);
        if (trace.coverage != nullptr) {
            provider.raw("decoding", coverage_json(trace.coverage->providers().at(row.id)));
        }
        rows += (rows.empty() ? "" : ",") + provider.take();
    }
    json.raw("providers", "[" + rows + "]");
    if (!trace.enabled.empty()) {
        json.raw("enabled_providers", enabled_json(trace.enabled));
    }
    if (trace.coverage != nullptr) {
        json.raw("decoding", coverage_json(trace.coverage->total()));
    }
    if (trace.needs != nullptr) {
        json.raw("needs", needs_json(*trace.needs));
    }
    return json.take() + "\n";
}

} // namespace cli
