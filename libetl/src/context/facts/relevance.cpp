#include "facts/relevance.hpp"

#include "facts/attribution.hpp"
#include "facts/limits.hpp"
#include "facts/statements.hpp"
#include "facts/subject.hpp"
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

} // namespace etl::facts
