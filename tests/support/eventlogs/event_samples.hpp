// Events with values that their owner keeps alive, and logs in memory. Used by the tests of evtx.
#pragma once

#include <etl/byte_writer.hpp>

#include "evtx/writer.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace etl::test {

/// An event whose fields are added one by one. The values of a copy would be those of the original.
class SampleEvent {
public:
    SampleEvent(SampleEvent&&) noexcept = default;
    SampleEvent& operator=(SampleEvent&&) noexcept = default;

    SampleEvent() {
        event_.provider = "Made-Up-Provider";
        event_.provider_guid = parse_guid("5a1b0a11-0b0c-4d0e-8f10-112233445566");
        event_.id = 7;
        event_.version = 1;
        event_.level = 4;
        event_.time = Filetime{133000000000000000};
        event_.process_id = 4;
        event_.thread_id = 8;
        event_.channel = "Made-Up/Operational";
        event_.computer = "machine.example";
        event_.payload = evtx::PayloadKind::event_data;
    }

    evtx::Event& event() {
        event_.fields = fields_;
        return event_;
    }

    evtx::Field& field(std::size_t number) { return fields_.at(number); }

    SampleEvent& add(std::string name, evtx::Value value, unsigned depth = 0) {
        fields_.push_back({std::move(name), depth, false, value});
        return *this;
    }

    SampleEvent& structure(std::string name, unsigned depth = 0) {
        fields_.push_back({std::move(name), depth, true, {}});
        return *this;
    }

    SampleEvent& text(std::string name, std::u16string_view text, unsigned depth = 0) {
        return add(std::move(name),
                   {evtx::ValueType::string, false, keep(ByteWriter().text16(text))}, depth);
    }

    template <typename T>
    SampleEvent& number(std::string name, evtx::ValueType type, T value) {
        return add(std::move(name), {type, false, keep(ByteWriter().value(value))});
    }

    SampleEvent& array(std::string name, evtx::ValueType type, ByteWriter data) {
        return add(std::move(name), {type, true, keep(std::move(data))});
    }

    SampleEvent& bytes(std::string name, evtx::ValueType type, ByteWriter data) {
        return add(std::move(name), {type, false, keep(std::move(data))});
    }

private:
    Bytes keep(ByteWriter& data) { return kept_.emplace_back(data.take()); }

    Bytes keep(ByteWriter&& data) { return kept_.emplace_back(data.take()); }

    evtx::Event event_;
    std::vector<evtx::Field> fields_;
    std::deque<std::vector<std::byte>> kept_; // does not move its elements
};

/// A log in memory.
class SampleLog {
public:
    explicit SampleLog(const evtx::WriterOptions& options = {}) : writer_(output_, options) {}

    Result<void> add(const evtx::Event& event) { return writer_.add(event); }

    /// Completes the log.
    std::vector<std::byte> finish() {
        const auto head = writer_.finish();
        if (!head) {
            throw std::logic_error("event log");
        }
        const Bytes file = std::as_bytes(std::span(output_.text()));
        std::vector<std::byte> bytes(file.begin(), file.end());
        std::ranges::copy(*head, bytes.begin());
        return bytes;
    }

    const evtx::WriterCounts& counts() const { return writer_.counts(); }

private:
    StringOutput output_;
    evtx::Writer writer_;
};

/// "name=text" of each field; members of structures indented.
inline std::vector<std::string> lines_of(const evtx::Event& event) {
    std::vector<std::string> lines;
    for (const evtx::Field& field : event.fields) {
        std::string line(field.depth, ' ');
        line += field.name;
        line += field.is_structure ? "{" : "=";
        evtx::append_text(line, field.value);
        lines.push_back(std::move(line));
    }
    return lines;
}

/// What a reader makes of a log.
struct ReadLog {
    std::vector<std::uint64_t> ids;
    std::vector<std::vector<std::string>> fields;
    std::vector<Error> errors; // of records
    std::vector<Diagnostic> findings;
    evtx::ReaderCounts counts;
};

inline ReadLog read_log(Bytes file) {
    DiagnosticList findings;
    auto reader = evtx::Reader::open(file, {.diagnostics = &findings});
    if (!reader) {
        throw std::logic_error(describe(reader.error()));
    }
    ReadLog log;
    evtx::EventReader events;
    evtx::Record record;
    while (reader->next(record)) {
        const auto event = events.read(record);
        log.ids.push_back(record.id);
        if (event) {
            log.fields.push_back(lines_of(**event));
        } else {
            log.errors.push_back(event.error());
        }
    }
    log.findings = findings.list();
    log.counts = reader->counts();
    return log;
}

} // namespace etl::test
