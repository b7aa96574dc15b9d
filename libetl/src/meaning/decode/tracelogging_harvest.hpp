// Collects the schemas of TraceLogging events, each of which carries its own. One per thread;
// combine() joins them.
#pragma once

#include "decode/decoder.hpp"
#include "flow/source.hpp"
#include "schema/schema_set.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace etl::decode {

class TraceLoggingHarvest {
public:
    TraceLoggingHarvest() : decoder_(schema::SchemasByTrace()) {}

    /// Adds the events of one buffer. Events whose metadata is invalid are ignored.
    void add(flow::Run events);

    /// Takes over the results of another harvest.
    void combine(TraceLoggingHarvest&& other);

    /// Returns each schema once, by provider and name of the event, with the numbers of the event
    /// descriptor. At most limits::harvested_schemas.
    schema::SchemaSet take();

    /// Returns whether there were more schemas than the limit allows.
    bool omitted() const noexcept { return omitted_; }

private:
    /// Everything that distinguishes two schemas.
    struct Key {
        Guid provider;
        std::string event;
        std::tuple<std::uint16_t, std::uint8_t, std::uint8_t, std::uint8_t, std::uint16_t,
                   std::uint64_t>
            descriptor;
        std::string metadata;

        constexpr auto operator<=>(const Key&) const = default;
    };

    void add(const DecodedEvent& event);
    void thin();

    Decoder decoder_;
    std::uint32_t generation_ = 0;
    std::vector<bool> seen_; // by EventKind::number
    std::map<Key, std::shared_ptr<const schema::EventSchema>> schemas_;
    bool omitted_ = false;
};

} // namespace etl::decode
