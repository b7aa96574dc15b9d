// Origins of events: file, machine, and boot. For a tagged merge (docs/merge.md#sources), those of
// its inputs. docs/output.md#origin
//
//     OriginCollector collector; // one for each thread
//     reader.for_each_buffer(..., [&](..., Run events) { collector.add(events); });
//     const Origins origins({&reader.info()}, collector);
#pragma once

#include "flow/source.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etl::facts {

struct Origin {
    std::uint32_t trace = 0; // number of the origin, from 1
    std::string file;        // input name
    std::string machine;     // machine name; empty: not recorded
    std::optional<Filetime> boot;
    std::uint32_t build = 0; // of Windows; 0: unknown. docs/schemas.md#builds
};

/// Collects the names of machines, and builds of Windows, from events. Not thread-safe; use one per
/// thread.
class OriginCollector {
public:
    /// Adds the events of one buffer; buffers may come in any order.
    void add(flow::Run events);

    /// Takes over the results of another collector. The result does not depend on how buffers are
    /// distributed.
    void combine(OriginCollector&& other);

private:
    friend class Origins;

    /// A file and, for a merge, one of its inputs: flow::BufferContext::merged_input.
    struct Place {
        std::uint32_t file = 0;
        std::uint16_t merged_input = 0;

        constexpr auto operator<=>(const Place&) const = default;
    };

    struct Machine {
        std::uint64_t buffer = 0; // first buffer that contains the name
        std::uint32_t offset = 0;
        std::string name;
    };

    /// A build that an event states. The least one counts, by members.
    struct Build {
        unsigned source = 0;      // the most certain kind of event first
        std::uint64_t buffer = 0; // first buffer that contains it
        std::uint32_t offset = 0;
        std::uint32_t number = 0;

        constexpr auto operator<=>(const Build&) const = default;
    };

    void add_machine(const flow::Event& event);
    void add_machine(const Place& place, Machine machine);
    void add_build(const flow::Event& event);
    void add_build(const Place& place, const Build& build);

    std::map<Place, Machine> machines_;
    std::map<Place, Build> builds_;
};

/// Immutable; thread-safe.
class Origins {
public:
    Origins() = default;

    /// Creates the origins of traces, in their order.
    Origins(std::span<const flow::TraceInfo* const> traces, const OriginCollector& collected);

    /// Returns the origin of an event; null if it belongs to none of the traces.
    const Origin* find(const flow::Event& event) const noexcept;

    std::size_t size() const noexcept { return all_.size(); }

    /// Returns the origins of a file: one, or those of the inputs of a merge, in their order.
    /// Empty: none of the traces.
    std::span<const Origin> of_file(std::uint32_t file) const noexcept;

    /// Returns all origins, indexed by Origin::trace - 1.
    const std::vector<Origin>& all() const noexcept { return all_; }

private:
    /// The origins of one file: the file itself, or the inputs of the merge
    /// (flow::TraceInfo::merged_inputs).
    struct File {
        std::uint32_t first = 0;  // index in all_
        std::uint16_t inputs = 0; // of a merge, each an origin; 0: one origin
    };

    std::vector<Origin> all_;
    std::map<std::uint32_t, File> files_; // by TraceInfo::file
};

} // namespace etl::facts
