#include "analysis/owners.hpp"

#include <algorithm>

namespace etl::analysis {

Owners::Owners(const facts::Facts& facts, facts::ProcessSelection selection)
    : facts_(&facts), selection_(std::move(selection)) {
    const bool all = !is_selective();
    owners_.push_back({.pid = {}, .name = {}, .is_selected = all});
    owners_.push_back({.pid = 0, .name = "Idle", .is_selected = selects(0, "Idle")});
    owners_.push_back({.pid = {}, .name = "DPC", .is_selected = all});
    owners_.push_back({.pid = {}, .name = "ISR", .is_selected = all});
    threads_.push_back({.id = flow::no_id, .time = 0, .owner = unknown}); // beyond the limit
}

bool Owners::selects(std::uint32_t pid, const std::optional<std::string>& name) const {
    return !is_selective() || std::ranges::find(selection_.ids, pid) != selection_.ids.end() ||
           (name && std::ranges::any_of(selection_.names, [&](const std::string& glob) {
                return facts::matches_process_name(glob, *name);
            }));
}

ThreadRef Owners::find_thread(std::uint32_t id, std::int64_t time) {
    if (id >= small_.size() && id < small_ids) {
        small_.resize(std::min<std::size_t>(small_ids, (std::size_t{id} + 1) * 2), none);
    }
    if (id >= small_ids && large_.size() >= limits::analysis_threads && !large_.contains(id)) {
        ++dropped_;
        return 0;
    }
    ThreadRef& ref = id < small_ids ? small_[id] : large_.try_emplace(id, none).first->second;
    if (ref == none || time < threads_[ref].begin || time >= threads_[ref].end) {
        if (threads_.size() >= limits::analysis_threads) {
            ++dropped_;
            return ref = 0;
        }
        const facts::Thread known = facts_->thread(id, time);
        const auto [begin, end] = facts_->life_around(known.process, time);
        ref = static_cast<ThreadRef>(threads_.size());
        threads_.push_back({.id = id,
                            .process = known.process,
                            .begin = std::max(known.begin, begin),
                            .end = std::min(known.end, end),
                            .time = time});
    }
    return ref;
}

void Owners::forget_thread(std::uint32_t id) {
    if (id < small_.size()) {
        small_[id] = none;
    } else {
        large_.erase(id);
    }
}

OwnerRef Owners::owner_of(ThreadRef thread) {
    Thread& known = threads_[thread];
    if (known.owner == none) {
        const std::uint32_t pid = known.id == 0 ? 0 : known.process;
        known.owner = pid == flow::no_id ? unknown : process(pid, known.time);
    }
    return known.owner;
}

OwnerRef Owners::adopt(std::optional<OwnerRef> special, const Owner& owner) {
    const OwnerRef ref = special ? *special : add(owner.pid.value_or(0), owner.name);
    if (!is_selective()) {
        owners_[ref].is_selected = owner.is_selected;
    }
    return ref;
}

ThreadRef Owners::adopt_thread(std::uint32_t id, OwnerRef owner) {
    const auto [known, is_new] = adopted_.try_emplace(std::uint64_t{owner} << 32U | id, 0);
    if (!is_new) {
        return known->second;
    }
    if (threads_.size() >= limits::analysis_threads) {
        ++dropped_;
        return 0;
    }
    known->second = static_cast<ThreadRef>(threads_.size());
    threads_.push_back({.id = id, .time = 0, .owner = owner});
    return known->second;
}

OwnerRef Owners::process(std::uint32_t id, std::int64_t time) {
    if (id == 0 || id == flow::no_id) {
        return id == 0 ? idle : unknown;
    }
    // Threads are resolved late: the current process is not kept for times of others.
    const auto found = facts_->process(id, time);
    const std::string_view name = found ? found->name : std::string_view();
    const NamedProcess key{id, name.data(), name.size()};
    const std::uint32_t number = resolved_.find(key);
    if (number != resolved_.none) [[likely]] {
        return by_resolved_[number];
    }
    const OwnerRef owner = add(id, name.empty() ? std::nullopt : std::optional(std::string(name)));
    if (owner != unknown && resolved_.size() < limits::analysis_threads) {
        resolved_.add(key);
        by_resolved_.push_back(owner);
    }
    return owner;
}

OwnerRef Owners::add(std::uint32_t pid, std::optional<std::string> name) {
    std::string key = std::to_string(pid) + ':' + name.value_or("");
    if (const auto known = by_key_.find(key); known != by_key_.end()) {
        return known->second;
    }
    if (owners_.size() >= limits::analysis_threads) {
        ++dropped_;
        return unknown;
    }
    const auto added = static_cast<OwnerRef>(owners_.size());
    by_key_.emplace(std::move(key), added);
    const bool selected = selects(pid, name);
    owners_.push_back({.pid = pid, .name = std::move(name), .is_selected = selected});
    return added;
}

} // namespace etl::analysis
