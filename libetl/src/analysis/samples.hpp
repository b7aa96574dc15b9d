// Samples and their weights. Private to analysis. docs/analysis.md#cpu
#pragma once

#include <etl/analysis/analyzer.hpp>
#include <etl/analysis/frames.hpp>

#include "analysis/sampled_stacks.hpp"

#include <optional>

namespace etl::analysis {

class Samples {
public:
    static constexpr std::uint32_t sample_tag = 200, interval_tag = 201;

    enum Field : unsigned { address, thread_id, count, reserved };

    static void ask(Wishes& wishes) {
        wishes.hook(0x0F2E, sample_tag, {"InstructionPointer", "ThreadId", "Count", "Reserved"});
        for (std::uint16_t hook = 0x0F48; hook <= 0x0F4A; ++hook) {
            wishes.hook(hook, interval_tag, {"Source", "NewInterval"}, Use::context);
        }
    }

    static bool takes(std::uint32_t tag) noexcept {
        return tag == sample_tag || tag == interval_tag;
    }

    /// Takes a record of one of the tags. Returns whether it is a sample in range.
    bool take(const Record& record) noexcept {
        if (record.tag == interval_tag) {
            set_interval(record);
            return false;
        }
        has_samples_ = true;
        return record.in_range;
    }

    /// Whether there was a sample, in range or not.
    bool has_samples() const noexcept { return has_samples_; }

    /// Returns the sampling interval in nanoseconds.
    std::uint64_t interval_ns() const noexcept {
        constexpr std::uint64_t unit = 100;
        return interval_ * unit;
    }

    /// Returns the weight of a sample in nanoseconds.
    std::uint64_t weight(const Record& record) const noexcept {
        return record.number(count) * interval_ns();
    }

    /// Returns the special owner of a sample in a DPC or an ISR, otherwise Owners::unknown.
    static OwnerRef interrupt_of(const Record& record) noexcept {
        const std::uint64_t flags = record.number(reserved);
        return (flags & 2U) != 0 ? Owners::isr : (flags & 1U) != 0 ? Owners::dpc : Owners::unknown;
    }

    /// Whose a sample is.
    struct Source {
        OwnerRef owner = Owners::unknown;     // the process of the thread
        OwnerRef interrupt = Owners::unknown; // as interrupt_of()
        StackReader::Place place{};

        bool is_interrupt() const noexcept { return interrupt != Owners::unknown; }
    };

    /// Returns nothing if no program ran, or one that is not selected.
    static std::optional<Source> source_of(const Record& record, Owners& owners) {
        const std::uint32_t thread = record.number32(thread_id);
        Source source{.interrupt = interrupt_of(record)};
        if (thread == 0 && !source.is_interrupt()) {
            return std::nullopt; // Idle
        }
        source.owner = owners.of_thread_id(thread, record.time);
        const Owner& owner = owners[source.owner];
        if (owners.is_selective() && !owner.is_selected) {
            return std::nullopt;
        }
        const std::uint32_t process = owner.pid.value_or(0);
        source.place = {.process = process,
                        .thread = thread,
                        .time = record.time,
                        .sampled = record.number(address),
                        .has_user_mode = !source.is_interrupt() && process > system_process};
        return source;
    }

private:
    void set_interval(const Record& record) noexcept {
        constexpr unsigned source = 0, new_interval = 1;
        if (record.has(source) && record.number(source) == 0 && record.number(new_interval) != 0) {
            interval_ = record.number(new_interval);
        }
    }

    bool has_samples_ = false;
    std::uint64_t interval_ = 10'000; // 100 ns units
};

inline constexpr std::string_view record_samples = "xperf -on PROFILE, or wpr -start CPU";
inline constexpr std::string_view record_switches = "xperf -on CSWITCH, or wpr -start CPU";
inline constexpr std::string_view record_readies = "xperf -on DISPATCHER, or wpr -start CPU";

} // namespace etl::analysis
