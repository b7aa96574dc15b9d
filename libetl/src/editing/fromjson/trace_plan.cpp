#include "fromjson/trace_plan.hpp"

#include "base/byte_writer.hpp"

#include <algorithm>

namespace etl::fromjson {

namespace {

// Header buffers are small: what a session puts behind the log file header are a few records.
constexpr std::size_t most_extra_bytes = 64U << 10U;

// A dump says all of an event. Where clocks run oddly its header is not its first line.
bool is_dumped(const EventLine& line) noexcept {
    return line.buffer || (line.channel && line.opcode && line.task && line.keyword);
}

} // namespace

void TracePlanner::inspect(std::string_view text, std::uint64_t number) {
    const auto read = reader_->read(text);
    if (!read) {
        return;
    }
    const EventLine& line = **read;
    if (is_logfile_header(line)) {
        if (plan_.has_header) {
            return; // only the first counts
        }
        if (auto recording = recording_of(line, *reader_, prefer_)) {
            plan_.raw_times = line.raw_time ? RawTimes::own : RawTimes::foreign;
            plan_.recording = *std::move(recording);
            plan_.has_header = true;
            plan_.used.insert(number);
        }
        return;
    }
    has_events_ = true;
    const auto time = line.time ? etl::parse_rfc3339(*line.time) : std::nullopt;
    if (time && (!earliest_ || *time < *earliest_)) {
        earliest_ = time;
    } else if (!line.time && line.raw_time && *line.raw_time >= etl::Filetime::unix_epoch) {
        earliest_stored_ = std::min(earliest_stored_.value_or(etl::Filetime{*line.raw_time}),
                                    etl::Filetime{*line.raw_time});
    }
    if (line.buffer == 0U) {
        keep_extra(text, number);
    } else {
        const bool has_time = earliest_ || earliest_stored_;
        wants_more_ = !plan_.has_header && (is_dumped(line) || ++written_by_hand_ < 2 || !has_time);
    }
}

void TracePlanner::keep_extra(std::string_view text, std::uint64_t number) {
    if (extra_bytes_ + text.size() <= most_extra_bytes) {
        extra_bytes_ += text.size();
        extras_.push_back({std::string(text), number});
    }
}

TracePlan TracePlanner::take(LineRecords& records) {
    if (!plan_.recording) {
        // Of records without times, nothing says when they were recorded.
        const etl::Filetime unknown = has_events_ ? etl::Filetime{} : etl::trace::now();
        plan_.recording = etl::trace::begin_recording(
            earliest_ ? *earliest_ : earliest_stored_.value_or(unknown), 0);
        return std::move(plan_);
    }
    records.set_trace(*plan_.recording, plan_.raw_times);
    etl::ByteWriter extras;
    for (Extra& extra : extras_) {
        extra.text.resize(extra.text.size() + EventLineReader::padding);
        const auto read = reader_->read(
            std::string_view(extra.text).substr(0, extra.text.size() - EventLineReader::padding));
        const auto record = read ? records.make(**read) : std::unexpected(read.error());
        if (record) {
            extras.align(8).bytes(*record);
            plan_.used.insert(extra.number);
        }
    }
    plan_.recording->extra_records = extras.align(8).take();
    return std::move(plan_);
}

} // namespace etl::fromjson
