#include "dumper/stacks.hpp"

#include "dumper/limits.hpp"
#include "flow/context.hpp"

#include <algorithm>

namespace etl::dumper {

namespace {

using format::ItemType;

bool is_kernel_address(std::uint64_t address, bool is_64_bit) noexcept {
    constexpr unsigned highest = 63, highest_of_32 = 31;
    return (address >> (is_64_bit ? highest : highest_of_32) & 1U) != 0;
}

} // namespace

std::span<const StackFrames> Stacks::of(const decode::DecodedEvent& event, std::uint32_t thread,
                                        const facts::Facts& facts) {
    used_ = 0;
    if (event.items.has_stack || event.items.has_others) [[unlikely]] {
        add_items(event, facts);
    }
    const std::int64_t time = event.event->raw_time;
    if (event.event->has_time && flow::kernel_hook_of(*event.event)) {
        const auto at = facts.stacks(time);
        if (!at.empty() && thread == flow::no_id) { // it shares the processor with its stack
            const auto found =
                std::ranges::find(at.first(std::min(at.size(), limits::stack_parts)),
                                  event.event->buffer->processor, &facts::StackPart::processor);
            thread = found != at.end() && found->processor == event.event->buffer->processor
                         ? found->thread
                         : flow::no_id;
        }
        if (!at.empty() && thread != flow::no_id) {
            add_records(time, thread, facts);
        }
    }
    return {parts_.data(), used_};
}

StackFrames& Stacks::next_part(std::uint32_t process, std::uint32_t thread) {
    if (used_ == parts_.size()) {
        parts_.emplace_back();
    }
    StackFrames& part = parts_[used_++];
    part.addresses.clear();
    part.process = process;
    part.thread = thread;
    return part;
}

void Stacks::add_records(std::int64_t time, std::uint32_t thread, const facts::Facts& facts) {
    if (time != time_) {
        printed_.clear();
        time_ = time;
    }
    if (std::ranges::find(printed_, thread) != printed_.end()) {
        return;
    }
    if (printed_.size() < limits::stack_parts) {
        printed_.push_back(thread);
    }
    for (const facts::StackPart& part :
         std::ranges::equal_range(facts.stacks(time), thread, {}, &facts::StackPart::thread)) {
        const auto frames = facts.frames(part);
        next_part(part.process, thread).addresses.assign(frames.begin(), frames.end());
    }
}

void Stacks::add_items(const decode::DecodedEvent& event, const facts::Facts& facts) {
    format::ExtendedItems items(event.header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        const bool is_key =
            item.type == ItemType::stack_key32 || item.type == ItemType::stack_key64;
        const bool is_wide =
            item.type == ItemType::stack_trace64 || item.type == ItemType::stack_key64;
        const bool is_stack =
            is_key || item.type == ItemType::stack_trace32 || item.type == ItemType::stack_trace64;
        if (!is_stack || item.data.size() < sizeof(std::uint64_t)) {
            continue;
        }
        const auto match = load_le<std::int64_t>(item.data.data());
        read_numbers(item.data.subspan(sizeof match), is_wide);
        if (is_key && !addresses_.empty()) {
            const auto frames = facts.frames_of_key(addresses_.front(), event.event->raw_time);
            addresses_.assign(frames.begin(), frames.end());
        }
        add_mixed(addresses_, is_wide, event.header);
        if (match != 0) {
            add_records(match, event.header.thread_id, facts);
        }
    }
}

void Stacks::read_numbers(Bytes bytes, bool is_wide) {
    addresses_.clear();
    const std::size_t width = is_wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
    for (std::size_t at = 0; bytes.size() - at >= width; at += width) {
        addresses_.push_back(is_wide ? load_le<std::uint64_t>(bytes.data() + at)
                                     : load_le<std::uint32_t>(bytes.data() + at));
    }
}

/// Kernel frames come before user frames.
void Stacks::add_mixed(std::span<const std::uint64_t> addresses, bool is_64_bit,
                       const flow::EventHeader& header) {
    const auto first_user = std::ranges::find_if_not(
        addresses, [&](std::uint64_t address) { return is_kernel_address(address, is_64_bit); });
    const auto split = static_cast<std::size_t>(first_user - addresses.begin());
    for (const auto part : {addresses.first(split), addresses.subspan(split)}) {
        if (!part.empty()) {
            next_part(header.process_id, header.thread_id)
                .addresses.assign(part.begin(), part.end());
        }
    }
}

} // namespace etl::dumper
