// Samples of a Perfetto trace, with interned stacks. Private to profiles.
#pragma once

#include <etl/analysis/activity.hpp>

#include "profiles/protobuf/perfetto_packets.hpp"

#include <optional>
#include <vector>

namespace etl::profiles {

/// Frames, stacks, and what they refer to are described in the packet that first uses them.
class PerfettoStacks {
public:
    explicit PerfettoStacks(Packets& to) : to_(&to) {}

    void start(const analysis::ActivityContext& context) { context_ = context; }

    void add(const analysis::ThreadSample& sample, std::optional<std::uint32_t> process,
             std::optional<std::uint32_t> thread);

    std::uint64_t dropped() const noexcept { return stacks_.dropped(); }

private:
    void begin(std::uint64_t interval_ns);
    void describe(analysis::StackRef stack);
    void describe_frame(analysis::FrameRef frame);
    void describe_image(analysis::ImageRef image);
    static bool is_new(std::vector<bool>& seen, std::size_t index);

    Packets* to_;
    analysis::ActivityContext context_;
    analysis::StackTable stacks_;
    std::vector<bool> seen_stacks_, seen_frames_, seen_functions_, seen_images_;
    std::vector<std::uint64_t> totals_; // nanoseconds by processor
    bool has_begun_ = false;
    std::string interned_, message_, packet_, name_;
};

} // namespace etl::profiles
