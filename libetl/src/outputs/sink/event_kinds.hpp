// Collects the kinds of events in a separate pass, before they are written: for tables with a
// column per field, and for one table per kind of event. docs/output.md#csv
//
//     EventKinds kinds(options);
//     flow::run(source, *kinds.encoder(), kinds.output(), {.skip = ..., .limit = ...});
//     for (const EventKind& kind : kinds.list()) { ... }
#pragma once

#include "base/output.hpp"
#include "flow/sink.hpp"
#include "sink/options.hpp"

#include <memory>
#include <string>
#include <vector>

namespace etl::sink {

/// Events with the same provider, ID, version, and name.
struct EventKind {
    std::string key;      // key of CsvTable
    std::string provider; // best known name, or the GUID
    std::string provider_guid;
    std::string event; // best known name; empty: none
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::uint64_t events = 0;
    std::vector<std::string>
        fields; // top-level fields of all layouts, named as by column_of_field()
};

/// Returns the CsvTable::key of an event.
std::string key_of_kind(const decode::DecodedEvent& event);

/// Counts the events that the options select. Not thread-safe, except for the encoder and its
/// clones.
class EventKinds {
public:
    explicit EventKinds(const Options& options);
    ~EventKinds();
    EventKinds(const EventKinds&) = delete;
    EventKinds& operator=(const EventKinds&) = delete;

    /// Returns an encoder whose output is only for output(). Valid as long as this object.
    const flow::Encoder& encoder() const noexcept;
    Output& output() noexcept;

    /// Returns the kinds in the order of their first events.
    std::vector<EventKind> list() const;

private:
    struct State;

    std::unique_ptr<State> state_;
};

/// Returns their fields, without duplicates, in that order.
std::vector<std::string> fields_of(const std::vector<EventKind>& kinds);

} // namespace etl::sink
