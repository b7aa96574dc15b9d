#include "facts/relevance.hpp"

#include "facts/attribution.hpp"
#include "facts/limits.hpp"
#include "facts/statements.hpp"
#include "facts/subject.hpp"
#include "flow/context.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace etl::facts {

std::vector<Guid> providers_of_facts() {
    std::vector<Guid> all{format::image_id_guid, format::system_config_ex_guid};
    for (std::size_t group = 0; group < format::class_names().size(); ++group) {
        all.push_back(format::class_of_hook(static_cast<std::uint16_t>(group << 8U)));
    }
    std::ranges::copy(subject_providers(), std::back_inserter(all));
    std::ranges::copy(owner_providers(), std::back_inserter(all));
    return all;
}

void ThreadBuffers::add(std::uint32_t buffer, std::uint32_t machine, flow::Run events) {
    BufferSpans spans;
    for (const flow::Event& event : events) {
        for_each_statement(event, [&](const ThreadStatement& one) { spans.add(one); });
    }
    for (const ThreadSpan& span : spans.spans()) {
        add(key_of(machine, span.thread),
            {span.process, {span.first, buffer}, {span.last, buffer}, false});
    }
}

void ThreadBuffers::add(std::uint64_t key, const OfThread& seen) {
    if (threads_.size() >= limits::fact_lifetimes && !threads_.contains(key)) {
        is_full_ = true;
        return;
    }
    const auto [at, is_new] = threads_.try_emplace(key, seen);
    OfThread& known = at->second;
    if (!is_new) {
        const auto order = [](const Place& place) { return std::tuple(place.time, place.buffer); };
        known.first = std::ranges::min(known.first, seen.first, {}, order);
        known.last = std::ranges::max(known.last, seen.last, {}, order);
        known.is_reused = known.is_reused || seen.is_reused || known.process != seen.process;
    }
    has_reused_ = has_reused_ || known.is_reused;
}

void ThreadBuffers::combine(const ThreadBuffers& other) {
    for (const auto& [key, seen] : other.threads_) {
        add(key, seen);
    }
    is_full_ = is_full_ || other.is_full_;
}

void ThreadBuffers::for_each_end(FunctionRef<void(std::uint32_t buffer)> mark) const {
    for (const auto& [key, seen] : threads_) {
        mark(seen.first.buffer);
        mark(seen.last.buffer);
    }
}

bool ThreadBuffers::state_again(std::uint32_t machine, flow::Run events) const {
    return std::ranges::any_of(events, [&](const flow::Event& event) {
        bool is_needed = false;
        for_each_statement(event, [&](const ThreadStatement& one) {
            const auto known = threads_.find(key_of(machine, one.thread));
            is_needed = is_needed || (known == threads_.end() ? is_full_ : known->second.is_reused);
        });
        return is_needed;
    });
}

namespace {

/// Whether a stack record is one that ends the search for a stack in user mode.
bool is_user_stack(const flow::Event& event) noexcept {
    constexpr std::uint16_t user_key = 0x1826, kernel_key = 0x1825;
    constexpr std::size_t frames_at = 16; // time, process, thread
    const auto hook = flow::kernel_hook_of(event);
    if (hook == user_key || hook == kernel_key) {
        return hook == user_key;
    }
    Bytes payload;
    bool is_narrow = event.kind.width == format::Width::bits32;
    if (format::has_hook(event.kind)) {
        payload = flow::payload_of_hook(event);
    } else {
        const flow::EventHeader header = flow::read_header(event);
        payload = header.payload;
        is_narrow = header.pointer_size == 4;
    }
    if (is_narrow) {
        return has_range(payload, frames_at, 4) &&
               load_le<std::uint32_t>(payload.data() + frames_at) >> 31U == 0;
    }
    return has_range(payload, frames_at, 8) &&
           load_le<std::uint64_t>(payload.data() + frames_at) >> 63U == 0;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) noexcept {
    return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                 : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

/// How far the times are by which stack records refer to an event from that of the event.
std::uint64_t slack_of(const flow::Event& event) noexcept {
    std::uint64_t slack = 0;
    if (format::is_event(event.kind)) {
        flow::StackItems items(flow::read_header(event));
        for (flow::StackItem item; items.next(item);) {
            slack = item.match == 0 ? slack : std::max(slack, distance(item.match, event.raw_time));
        }
    }
    return slack;
}

} // namespace

void StackBuffers::add(std::uint32_t buffer, std::uint32_t machine, flow::Run events) {
    const std::size_t begin = all_.size();
    for (const flow::Event& event : events) {
        slack_ = std::max(slack_, slack_of(event));
        const auto target = flow::stack_target(event);
        if (!target) {
            continue;
        }
        const std::uint64_t thread = std::uint64_t{machine} << 32U | target->thread_id;
        const auto known =
            std::find_if(all_.rbegin(), all_.rend() - static_cast<std::ptrdiff_t>(begin),
                         [&](const OfThread& one) { return one.thread == thread; });
        OfThread& mine = known != all_.rend() - static_cast<std::ptrdiff_t>(begin)
                             ? *known
                             : all_.emplace_back(OfThread{.thread = thread, .buffer = buffer});
        (is_user_stack(event) ? mine.user : mine.kernel).add(target->time);
    }
}

void StackBuffers::combine(StackBuffers&& other) {
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    slack_ = std::max(slack_, other.slack_);
    other.all_ = {};
}

void StackBuffers::for_each_span(FunctionRef<void(std::uint32_t buffer, const Span& span)> visit) {
    std::ranges::sort(all_, {}, [](const OfThread& one) {
        return std::tuple(one.thread, one.kernel.last, one.buffer);
    });
    for (auto begin = all_.begin(); begin != all_.end();) {
        const auto end = std::find_if(
            begin, all_.end(), [&](const OfThread& one) { return one.thread != begin->thread; });
        show_thread({begin, end}, visit);
        begin = end;
    }
}

/// `all` of one thread, by the last kernel stack.
void StackBuffers::show_thread(
    std::span<OfThread> all,
    FunctionRef<void(std::uint32_t buffer, const Span& span)> visit) const {
    std::vector<std::int64_t> users;
    for (const OfThread& one : all) {
        if (!one.user.is_empty()) {
            users.push_back(one.user.first);
            users.push_back(one.user.last);
        }
    }
    std::ranges::sort(users);
    std::vector<std::int64_t> earliest(all.size()); // kernel stack, from each one on
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = all.size(); i-- > 0;) {
        earliest[i] = least = std::min(least, all[i].kernel.first);
    }
    for (const OfThread& one : all) {
        Span span = one.kernel;
        if (!one.user.is_empty()) {
            span.add(one.user.first);
            span.add(one.user.last);
            const auto before = std::ranges::lower_bound(users, one.user.first);
            const std::int64_t previous =
                before == users.begin() ? std::numeric_limits<std::int64_t>::min() : *(before - 1);
            const auto since = std::ranges::upper_bound(
                all, previous, {}, [](const OfThread& other) { return other.kernel.last; });
            if (since != all.end()) {
                const std::int64_t first = earliest[static_cast<std::size_t>(since - all.begin())];
                span.add(std::min(one.user.first, std::max(first, previous + 1)));
            }
        }
        const auto wider = [&](std::int64_t time, std::int64_t limit) {
            return distance(time, limit) < slack_ ? limit
                   : time > limit                 ? time - static_cast<std::int64_t>(slack_)
                                                  : time + static_cast<std::int64_t>(slack_);
        };
        visit(one.buffer, {wider(span.first, std::numeric_limits<std::int64_t>::min()),
                           wider(span.last, std::numeric_limits<std::int64_t>::max())});
    }
}

} // namespace etl::facts
