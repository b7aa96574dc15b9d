#include "verbs/repair/report.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "repair/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cli {

namespace {

using etl::repair::Loss;
using etl::repair::Report;
using Time = std::optional<std::int64_t>;

/// Total losses of a processor, or of an unknown processor.
struct Sum {
    std::uint64_t losses = 0, buffers = 0, bytes = 0;
    Time after, before;
    bool from_beginning = false, to_end = false;

    void add(const Loss& loss) {
        ++losses;
        buffers += loss.buffers;
        bytes += loss.bytes;
        from_beginning = from_beginning || !loss.after;
        to_end = to_end || !loss.before;
        after = loss.after ? std::min(after.value_or(*loss.after), *loss.after) : after;
        before = loss.before ? std::max(before.value_or(*loss.before), *loss.before) : before;
    }

    std::string text(const Report& report) const {
        std::string what = plural(losses, "loss", "losses");
        if (buffers > 0) {
            what += ", " + plural(buffers, "buffer");
        }
        if (bytes > 0) {
            what += ", " + plural(bytes, "byte");
        }
        return fmt::format("{}; {}", what,
                           etl::repair::span_text(report.clock, from_beginning ? Time{} : after,
                                                  to_end ? Time{} : before));
    }
};

/// According to the header, or to flags of buffers.
bool is_of_session(const Loss& loss) noexcept {
    return loss.kind == Loss::Kind::reported_by_session;
}

/// Of an event log, which states neither processors nor where in time a loss is.
bool is_of_log(const Loss& loss) noexcept {
    return loss.kind == Loss::Kind::missing_records || loss.kind == Loss::Kind::damaged_record;
}

void append_sums(const Report& report, std::string& to) {
    std::map<std::optional<std::uint16_t>, Sum> sums;
    for (const Loss& loss : report.losses) {
        if (!is_of_session(loss) && !is_of_log(loss)) {
            sums[loss.processor].add(loss);
        }
    }
    to += sums.empty() ? "" : "losses by processor:\n";
    for (const auto& [processor, sum] : sums) {
        to += fmt::format("  {}: {}\n", etl::repair::processor_text(processor), sum.text(report));
    }
}

void append_losses(const Report& report, std::size_t most, std::string& to) {
    std::size_t shown = 0;
    for (const Loss& loss : report.losses) {
        if (shown++ == most) {
            break;
        }
        to += fmt::format("  {}\n", etl::repair::text_of(report, loss));
    }
    const std::uint64_t all = report.losses.size() + report.more_losses;
    const std::uint64_t listed = std::min<std::uint64_t>(most, report.losses.size());
    if (all > listed) {
        to += fmt::format("  and {} more\n", all - listed);
    }
}

std::string as_json(const Report& report, const Loss& loss) {
    JsonObject json;
    json.text("kind", etl::repair::name(loss.kind));
    const auto number = [&](std::string_view key, const auto& value) {
        if (value) {
            json.number(key, *value);
        } else {
            json.raw(key, "null");
        }
    };
    number("cpu", loss.processor);
    json.number("buffers", loss.buffers);
    json.number("events", loss.events);
    json.number("bytes", loss.bytes);
    number("sequence", loss.sequence);
    json.number("file_offset", loss.where.value);
    const auto time = [&](Time raw) {
        return raw ? std::optional(report.clock.to_filetime(*raw)) : std::nullopt;
    };
    json.time("after", time(loss.after));
    json.time("before", time(loss.before));
    return json.take();
}

/// What a summary says of an event log, which has no session.
std::string log_summary(const Report& report) {
    if (report.events_lost > 0) { // according to a conversion
        return fmt::format("the event log lacks {}{}", report.are_losses_known ? "" : "at least ",
                           plural(report.events_lost, "record"));
    }
    return report.are_losses_known ? "" : "what the event log lost is unknown (it was not closed)";
}

/// What a summary says of the losses of the session; empty if it is known that there were none.
std::string session_summary(const Report& report) {
    if (report.is_of_event_log) {
        return log_summary(report);
    }
    if (report.events_lost + report.buffers_lost > 0) {
        return etl::repair::lost_by_session(report.events_lost, report.buffers_lost,
                                            report.are_losses_known);
    }
    if (std::ranges::any_of(report.losses, is_of_session)) {
        return "the session lost events, which were not counted";
    }
    if (report.are_losses_known) {
        return "";
    }
    return "what the session itself lost is unknown (the trace does not state it)";
}

/// Null where it is unknown.
void count_or_null(JsonObject& json, std::string_view key, std::uint64_t count, bool is_known) {
    is_known ? json.number(key, count) : json.raw(key, "null");
}

} // namespace

std::string summary_text(const Report& report) {
    const std::string by_session = session_summary(report);
    const std::string found = report.has_losses     ? "some data was lost"
                              : !report.is_complete ? "the file was damaged, but no loss was found"
                              : !report.are_losses_known ? "no damage"
                              : !by_session.empty()      ? "nothing else was lost"
                                                         : "nothing was lost";
    return found + (by_session.empty() ? "" : "; " + by_session);
}

std::string as_text(const Report& report, const RepairNames& names, std::size_t most) {
    std::string text = fmt::format("{}: recovered {} in {}; {}\n", printable(names.output),
                                   plural(report.records, "event"),
                                   plural(report.buffers, "buffer"), summary_text(report));
    if (!report.losses.empty()) {
        append_sums(report, text);
        text += is_of_log(report.losses.front()) ? "losses:\n" : "losses by time:\n";
        append_losses(report, most, text);
    }
    if (!report.corrections.empty()) {
        text += "corrections:\n";
        for (const std::string& line : report.corrections) {
            text += fmt::format("  {}\n", printable(line));
        }
    }
    return text;
}

std::string as_json(const Report& report, const RepairNames& names) {
    JsonObject json;
    json.text("file", names.input);
    json.text("output", names.output);
    json.number("events", report.records);
    json.number("buffers", report.buffers);
    json.boolean("complete", report.is_complete);
    const bool are_known = report.are_losses_known && !report.is_of_event_log;
    count_or_null(json, "events_lost", report.events_lost, are_known);
    count_or_null(json, "buffers_lost", report.buffers_lost, are_known);
    json.time("end_time", etl::Filetime{report.end_time});
    JsonList corrections;
    for (const std::string& line : report.corrections) {
        corrections.text(line);
    }
    json.raw("corrections", corrections.take());
    JsonList losses;
    for (const Loss& loss : report.losses) {
        losses.raw(as_json(report, loss));
    }
    json.raw("losses", losses.take());
    json.number("more_losses", report.more_losses);
    return json.take() + "\n";
}

} // namespace cli
