// Makes trees of stacks in bounded memory. Private to analysis.
#pragma once

#include "analysis/frames.hpp"
#include "analysis/groups.hpp"
#include "analysis/limits.hpp"
#include "analysis/stacks.hpp"
#include "analysis/tables.hpp"

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

class StackTreeBuilder {
public:
    explicit StackTreeBuilder(StackTree tree = {});

    /// Returns the index of a frame. Names beyond limits::analysis_frame_bytes are cut.
    std::uint32_t frame(std::string_view module, std::string_view function, FrameKind kind,
                        std::string_view path = {});

    /// Returns the node of a frame that a node called; StackNode::none: the root.
    std::uint32_t child(std::uint32_t parent, std::uint32_t frame);

    StackNode& node(std::uint32_t index) noexcept { return tree_.nodes[index]; }

    /// Makes space if the limits are reached. Returns whether indices have changed. Call between
    /// stacks.
    bool make_space();

    /// Returns the tree, without unused frames.
    StackTree take();

private:
    void index();

    StackTree tree_;
    std::unordered_map<std::uint64_t, std::uint32_t> children_; // by parent and frame
    std::unordered_map<std::string, std::uint32_t> frames_;     // by all that they have
    std::size_t bytes_ = 0;                                     // of texts
};

/// Converts the weights from ticks, so that their sum is the converted sum.
void convert_ticks(StackTree& tree, std::int64_t frequency);

// The stacks of the events of a table, as a tree and as rows by process.
// docs/flame.md#stacks

class StackSums {
public:
    explicit StackSums(const TableOptions& options)
        : has_process_ids_(options.has_process_ids), has_image_paths_(options.has_image_paths) {
        if (has_image_paths_) {
            reader_.frames().tell_images_apart();
        }
    }

    static void subscribe(Subscriptions& subscriptions) { Frames::subscribe(subscriptions); }

    /// Takes records that are about names. Returns whether the record was one.
    bool take(const Record& record) {
        if (!Frames::takes(record.tag)) {
            return false;
        }
        reader_.frames().forget();
        return true;
    }

    /// An event with its weight, and where its stack is.
    struct Entry {
        OwnerRef owner = Owners::unknown; // whose row
        std::string_view above;           // name of a frame above that of the process; empty: none
        std::uint64_t weight = 0;
        StackReader::Place place{};
    };

    /// Adds an event with the stack that was recorded for it.
    void add(const Context& context, const Entry& entry) {
        add(context, entry, reader_.read(context, entry.place));
    }

    /// Adds an event with its return addresses, innermost first; none: it has no stack.
    void add(const Context& context, const Entry& entry, std::span<const std::uint64_t> addresses) {
        add(context, entry, reader_.read(context, entry.place, addresses));
    }

    struct Columns {
        std::string_view count; // static
        Column weight;          // of the name of `count`: the count is the weight
    };

    /// Returns the table: rows by process, with the tree. Call once.
    Table table(const Context& context, const Columns& columns);

private:
    enum Value : std::size_t { count, weight, values };

    void add(const Context& context, const Entry& entry, const Stack& stack);
    std::uint32_t frame_of(FrameRef frame);
    std::uint32_t frame_of(const Owner& owner);

    bool has_process_ids_; // in names of processes
    bool has_image_paths_; // of frames
    StackReader reader_;
    StackTreeBuilder tree_;
    std::vector<std::uint32_t> frames_; // in the tree, by FrameRef; StackNode::none: not yet
    std::unordered_map<OwnerRef, std::uint32_t> owners_;
    Groups sums_{values};
    std::uint64_t without_stack_ = 0;
};

} // namespace etl::analysis
