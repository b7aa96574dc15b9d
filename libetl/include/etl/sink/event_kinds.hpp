// Which events there are, before they are written: for tables with a column for each field, and for
// a table for each kind of event. A pass of its own over the trace. docs/output.md#csv
//
//     EventKinds kinds(options);
//     flow::run(source, *kinds.encoder(), kinds.output(), {.skip = ..., .limit = ...});
//     for (const EventKind& kind : kinds.list()) { ... }
#pragma once

#include <etl/base/output.hpp>
#include <etl/flow/sink.hpp>
#include <etl/sink/options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace etl::sink {

/// Events that share provider, ID, version and name.
struct EventKind {
    std::string key;      // of CsvTable
    std::string provider; // best known name, else the GUID
    std::string provider_guid;
    std::string event; // best known name; empty: none
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint64_t events = 0;
    std::vector<std::string> fields; // top-level, as column_of_field(), those of all layouts
};

/// CsvTable::key of an event.
std::string key_of_kind(const decode::DecodedEvent& event);

/// Counts the events that the options let through. One thread, but for the encoder and its clones.
class EventKinds {
public:
    explicit EventKinds(const Options& options);
    ~EventKinds();
    EventKinds(const EventKinds&) = delete;
    EventKinds& operator=(const EventKinds&) = delete;

    /// What it appends is for output() alone. Lives as long as this.
    const flow::Encoder& encoder() const noexcept;
    Output& output() noexcept;

    /// In the order of their first events.
    std::vector<EventKind> list() const;

private:
    struct State;

    std::unique_ptr<State> state_;
};

/// Their fields, each once, in that order.
std::vector<std::string> fields_of(const std::vector<EventKind>& kinds);

} // namespace etl::sink
