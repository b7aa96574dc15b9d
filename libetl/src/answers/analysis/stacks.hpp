// Trees of stacks: where samples, waits, disk I/O, and other events came from. Values.
// docs/flame.md
#pragma once

#include "analysis/table.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace etl::analysis {

/// What the frame of a tree is.
enum class FrameKind : std::uint8_t {
    user,    // code in user mode
    kernel,  // code in kernel mode
    managed, // a method of .NET or of a script
    process, // the owner of a stack, outermost; of traces of several machines: below the machine
    mark,    // something that is missing: `(no stack)`, `(truncated)`, `(smaller ones)`
    group,   // of functions, by patterns
};

struct StackFrame {
    std::string module;   // empty: unknown
    std::string function; // without its module, or as in `etl cpu --by function`
    FrameKind kind = FrameKind::user;
    std::string path{}; // of its image, with TableOptions::has_image_paths; empty: unknown

    bool operator==(const StackFrame&) const = default;
};

/// A frame with its callers. Its values do not contain those of the frames it called.
struct StackNode {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t parent = none; // caller; less than the own index
    std::uint32_t frame = 0;
    std::uint64_t weight = 0; // in the unit of the tree
    std::uint64_t count = 0;  // events
    std::uint64_t before = 0; // weight in the trace compared with
    std::uint64_t merged = 0; // `(smaller ones)`: nodes that it stands for
    std::uint64_t folded = 0; // of `weight`, that of frames that became part of it by patterns
};

/// The sum of the weights is the total of the table.
struct StackTree {
    Unit unit = Unit::count; // of weights: count, nanoseconds, bytes
    std::vector<StackFrame> frames;
    std::vector<StackNode> nodes; // in preorder, heaviest first

    std::uint64_t weight() const noexcept;
    std::uint64_t weight_before() const noexcept;
    std::uint64_t count() const noexcept;

    /// Makes a frame the outermost one of all stacks.
    void put_under(StackFrame outermost);

    /// Adds the tree of another trace.
    void add(const StackTree& other);

    /// Sets `before` to the weights of another trace, and adds its nodes.
    void compare_with(const StackTree& other);

    /// Replaces the smallest nodes by one `(smaller ones)` for each caller, so that at most `most`
    /// nodes remain (at least two). Sums do not change.
    void merge_smallest(std::size_t most);

    /// Replaces in the same way the nodes whose weight, with that of what they called, is below
    /// `least`, and those with `depth` callers or more; 0: no limit.
    void merge_below(std::uint64_t least, std::size_t depth);
};

/// Returns the weight of each node with that of the nodes below it, of both traces.
std::vector<std::uint64_t> totals_of(const StackTree& tree);

} // namespace etl::analysis
