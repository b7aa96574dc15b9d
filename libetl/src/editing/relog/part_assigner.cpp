#include "relog/part_assigner.hpp"

#include "flow/context.hpp"
#include "flow/losses.hpp"

#include <algorithm>

namespace etl::relog {

namespace {

std::int64_t floor_divide(std::int64_t value, std::int64_t by) noexcept {
    return value / by - (value % by < 0 ? 1 : 0);
}

// Parts of so many events are remembered for their stacks: a power of two.
constexpr std::size_t recent_events = 1U << 16U;

/// Differences of such times do not run over, nor do windows around them: some 7000 years.
std::int64_t bounded(std::int64_t ticks) noexcept {
    constexpr std::int64_t max = std::int64_t{1} << 61U;
    return std::clamp(ticks, -max, max);
}

} // namespace

PartAssigner::PartAssigner(const SplitOptions& options)
    : by_(options.by), process_of_(options.process_of), limit_(options.limit),
      with_context_(options.context != SplitContext::none),
      follows_events_(by_ != SplitBy::time && by_ != SplitBy::processor), recent_(recent_events) {
    // Windows of more than some centuries are the whole trace.
    constexpr std::uint64_t longest = std::uint64_t{1} << 56U;
    window_length_ = static_cast<std::int64_t>(std::clamp<std::uint64_t>(limit_, 1, longest));
    if (options.writer.recording && options.writer.recording->header.start_time > 0) {
        start_ = bounded(options.writer.recording->header.start_time);
    }
}

template <typename Key, typename MakeKey>
std::uint32_t PartAssigner::part_of(std::unordered_map<Key, std::uint32_t>& parts, const Key& key,
                                    MakeKey make) {
    const auto [found, is_new] = parts.try_emplace(key, static_cast<std::uint32_t>(keys_.size()));
    if (is_new) {
        keys_.push_back({make()});
    }
    return found->second;
}

std::uint32_t PartAssigner::by_window(Filetime time) {
    if (!start_) {
        start_ = bounded(time.ticks);
    }
    const std::int64_t window = floor_divide(bounded(time.ticks) - *start_, window_length_);
    return part_of(by_window_, window, [&] {
        const std::int64_t from = *start_ + window * window_length_;
        return PartKey::Window{{from}, {from + window_length_}};
    });
}

std::uint32_t PartAssigner::by_process(PartKey::Process process) {
    const std::uint64_t number = std::uint64_t{process.life} << 32U | process.id;
    return part_of(by_number_, number, [&] { return process; });
}

/// The last part, or the next one when `cost` does not fit any more.
std::uint32_t PartAssigner::by_limit(std::uint64_t cost) {
    ++counted_;
    if (keys_.empty() || cost > limit_ - std::min(spent_, limit_)) {
        keys_.push_back({PartKey::Range{counted_, counted_}});
        spent_ = 0;
    }
    spend(cost);
    return static_cast<std::uint32_t>(keys_.size() - 1);
}

void PartAssigner::spend(std::uint64_t cost) {
    spent_ += cost;
    std::get<PartKey::Range>(keys_.back().value).last = counted_;
}

std::uint32_t PartAssigner::own_part(const flow::Event& event, const flow::EventHeader& header) {
    switch (by_) {
    case SplitBy::size:
        return by_limit(format::padded(event.size));
    case SplitBy::count:
        return by_limit(1);
    case SplitBy::time:
        return by_window(event.time());
    case SplitBy::provider:
        return part_of(by_provider_, header.provider, [&] { return header.provider; });
    case SplitBy::process:
        return by_process(process_of_ ? process_of_(event) : PartKey::Process{header.process_id});
    case SplitBy::processor:
        break;
    }
    const std::uint16_t processor = event.buffer->processor;
    return part_of(by_number_, std::uint64_t{processor},
                   [&] { return PartKey::Processor{processor}; });
}

std::uint32_t PartAssigner::part_of_stack(const flow::Event& event, const flow::StackTarget& stack,
                                          const flow::EventHeader& header) {
    if (by_ == SplitBy::time) {
        return by_window(event.trace().clock.to_filetime(stack.time));
    }
    const auto part = follows_events_ ? recent_.find(stack.time, stack.thread_id) : std::nullopt;
    return part ? joined(*part, event) : own_part(event, header);
}

/// The part of an event, to which its stack is added.
std::uint32_t PartAssigner::joined(std::uint32_t part, const flow::Event& event) {
    if (by_ == SplitBy::size || by_ == SplitBy::count) {
        ++counted_;
        if (part + 1 == keys_.size()) {
            spend(by_ == SplitBy::size ? format::padded(event.size) : 1);
        }
    }
    return part;
}

std::uint32_t PartAssigner::part_of_runtime_stack(const flow::Event& event,
                                                  const flow::EventHeader& header) {
    const auto part = runtime_events_.take(event);
    const bool follows = part && *part != every_part && by_ != SplitBy::processor;
    return follows ? joined(*part, event) : own_part(event, header);
}

std::uint32_t PartAssigner::assign(const flow::Event& event) {
    const bool is_unknown_losses = flow::indicates_unknown_losses(event);
    has_unknown_losses_ = has_unknown_losses_ || is_unknown_losses;
    if (is_unknown_losses || flow::is_logfile_header(event)) {
        return no_part;
    }
    const bool has_key_in_header = by_ == SplitBy::provider || by_ == SplitBy::process;
    const bool needs_header = has_key_in_header || (with_context_ && follows_events_);
    const flow::EventHeader header = needs_header ? flow::read_header(event) : flow::EventHeader{};
    if (!with_context_) {
        return own_part(event, header);
    }
    const flow::RuntimeRecord of_runtime = flow::runtime_record_of(event);
    if (of_runtime == flow::RuntimeRecord::stack) {
        return part_of_runtime_stack(event, header);
    }
    if (flow::context_of(event) != flow::Context::none) {
        if (of_runtime == flow::RuntimeRecord::event) {
            runtime_events_.add(event, every_part);
        }
        return every_part;
    }
    if (const auto stack = flow::stack_target(event)) {
        return part_of_stack(event, *stack, header);
    }
    const std::uint32_t part = own_part(event, header);
    if (of_runtime == flow::RuntimeRecord::event) {
        runtime_events_.add(event, part);
    }
    if (follows_events_) {
        StackStamps of(event, header);
        StackStamp stamp;
        while (of.next(stamp)) {
            recent_.add(stamp.time, stamp.thread, part);
        }
    }
    return part;
}

} // namespace etl::relog
