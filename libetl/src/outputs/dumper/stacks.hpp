// The stack of an event, in its parts. Private to dumper.
#pragma once

#include "decode/decoder.hpp"
#include "facts/facts.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace etl::dumper {

/// The kernel or the user frames of a stack.
struct StackFrames {
    std::vector<std::uint64_t> addresses; // innermost first
    std::uint32_t process = flow::no_id;
    std::uint32_t thread = flow::no_id;
};

class Stacks {
public:
    /// Returns the parts of the stack of an event that is about `thread`, kernel before user: of
    /// its extended data items, and of separate records. Those are returned once for each time and
    /// thread. Valid until the next call.
    std::span<const StackFrames> of(const decode::DecodedEvent& event, std::uint32_t thread,
                                    const facts::Facts& facts);

private:
    void add_items(const decode::DecodedEvent& event, const facts::Facts& facts);
    void read_numbers(Bytes bytes, bool is_wide);
    void add_records(std::int64_t time, std::uint32_t thread, const facts::Facts& facts);
    void add_mixed(std::span<const std::uint64_t> addresses, bool is_64_bit,
                   const flow::EventHeader& header);
    StackFrames& next_part(std::uint32_t process, std::uint32_t thread);

    std::vector<StackFrames> parts_; // reused
    std::size_t used_ = 0;
    std::int64_t time_ = 0;              // of printed_
    std::vector<std::uint32_t> printed_; // threads whose records at that time were returned
    std::vector<std::uint64_t> addresses_;
};

} // namespace etl::dumper
