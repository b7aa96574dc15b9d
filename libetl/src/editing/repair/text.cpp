#include "repair/text.hpp"

#include <etl/time.hpp>

#include "base/text.hpp"

#include <fmt/format.h>

namespace etl::repair {

namespace {

std::string time_text(const flow::Clock& clock, std::optional<std::int64_t> raw, const char* none) {
    std::string text;
    if (raw) {
        append_rfc3339(text, clock.to_filetime(*raw));
    }
    return raw ? text : none;
}

std::string describe(const Loss& loss) {
    switch (loss.kind) {
    case Loss::Kind::missing_buffers:
        return plural(loss.buffers, "missing buffer");
    case Loss::Kind::damaged_buffer:
        if (loss.bytes == 0) {
            return fmt::format("buffer {} at 0x{:x}: checksum mismatch", loss.sequence.value_or(0),
                               loss.where.value);
        }
        return loss.sequence ? fmt::format("buffer {} at 0x{:x}: {} damaged", *loss.sequence,
                                           loss.where.value, plural(loss.bytes, "byte"))
                             : fmt::format("0x{:x}: {} not part of a buffer", loss.where.value,
                                           plural(loss.bytes, "byte"));
    case Loss::Kind::truncated_buffer:
        return fmt::format("buffer {} at 0x{:x}: {} truncated", loss.sequence.value_or(0),
                           loss.where.value, plural(loss.bytes, "byte"));
    case Loss::Kind::missing_records:
        return fmt::format("0x{:x}: {}", loss.where.value, plural(loss.events, "missing record"));
    case Loss::Kind::damaged_record:
        return fmt::format("0x{:x}: {} damaged", loss.where.value, plural(loss.bytes, "byte"));
    case Loss::Kind::reported_by_session:
        break;
    }
    return fmt::format("the session lost events before buffer {} at 0x{:x} was flushed",
                       loss.sequence.value_or(0), loss.where.value);
}

} // namespace

std::string lost_by_session(std::uint64_t events, std::uint64_t buffers, bool is_all) {
    std::string what = events > 0 || buffers == 0 ? plural(events, "event") : "";
    if (buffers > 0) {
        what += (what.empty() ? "" : " and ") + plural(buffers, "buffer");
    }
    return fmt::format("the session lost {}{}", is_all ? "" : "at least ", what);
}

std::string span_text(const flow::Clock& clock, std::optional<std::int64_t> after,
                      std::optional<std::int64_t> before) {
    return fmt::format("{} to {}", time_text(clock, after, "start"),
                       time_text(clock, before, "end"));
}

std::string processor_text(std::optional<std::uint16_t> processor) {
    return processor ? fmt::format("processor {}", *processor) : "unknown processor";
}

std::string text_of(const Report& report, const Loss& loss) {
    using enum Loss::Kind;
    if (loss.kind == reported_by_session && !loss.sequence) {
        return lost_by_session(loss.events, loss.buffers, report.are_losses_known);
    }
    if (loss.kind == missing_records || loss.kind == damaged_record) {
        return describe(loss); // an event log states neither processors nor times
    }
    return fmt::format("{}  {}: {}", span_text(report.clock, loss.after, loss.before),
                       processor_text(loss.processor), describe(loss));
}

} // namespace etl::repair
