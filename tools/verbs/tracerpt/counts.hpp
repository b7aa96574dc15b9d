// The kinds of events that a run of tracerpt met.
#pragma once

#include <etl/decode/tracelogging_harvest.hpp>
#include <etl/schema/schema_set.hpp>
#include <etl/sink/options.hpp>
#include <etl/sink/tracerpt_csv.hpp>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace cli {

class EventCounts {
public:
    using ByName = std::map<etl::sink::TracerptName, std::uint64_t>;

    /// `collects_schemas`: for schemas().
    EventCounts(const etl::sink::Options& options, bool collects_schemas);

    /// Call for each event, on one thread.
    void add(const etl::flow::Event& event);

    const ByName& by_name() const noexcept { return by_name_; }

    std::uint64_t events() const noexcept { return events_; }

    /// Times of the first and the last event.
    const std::optional<std::pair<etl::Filetime, etl::Filetime>>& times() const noexcept {
        return times_;
    }

    /// The schemas of the events, each once.
    etl::schema::SchemaSet schemas();

private:
    void see(const etl::decode::DecodedEvent& decoded);

    etl::decode::Decoder decoder_;
    bool collects_schemas_;
    std::uint64_t events_ = 0;
    ByName by_name_;
    std::uint32_t generation_ = 0;
    std::vector<std::uint64_t*> by_kind_; // counts in by_name_, by number of the kind
    std::optional<std::pair<etl::Filetime, etl::Filetime>> times_;
    etl::schema::SchemaSet schemas_;
    etl::decode::TraceLoggingHarvest self_describing_;
    std::set<const etl::schema::EventSchema*> known_;
};

} // namespace cli
