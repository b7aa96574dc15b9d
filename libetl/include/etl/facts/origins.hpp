// Where events come from: the file, the machine and its boot. Of a merge that was tagged
// (docs/merge.md#sources) those that it was made of. docs/output.md#origin
//
//     OriginCollector collector; // one for each thread
//     reader.for_each_buffer(..., [&](..., Run events) { collector.add(events); });
//     const Origins origins({&reader.info()}, collector);
#pragma once

#include <etl/flow/source.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etl::facts {

struct Origin {
    std::uint32_t trace = 0; // number among all origins, from 1
    std::string file;        // as the input was named
    std::string machine;     // its name; empty: the trace does not tell it
    std::optional<Filetime> boot;
};

/// What events say of their origin. One thread each.
class OriginCollector {
public:
    /// The events of one buffer, in any order of buffers.
    void add(flow::Run events);

    /// Takes over what another thread found. The result does not depend on who saw which buffer.
    void combine(OriginCollector&& other);

private:
    friend class Origins;

    /// A file, and an input of the merge that it is: the LoggerId of buffers.
    struct Place {
        std::uint32_t file = 0;
        std::uint16_t logger = 0;

        constexpr auto operator<=>(const Place&) const = default;
    };

    struct Source {
        std::string file;
        std::optional<Filetime> boot;
    };

    struct Machine {
        std::uint64_t buffer = 0; // the first that tells it
        std::uint32_t offset = 0;
        std::string name;
    };

    void add_machine(const flow::Event& event);
    void add_source(const flow::Event& event);
    void add_machine(const Place& place, Machine machine);

    std::map<Place, Source> sources_;
    std::map<Place, Machine> machines_;
};

/// Immutable; any thread.
class Origins {
public:
    Origins() = default;

    /// Of traces, in their order.
    Origins(std::span<const flow::TraceInfo* const> traces, const OriginCollector& collected);

    /// Of an event of one of the traces; null: it is of none.
    const Origin* find(const flow::Event& event) const noexcept;

    std::size_t size() const noexcept { return all_.size(); }

    /// By Origin::trace - 1.
    const std::vector<Origin>& all() const noexcept { return all_; }

private:
    /// Of one file: all of it, or the inputs that it was merged of.
    struct File {
        std::uint32_t first = 0;            // in all_
        std::vector<std::uint16_t> loggers; // of the origins from there on, ascending; empty: one
    };

    std::vector<Origin> all_;
    std::map<std::uint32_t, File> files_; // by TraceInfo::file
};

} // namespace etl::facts
