// Samples of hardware counters, and what they weigh. Private to analysis.
// docs/analysis.md#counters
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/samples.hpp"
#include "format/records.hpp"

#include <map>
#include <optional>
#include <string>

namespace etl::analysis {

inline constexpr std::string_view record_counters = "xperf -on PMC_PROFILE -pmcprofile CacheMisses";

class CounterSamples {
public:
    static constexpr std::uint32_t sample_tag = 210, interval_tag = 211, switch_tag = 212;

    /// `source`: number or name of the only source that counts; empty: all.
    explicit CounterSamples(std::string_view source = {}) : wanted_(source) {}

    void start(const Context& context) { context_ = &context; }

    /// The fields that samples of time have, too, have the numbers of those: Samples::Field.
    enum Field : unsigned { source_field = 2 };

    static void subscribe(Subscriptions& subscriptions) {
        subscriptions.hook(0x0F2F, sample_tag,
                           {"InstructionPointer", "ThreadId", "ProfileSource", "Reserved"});
        for (std::uint16_t hook = 0x0F48; hook <= 0x0F4A; ++hook) {
            subscriptions.hook(hook, interval_tag, {"Source", "NewInterval"}, Use::context);
        }
    }

    /// Asks for context switches as well.
    static void ask_switches(Subscriptions& subscriptions) {
        subscriptions.hook(0x0524, switch_tag, {}, Use::context);
    }

    static bool takes(std::uint32_t tag) noexcept { return tag >= sample_tag && tag <= switch_tag; }

    /// Takes a record of one of the tags. Returns whether it is a sample in range that counts.
    bool take(const Record& record) {
        if (record.tag == interval_tag) {
            set_interval(record);
            return false;
        }
        if (record.tag == switch_tag) {
            switches_ += record.in_range && has_counters(*record.event) ? 1U : 0U;
            return false;
        }
        const Source& source = of(source_of(record));
        has_samples_ = has_samples_ || source.is_wanted;
        return source.is_wanted && record.in_range;
    }

    /// Returns the number of the source of a sample.
    static std::uint32_t source_of(const Record& record) noexcept {
        return record.number32(source_field);
    }

    /// Returns the process, thread, and address of a sample; nothing if no program ran, or one that
    /// is not selected.
    std::optional<Samples::Source> place_of(const Record& record) {
        const bool is_idle = record.number32(Samples::thread_id) == 0 &&
                             Samples::interrupt_of(record) == Owners::unknown;
        idle_ += is_idle ? 1U : 0U;
        return Samples::source_of(record, *context_->owners);
    }

    /// Returns the events that a sample stands for; nothing: no event states its interval.
    std::optional<std::uint64_t> weight(const Record& record) {
        return of(source_of(record)).interval;
    }

    /// Whether any event states the interval of a source.
    bool has_interval(std::uint32_t source) const {
        return context_->facts->first_sampling_interval(source).has_value();
    }

    /// Returns the name of a source as the trace records it; else its number, with the name that
    /// Windows has for it, `10 (CacheMisses)`.
    std::string name(std::uint32_t source) const { return counter_name(*context_->facts, source); }

    /// In finish(): adds that there are no samples, for columns of the table.
    void report(Table& table, std::vector<std::string_view> columns) const {
        if (!has_samples_) {
            set_missing(table,
                        wanted_.empty() ? "samples of hardware counters" : "samples of this source",
                        std::move(columns), record_counters);
        }
        table.coverage.remainders.push_back({"idle_samples", idle_});
        table.coverage.remainders.push_back({"switches_with_counters", switches_});
    }

    static std::string counter_name(const facts::Facts& facts, std::uint32_t source);

private:
    struct Source {
        /// Of the latest event that sets or states it; before those, of the first.
        std::optional<std::uint64_t> interval;
        bool is_wanted = true;
    };

    Source& of(std::uint32_t number) {
        if (number == last_number_ && last_ != nullptr) [[likely]] {
            return *last_;
        }
        const auto [known, is_new] = sources_.try_emplace(number);
        if (is_new) {
            known->second.interval = context_->facts->first_sampling_interval(number);
            known->second.is_wanted =
                wanted_.empty() || is_source(*context_->facts, number, wanted_);
        }
        last_number_ = number;
        last_ = &known->second;
        return *last_;
    }

    static bool is_source(const facts::Facts& facts, std::uint32_t number, std::string_view word);

    void set_interval(const Record& record) {
        constexpr unsigned source = 0, new_interval = 1;
        if (record.has(source) && record.number(new_interval) != 0 &&
            record.number(source) <= max_source) {
            of(record.number32(source)).interval = record.number(new_interval);
        }
    }

    static bool has_counters(const flow::Event& event) noexcept {
        return format::has_hook(event.kind) &&
               (flow::stored<format::perfinfo_record::version>(event) &
                format::counter_count_mask) != 0;
    }

    static constexpr std::uint64_t max_source = 0xFFFF; // ProfileSource of samples has 16 bits

    const Context* context_ = nullptr;
    std::string wanted_;
    std::map<std::uint32_t, Source> sources_;
    Source* last_ = nullptr; // of the latest sample
    std::uint32_t last_number_ = 0;
    bool has_samples_ = false;
    std::uint64_t idle_ = 0, switches_ = 0;
};

} // namespace etl::analysis
