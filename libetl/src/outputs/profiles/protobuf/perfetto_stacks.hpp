// Samples of a Perfetto trace, with interned stacks. Private to profiles.
#pragma once

#include "analysis/activity.hpp"
#include "profiles/protobuf/perfetto_packets.hpp"

#include <optional>
#include <vector>

namespace etl::profiles {

/// Frames, stacks, and what they refer to are described in the packet that first uses them.
class PerfettoStacks {
public:
    /// Writes a sequence of its own.
    PerfettoStacks(Packets& to, std::uint32_t sequence) : to_(&to), sequence_(sequence) {}

    void start(const analysis::ActivityContext& context) { context_ = context; }

    void add(const analysis::ThreadSample& sample, std::optional<std::uint32_t> process,
             std::optional<std::uint32_t> thread);

    /// All of one source.
    void add(const analysis::CounterSample& sample, std::optional<std::uint32_t> process,
             std::optional<std::uint32_t> thread);

    std::uint64_t dropped() const noexcept { return stacks_.dropped(); }

private:
    /// What a sample of either kind is.
    struct Sample {
        std::int64_t time = 0; // raw
        std::uint16_t processor = 0;
        std::uint64_t weight = 0;
        const analysis::Stack* stack = nullptr;
        std::optional<std::uint32_t> process, thread;
    };

    void begin(std::string_view timebase);
    void add(const Sample& sample);
    void describe(analysis::StackRef stack);
    void describe_frame(analysis::FrameRef frame);
    void describe_image(analysis::ImageRef image);
    static bool is_new(std::vector<bool>& seen, std::size_t index);

    Packets* to_;
    analysis::ActivityContext context_;
    analysis::StackTable stacks_;
    std::vector<bool> seen_stacks_, seen_frames_, seen_functions_, seen_images_;
    std::uint32_t sequence_;
    std::vector<std::uint64_t> totals_; // of weights, by processor
    bool has_begun_ = false;
    std::string interned_, message_, packet_, name_;
};

} // namespace etl::profiles
