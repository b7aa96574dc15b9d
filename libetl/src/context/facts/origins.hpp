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
};

/// Collects the names of machines from events. Not thread-safe; use one per thread.
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

    void add_machine(const flow::Event& event);
    void add_machine(const Place& place, Machine machine);

    std::map<Place, Machine> machines_;
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
