// What is known, in the form in which it is kept. Private to facts.
#pragma once

#include "facts/facts.hpp"
#include "facts/limits.hpp"
#include "facts/tables/interner.hpp"
#include "facts/tables/method_lives.hpp"
#include "facts/tables/thread_lives.hpp"
#include "facts/tables/timeline.hpp"
#include "flow/context.hpp"

#include <array>
#include <compare>
#include <map>
#include <tuple>
#include <utility>

namespace etl::facts {

struct ProcessValue {
    NameId name = 0;
    NameId command_line = 0;
    std::uint32_t parent = 0;
    NameId path = 0;
    bool is_defunct = false;     // only its handles are left
    bool is_end_unknown = false; // it ended before the end of its life

    constexpr auto operator<=>(const ProcessValue&) const = default;
};

/// Microsoft-Windows-Kernel-Process records no command lines, and no parents of processes that end.
constexpr bool is_of_one_thing(const ProcessValue& one, const ProcessValue& other) noexcept {
    const auto agree = [](std::uint32_t mine, std::uint32_t yours, std::uint32_t none) {
        return mine == yours || mine == none || yours == none;
    };
    return one.name == other.name && agree(one.parent, other.parent, flow::no_id) &&
           agree(one.command_line, other.command_line, 0);
}

constexpr void complete(ProcessValue& value, const ProcessValue& more) noexcept {
    if (value.command_line == 0) {
        value.command_line = more.command_line;
    }
    if (value.parent == flow::no_id) {
        value.parent = more.parent;
    }
    if (value.path == 0) {
        value.path = more.path;
    }
}

struct ImageValue {
    std::uint64_t size = 0;
    NameId path = 0;
    std::uint32_t time_date_stamp = 0;

    constexpr auto operator<=>(const ImageValue&) const = default;
};

/// Records of one image may leave out the time stamp.
constexpr bool is_of_one_thing(const ImageValue& one, const ImageValue& other) noexcept {
    return one.size == other.size && one.path == other.path;
}

constexpr void complete(ImageValue& value, const ImageValue& more) noexcept {
    if (value.time_date_stamp == 0) {
        value.time_date_stamp = more.time_date_stamp;
    }
}

/// The exit of a defunct process: only its handles are left.
struct ExitSeen {
    std::uint32_t process = 0;
    std::int64_t time = 0;       // of the record
    std::int64_t exit = forever; // forever: not recorded
};

using ImageKey = std::pair<std::uint32_t, std::uint64_t>; // process, base

/// What a record about the identity of an image says.
enum class ImageIdKind : std::uint8_t {
    info,   // time stamp and name
    pdb,    // of the image
    il_pdb, // of the IL image that a native image was made of
};

inline constexpr std::size_t image_id_kinds = 3;

/// A record about the identity of an image; interner.hpp reads `text`.
struct ImageIdSeen {
    ImageKey key;
    std::int64_t time = 0;
    NameId text = 0;
    ImageIdKind kind = ImageIdKind::info;

    constexpr auto operator<=>(const ImageIdSeen&) const = default;
};

/// Texts by kind.
using ImageIds = std::array<NameId, image_id_kinds>;

/// A module of a runtime, or the source of a script.
struct ModuleValue {
    NameId path = 0; // of the IL image; of a script: its URL
    NameId native_path = 0;
    NameId pdb = 0, native_pdb = 0; // pdb_of_text()

    constexpr auto operator<=>(const ModuleValue&) const = default;
};

using ModuleKey = std::pair<std::uint32_t, std::uint64_t>; // process, ID
using Modules = Timeline<ModuleKey, ModuleValue>;

/// What paths of the kernel begin with, and what the same paths begin with for programs.
struct Volume {
    NameId nt_path = 0;
    NameId dos_path = 0;

    constexpr auto operator<=>(const Volume&) const = default;
};

using Processes = Timeline<std::uint32_t, ProcessValue>;
using Images = Timeline<ImageKey, ImageValue>;
using Files = Timeline<std::uint64_t, NameId>;

struct Partition {
    std::uint32_t disk = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    NameId letters = 0;

    constexpr auto operator<=>(const Partition&) const = default;
};

/// The frames that a key stood for until `time`, or from it on. Stacks of the kernel and of
/// programs have keys of their own, which may be equal.
struct KeyMeaning {
    std::uint64_t key = 0;
    StackPart::Where where = StackPart::Where::kernel; // of the outermost frame
    std::int64_t time = 0;
    std::uint32_t frames = 0;

    constexpr auto operator<=>(const KeyMeaning&) const = default;
};

/// A stack of an event as it was met.
struct SeenStack {
    StackPart part;           // frames 0: they are those of the key
    std::int64_t seen_at = 0; // time of the record that says so
    std::uint64_t key = 0;
};

/// An interval between samples, and the event that states it.
struct SamplingSeen {
    std::int64_t time = 0;
    std::uint32_t interval = 0; // before the event: 100 ns, of counters events
};

/// What events state about a source of samples.
struct SampleSource {
    std::optional<SamplingSeen> first; // the earliest
    NameId name = 0;
};

using SampleSources = std::map<std::uint32_t, SampleSource>; // by number

/// An event of a runtime.
struct RuntimeEvent {
    flow::RuntimeThread of;
    std::int64_t time = 0;
    std::uint16_t id = 0;
    bool has_stack = false; // in join_runtime_stacks()
};

/// A stack of a runtime: that of the event before it on its thread.
struct RuntimeStack {
    /// That event, if no other buffer has a later one.
    struct Before {
        std::int64_t time = 0;
        std::uint16_t id = 0;
    };

    flow::RuntimeThread of;
    std::int64_t time = 0;
    std::uint32_t frames = 0;
    std::optional<Before> before{}; // none: there is none in the same buffer
};

struct Tables {
    Tables()
        : names(limits::fact_name_bytes), method_names(limits::fact_method_name_bytes),
          frames(limits::fact_stack_bytes) {}

    /// Sorts everything and joins keys with their frames; nothing is added behind this.
    void build();

    /// The frames of a key as it was at a time; 0: not known.
    std::uint32_t frames_of_key(std::uint64_t key, StackPart::Where where,
                                std::int64_t time) const noexcept;

    std::string_view name(NameId id) const noexcept { return text_of(names, id); }

    std::string_view method_name(NameId id) const noexcept { return text_of(method_names, id); }

    Interner<char> names;
    Interner<char> method_names; // types and signatures, too
    Interner<std::uint64_t> frames;
    Processes processes;
    ThreadLives threads;
    Images images;
    std::vector<ExitSeen> seen_exits;        // until build()
    std::vector<ImageIdSeen> seen_image_ids; // until build()
    std::vector<ImageIds> image_ids;         // of the lives of images
    MethodLives methods;
    Modules modules, scripts;
    Files files;
    std::vector<Partition> partitions;
    std::vector<Volume> volumes; // the longest path first
    SampleSources sample_sources;
    std::vector<KeyMeaning> keys_created, keys_ended;
    std::vector<SeenStack> seen_stacks;       // until build()
    std::vector<RuntimeEvent> runtime_events; // until build()
    std::vector<RuntimeStack> runtime_stacks; // until build()
    std::vector<StackPart> stacks;            // by time, thread, part
    Counts counts;
    ClassSources sources;

private:
    static std::string_view text_of(const Interner<char>& texts, NameId id) noexcept {
        const auto text = texts[id];
        return {text.data(), text.size()};
    }

    void end_defunct_processes();
    void join_image_ids();
    void join_runtime_stacks();
    RuntimeEvent* runtime_event_of(const RuntimeStack& stack) noexcept;
    void join_keys();
    std::uint32_t frames_of_reference(const SeenStack& seen) const noexcept;
    void share_user_parts();
    void count();
};

} // namespace etl::facts
