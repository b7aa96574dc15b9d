// What is known, in the form in which it is kept. Private to facts.
#pragma once

#include <etl/facts/facts.hpp>
#include <etl/facts/limits.hpp>

#include "facts/interner.hpp"
#include "facts/timeline.hpp"

#include <compare>
#include <utility>

namespace etl::facts {

using NameId = std::uint32_t; // 0: none

struct ProcessValue {
    NameId name = 0;
    NameId command_line = 0;
    std::uint32_t parent = 0;

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
}

struct ImageValue {
    std::uint64_t size = 0;
    NameId path = 0;

    constexpr auto operator<=>(const ImageValue&) const = default;
};

using ImageKey = std::pair<std::uint32_t, std::uint64_t>; // process, base

using Processes = Timeline<std::uint32_t, ProcessValue>;
using Threads = Timeline<std::uint32_t, std::uint32_t>; // thread -> process
using Images = Timeline<ImageKey, ImageValue>;
using Files = Timeline<std::uint64_t, NameId>;

struct Partition {
    std::uint32_t disk = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    NameId letters = 0;

    constexpr auto operator<=>(const Partition&) const = default;
};

/// The frames that a key stood for until `time`, or from it on.
struct KeyMeaning {
    std::uint64_t key = 0;
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

struct Tables {
    Tables() : names(limits::fact_name_bytes), frames(limits::fact_stack_bytes) {}

    /// Sorts everything and joins keys with their frames; nothing is added behind this.
    void build();

    void join_keys();

    /// The frames of a key as it was at a time; 0: not known.
    std::uint32_t frames_of_key(std::uint64_t key, std::int64_t time) const noexcept;

    std::string_view name(NameId id) const noexcept {
        const auto text = names[id];
        return {text.data(), text.size()};
    }

    Interner<char> names;
    Interner<std::uint64_t> frames;
    Processes processes;
    Threads threads;
    Images images;
    Files files;
    std::vector<Partition> partitions;
    std::vector<KeyMeaning> keys_created, keys_ended;
    std::vector<SeenStack> seen_stacks; // until build()
    std::vector<StackPart> stacks;      // by time, thread, part
    Counts counts;
};

} // namespace etl::facts
