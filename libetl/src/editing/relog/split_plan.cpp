#include "relog/split_plan.hpp"

#include "base/limits.hpp"
#include "flow/context.hpp"
#include "flow/losses.hpp"
#include "format/records.hpp"
#include "relog/limits.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

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

namespace {

constexpr std::uint32_t buffer_granule = 512;
constexpr std::uint32_t min_buffer = 4U << 10U;

std::uint32_t round_up(std::uint64_t size) noexcept {
    const std::uint64_t rounded = (size + buffer_granule - 1) / buffer_granule * buffer_granule;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(rounded, etl::limits::buffer_bytes));
}

/// A header buffer holds the names of the recording.
std::size_t header_size(const trace::WriterOptions& options) {
    constexpr std::size_t names_by_path = 4096;
    std::size_t size = format::buffer_header::size + format::system_record::size;
    if (options.recording) {
        const trace::Recording& recording = *options.recording;
        size +=
            format::encode_logfile_header(recording.header, recording.header_pointer_size).size() +
            recording.extra_records.size();
        size += recording.header.log_file_name.empty() ? names_by_path : 0;
    }
    return size + sizeof(std::uint64_t);
}

/// Windows and numbers have an order of their own; providers come as they appear.
std::tuple<std::int64_t, std::uint32_t> order_of(const PlannedPart& part) {
    struct Order {
        std::int64_t operator()(std::monostate) const { return 0; }

        std::int64_t operator()(const Guid&) const { return 0; }

        std::int64_t operator()(const PartKey::Window& window) const { return window.from.ticks; }

        std::int64_t operator()(const PartKey::Range& range) const {
            return static_cast<std::int64_t>(range.first);
        }

        std::int64_t operator()(PartKey::Process process) const { return process.id; }

        std::int64_t operator()(PartKey::Processor processor) const { return processor.number; }
    };

    return {std::visit(Order{}, part.key.value), part.assigned};
}

} // namespace

void PartCount::add(const flow::Event& event) {
    ++events;
    bytes += format::padded(event.size);
    processors.set(event.buffer->processor % etl::limits::processors);
}

void SplitPlan::add(const flow::Event& event, std::uint32_t part) {
    ++place_;
    if (part == PartAssigner::no_part) {
        return;
    }
    largest_record_ = std::max(largest_record_, event.size);
    if (part == PartAssigner::every_part) {
        context_.add(event);
        return;
    }
    if (part >= counted_.size()) {
        counted_.resize(std::size_t{part} + 1);
    }
    Counted& counted = counted_[part];
    counted.first = counted.events == 0 ? place_ : counted.first;
    counted.last = place_;
    counted.add(event);
}

Result<void> SplitPlan::count(flow::Source& source) {
    PartAssigner& assigner = assigner_.emplace(options_);
    Progress progress(options_, 1, 0);
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        for (const flow::Event& event : run) {
            const std::uint32_t part = assigner.assign(event);
            if (assigner.parts() > limits::split_parts) {
                return fail(ErrorCode::limit, "parts of a split", {}, limits::split_parts,
                            assigner.parts());
            }
            add(event, part);
        }
        if (auto goes_on = progress.add(run); !goes_on) {
            return goes_on;
        }
    }
    const Error* const error = source.error();
    return error != nullptr ? std::unexpected(*error) : Result<void>{};
}

/// No larger than the part needs: every processor's last buffer takes its whole size in the file.
std::uint32_t SplitPlan::buffer_size(const PartCount& part) const {
    const bool is_apart = options_.context != SplitContext::copied && part.events > 0;
    const PartCount context = is_apart ? PartCount{} : context_;
    const std::uint64_t bytes = part.bytes + context.bytes;
    const std::uint64_t processors =
        std::max<std::size_t>((part.processors | context.processors).count(), 1);
    const std::uint64_t least =
        std::max<std::uint64_t>(header_size(options_.writer),
                                format::buffer_header::size + format::padded(largest_record_));
    const std::uint64_t filled =
        std::clamp<std::uint64_t>(std::bit_ceil(bytes / processors + format::buffer_header::size),
                                  min_buffer, etl::limits::buffer_bytes);
    return round_up(
        std::max(least, std::min<std::uint64_t>(filled, options_.writer.file.buffer_size)));
}

PlannedPart SplitPlan::planned(std::uint32_t assigned, const PartKey& key,
                               const Counted& counted) const {
    PlannedPart part{.assigned = assigned, .key = key, .events = counted.events};
    part.own_bytes = counted.bytes;
    part.buffer_size = buffer_size(counted);
    auto processors = counted.processors;
    if (options_.context == SplitContext::copied) {
        part.context_bytes = context_.bytes;
        processors |= context_.processors;
    } else {
        part.first = counted.first;
        part.last = counted.last;
    }
    part.memory = (processors.count() + 1) * std::uint64_t{part.buffer_size};
    return part;
}

std::vector<PlannedPart> SplitPlan::parts() const {
    std::vector<PlannedPart> parts;
    parts.reserve(counted_.size() + 1);
    for (std::uint32_t i = 0; i < counted_.size(); ++i) {
        parts.push_back(planned(i, assigner_->key(i), counted_[i]));
    }
    std::ranges::sort(parts, {}, order_of);
    const bool is_shared = options_.context == SplitContext::shared;
    if (is_shared && context_.events > 0) {
        PlannedPart context = planned(PartAssigner::every_part, {}, {});
        context.events = context_.events;
        context.context_bytes = context_.bytes;
        context.first = 0;
        context.last = std::numeric_limits<std::uint64_t>::max();
        parts.insert(parts.begin(), context);
    } else if (parts.empty() && context_.events > 0) {
        parts.push_back(planned(PartAssigner::no_part, {}, {}));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].number = i;
    }
    return parts;
}

std::vector<PlannedPart> take_group(std::vector<PlannedPart>& waiting) {
    std::vector<PlannedPart> group;
    std::vector<PlannedPart> later;
    // Those of the group that are open where the next part begins.
    std::vector<const PlannedPart*> open;
    std::ranges::sort(waiting, {},
                      [](const PlannedPart& part) { return std::tuple(part.first, part.number); });
    group.reserve(waiting.size()); // `open` points into it
    for (PlannedPart& part : waiting) {
        std::erase_if(open, [&](const PlannedPart* one) { return one->last < part.first; });
        std::uint64_t memory = part.memory;
        for (const PlannedPart* const one : open) {
            memory += one->memory;
        }
        const bool fits =
            memory <= limits::split_buffer_bytes && open.size() < limits::split_parts_at_once;
        if (fits || group.empty()) {
            open.push_back(&group.emplace_back(part));
        } else {
            later.push_back(part);
        }
    }
    waiting = std::move(later);
    return group;
}

} // namespace etl::relog
