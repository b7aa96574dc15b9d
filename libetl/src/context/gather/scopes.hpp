// Scopes: which traces, and which inputs of merged traces, are of one machine and boot. Facts of a
// scope apply to its events alone. docs/decisions/0034-scopes.md
#pragma once

#include "base/number_grid.hpp"
#include "facts/facts.hpp"
#include "facts/origins.hpp"
#include "flow/source.hpp"
#include "gather/schemas.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace etl::gather {

/// One machine and boot, as far as traces show.
struct Scope {
    std::vector<std::size_t> readers; // several: files of overlapping sessions, or of one session
    /// Of a merged trace of several scopes: its inputs, by their places in
    /// flow::TraceInfo::merged_inputs, from 1; 0: events of an unknown input. Otherwise empty: all
    /// events of the readers.
    std::vector<std::uint16_t> merged_inputs;
};

/// Scopes that are read together: one, or all of a merged trace.
struct ScopeGroup {
    std::vector<std::size_t> readers;
    std::vector<std::uint32_t> scopes;
};

class Scopes {
public:
    /// The readers have different numbers (flow::TraceInfo::file).
    explicit Scopes(Readers readers);

    /// Returns all scopes, by their numbers.
    const std::vector<Scope>& all() const noexcept { return all_; }

    /// In the order of their first readers.
    const std::vector<ScopeGroup>& groups() const noexcept { return groups_; }

    /// The number of the scope of a buffer in all(); facts::FactsByTrace::none: unknown.
    std::uint32_t of(const flow::TraceInfo& trace, std::uint16_t merged_input) const noexcept {
        return numbers_.at(trace.file, merged_input) - 1;
    }

    /// Assigns facts to traces and inputs; those of each scope must have its number.
    void apply_to(facts::FactsByTrace& facts) const;

    /// The machine and boot of each scope, as far as one of its traces records them; of an unknown
    /// input, none. `readers` are those of the constructor.
    std::vector<facts::Origin> origins(Readers readers, const facts::Origins& of) const;

    /// Reports merged traces whose machines and boots cannot be told apart, and traces of one boot
    /// whose times cannot be compared.
    void report(RemarkSink remarks) const;

private:
    void add_trace(std::size_t number, const flow::TraceInfo& trace, std::uint32_t scope);
    void add_merged(std::size_t number, const trace::Reader& reader);

    struct Setting {
        std::uint32_t trace = 0;
        std::uint16_t merged_input = 0;
        std::uint32_t scope = 0;
    };

    void set(const Setting& setting);

    std::vector<Scope> all_;
    std::vector<ScopeGroup> groups_;
    std::vector<std::size_t> group_of_; // by scope of whole traces
    NumberGrid numbers_;                // the number + 1
    std::vector<Setting> settings_;
    std::vector<std::string> inseparable_; // names of traces
    std::vector<std::string> too_many_;
    std::vector<std::pair<std::string, std::string>> of_other_clocks_;
};

/// Empty facts for each scope.
std::shared_ptr<const facts::FactsByTrace> no_facts(Readers readers);

/// The events of a group, in time order. The readers must outlive it.
class GroupEvents {
public:
    /// Errors: as merge::MergedSource::create.
    static Result<GroupEvents> open(Readers readers, const ScopeGroup& group);

    /// Returns the events. Valid as long as this object and the readers.
    flow::Source& source() noexcept { return *source_; }

    /// The header for what the events of a scope add up to: its times, its processors, its losses.
    /// `scope` is of the group.
    flow::TraceInfo trace_of(const Scope& scope) const;

private:
    GroupEvents() = default;

    std::shared_ptr<flow::Source> owned_; // null: a reader
    flow::Source* source_ = nullptr;
    flow::TraceInfo trace_;
};

} // namespace etl::gather
