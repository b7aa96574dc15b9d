// Stacks of events with named frames, and trees of them. Not thread-safe. docs/analysis.md#cpu
#pragma once

#include "analysis/analyzer.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::analysis {

/// Indexes in Frames.
using FrameRef = std::uint32_t;
using FunctionIndex = std::uint32_t;
using ImageRef = std::uint32_t;

/// A function, or an address in an image without a known function, or a marker such as
/// `(no stack)`. Texts are UTF-8.
struct Function {
    std::string_view module; // as in docs/analysis.md#cpu; empty: unknown, or a marker
    std::string_view name;
    bool is_marker = false;

    /// Appends `module!name`, or the name alone if it begins with the module or has none.
    void append_to(std::string& to) const;
};

/// An address of code.
struct Frame {
    static constexpr ImageRef no_image = 0xFFFFFFFF;

    enum class Kind : std::uint8_t { marker, user, kernel, generated };

    std::uint64_t address = 0; // of a caller: where the call returns; 0 for markers
    FunctionIndex function = 0;
    ImageRef image = no_image;
    Kind kind = Kind::marker;
    bool is_caller = false;

    /// Returns an address in the instruction that ran: of a caller, the last byte of its call. It
    /// is in the function and in the image, as formats of profilers want it; the address to which a
    /// call at the end of a function returns is not.
    std::uint64_t instruction() const noexcept {
        return address - (is_caller && address != 0 ? 1 : 0);
    }
};

/// How a stack ends, away from the code that ran.
enum class StackEnd : std::uint8_t {
    complete,
    missing,      // no stack was recorded for the event
    missing_user, // of a thread of a program, only the kernel-mode part was recorded
    truncated,    // a part has as many frames as Windows records, so that it may have had more
    incomplete,   // the user-mode part does not reach the start of a thread
};

/// Returns `(no stack)`, `(no user stack)`, `(truncated)`, or `(incomplete)`; empty for a complete
/// one.
std::string_view label(StackEnd end) noexcept;

/// Distinct frames and functions, by number. Their texts are bounded by
/// limits::analysis_text_bytes, their number by limits::analysis_frames; further ones are the
/// marker `(other)`.
class Frames {
public:
    Frames();
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;
    ~Frames();

    /// Asks for the events after which an address may have another name.
    static void subscribe(Subscriptions& subscriptions);

    /// Returns whether a record is one of these; pass it to forget().
    static bool takes(std::uint32_t tag) noexcept;

    void forget();

    /// One address in images of several paths is several frames from now on, which takes longer.
    void tell_images_apart() noexcept { tells_images_apart_ = true; }

    FrameRef frame(const Context& context, const facts::CodeAddress& code);

    /// Returns the frame that marks the end of a stack that is not complete.
    static FrameRef marker(StackEnd end) noexcept { return static_cast<FrameRef>(end); }

    /// The frame of all that is beyond the limits.
    static constexpr FrameRef other = 0;

    const Frame& operator[](FrameRef frame) const noexcept { return frames_[frame]; }

    const Function& function(FunctionIndex function) const noexcept { return functions_[function]; }

    const facts::Image& image(ImageRef image) const noexcept { return images_[image]; }

    std::size_t size() const noexcept { return frames_.size(); }

    std::size_t functions() const noexcept { return functions_.size(); }

    std::size_t images() const noexcept { return images_.size(); }

    /// How often a frame was `(other)`.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    struct State;

    FrameRef add(const Context& context, const facts::CodeAddress& code, FunctionIndex function);
    ImageRef image_of(const Context& context, const facts::CodeAddress& code);

    std::unique_ptr<State> state_;
    std::vector<Frame> frames_;
    std::vector<Function> functions_;
    std::vector<facts::Image> images_;
    std::uint64_t dropped_ = 0;
    bool tells_images_apart_ = false;
};

/// A stack with named frames. Valid until the next call.
struct Stack {
    std::span<const FrameRef> frames; // innermost first, without a marker
    StackEnd end = StackEnd::complete;
};

/// Finds the stacks of events.
class StackReader {
public:
    /// An event on a thread.
    struct Place {
        std::uint32_t process = 0; // of the thread; 0: unknown
        std::uint32_t thread = flow::no_id;
        std::int64_t time = 0;
        std::optional<std::uint64_t> sampled; // the address that a sample interrupted
        bool has_user_mode = false;           // a thread of a program, outside of DPCs and ISRs
    };

    /// Returns the stack of an event, with the sampled address as its first frame.
    Stack read(const Context& context, const Place& place);

    /// Returns a stack of return addresses, innermost first; none: it was not recorded.
    Stack read(const Context& context, const Place& place,
               std::span<const std::uint64_t> addresses);

    Frames& frames() noexcept { return frames_; }

    const Frames& frames() const noexcept { return frames_; }

private:
    void add(const Context& context, const Place& place, std::uint64_t address,
             bool is_return_address);
    StackEnd outer_end(const Place& place) const;

    Frames frames_;
    std::vector<FrameRef> stack_;
};

/// Node of a StackTable: a frame, called by the frames above it.
using StackRef = std::uint32_t;

/// Distinct stacks as a tree of their frames, outermost at the top, at most
/// limits::analysis_stacks of them; further ones are the node `other`.
class StackTable {
public:
    static constexpr StackRef root = 0, other = 1;

    struct Node {
        StackRef parent = root; // less than the number of the node
        FrameRef frame = Frames::other;
    };

    StackTable();

    StackRef child(StackRef parent, FrameRef frame);

    /// Returns the node of the innermost frame. A stack that is not complete is below its marker.
    StackRef add(const Stack& stack);

    const Node& operator[](StackRef node) const noexcept { return nodes_[node]; }

    /// Number of nodes, with `root` and `other`.
    std::size_t size() const noexcept { return nodes_.size(); }

    /// How often a stack was `other`.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    void grow();

    std::vector<Node> nodes_;
    std::vector<StackRef> slots_; // hash table of nodes; 0: free
    std::uint64_t dropped_ = 0;
};

} // namespace etl::analysis
