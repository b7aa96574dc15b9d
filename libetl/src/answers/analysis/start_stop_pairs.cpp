#include "analysis/start_stop_pairs.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

constexpr std::ptrdiff_t max_compared = 64; // starts with equal keys; hostile traces have more

} // namespace

/// How well a start fits a stop with the same key.
int StartStopPairs::likeness(const StartStopEdge& start, const StartStopEdge& stop) const noexcept {
    const bool has_name = events_->kind(start.kind).group == events_->kind(stop.kind).group;
    const bool has_activity = !stop.activity.is_zero() && start.activity == stop.activity;
    return (has_activity ? 8 : 0) + (has_name ? 4 : 0) + (start.process == stop.process ? 2 : 0) +
           (start.thread == stop.thread ? 1 : 0);
}

std::size_t StartStopPairs::KeyHash::operator()(const Key& key) const noexcept {
    const GroupKeyHash hash;
    const auto& [a, b, c, d, e] = key.values;
    return hash({std::uint64_t{key.group} << 8U | static_cast<std::uint64_t>(key.by), a,
                 hash({b, c, hash({d, e, 0})})});
}

void StartStopPairs::add(const StartStopEdge& edge) {
    if (edge.by == PairedBy::nothing) {
        sink_->unpaired(edge);
    } else if (context_->is_part && !context_->is_state && edge.by != PairedBy::thread) {
        keep(edge);
    } else {
        pair(edge);
    }
}

void StartStopPairs::pair(const StartStopEdge& edge) {
    if (edge.is_start) {
        begin(edge);
    } else {
        end(edge);
    }
}

void StartStopPairs::keep(const StartStopEdge& edge) {
    if (kept_.size() + first_stops_.size() >= limits::analysis_part_keys) {
        ++dropped_;
        return;
    }
    (edge.by == PairedBy::thread ? first_stops_ : kept_).push_back(edge);
}

void StartStopPairs::begin(StartStopEdge start) {
    Open& open = open_of(start);
    if (open.count >= limits::analysis_operations) {
        forget_older_half(open);
    }
    Starts& starts = open.starts[key_of(start)];
    if (start.by == PairedBy::rule && !starts.empty()) { // the key was used again
        sink_->unpaired(starts.front());
        starts.clear();
        --open.count;
    } else if (!starts.empty()) {
        starts.back().is_shared = start.is_shared = true;
        if (start.by == PairedBy::fields) {
            ambiguous_.emplace(start.group, start.kind);
        }
    }
    start.serial = ++serial_;
    starts.push_back(start);
    open.peak = std::max(open.peak, ++open.count);
    sink_->started(start);
}

/// Ends the start that is most like the stop, the latest of these.
void StartStopPairs::end(const StartStopEdge& stop) {
    Open& open = open_of(stop);
    const auto found = open.starts.find(key_of(stop));
    if (found == open.starts.end()) {
        if (stop.by == PairedBy::thread && context_->continues()) {
            keep(stop);
        } else {
            sink_->unpaired(stop);
        }
        return;
    }
    Starts& starts = found->second;
    const auto start = std::max_element(
        starts.rbegin(), starts.rbegin() + std::min(max_compared, std::ssize(starts)),
        [&](const StartStopEdge& a, const StartStopEdge& b) {
            return likeness(a, stop) < likeness(b, stop);
        });
    const StartStopEdge ended = *start;
    const PairCertainty certainty = certainty_of(starts, ended, stop);
    starts.erase(std::next(start).base());
    if (starts.empty()) {
        open.starts.erase(found);
    }
    --open.count;
    sink_->stopped(ended, stop, certainty);
}

/// Whether another start could be the one that the stop ends.
PairCertainty StartStopPairs::certainty_of(const Starts& starts, const StartStopEdge& start,
                                           const StartStopEdge& stop) const {
    using enum PairCertainty;
    const bool has_activities = !start.activity.is_zero() && !stop.activity.is_zero();
    bool is_guess = false;
    if (stop.by == PairedBy::thread ||
        (stop.by == PairedBy::fields && std::ssize(starts) > max_compared)) {
        is_guess = true;
    } else if (stop.by == PairedBy::activity) {
        is_guess = start.is_shared || start.process != stop.process;
    } else if (stop.by == PairedBy::fields && has_activities) {
        is_guess = start.activity != stop.activity ||
                   std::ranges::count(starts, stop.activity, &StartStopEdge::activity) > 1;
    } else if (stop.by == PairedBy::fields) {
        return start.is_shared || is_ambiguous(stop.group) ? guessed : by_group;
    }
    return is_guess ? guessed : sure;
}

void StartStopPairs::forget_older_half(Open& open) {
    std::vector<std::uint64_t> serials;
    for (const auto& [key, starts] : open.starts) {
        std::ranges::transform(starts, std::back_inserter(serials), &StartStopEdge::serial);
    }
    const auto middle = serials.begin() + std::ssize(serials) / 2;
    std::ranges::nth_element(serials, middle);
    const std::uint64_t oldest = *middle;
    Starts forgotten;
    for (auto at = open.starts.begin(); at != open.starts.end();) {
        const auto first_kept =
            std::ranges::lower_bound(at->second, oldest, {}, &StartStopEdge::serial);
        forgotten.insert(forgotten.end(), at->second.begin(), first_kept);
        at->second.erase(at->second.begin(), first_kept);
        at = at->second.empty() ? open.starts.erase(at) : std::next(at);
    }
    dropped_ += forgotten.size();
    open.count -= forgotten.size();
    std::ranges::sort(forgotten, {}, &StartStopEdge::serial);
    std::ranges::for_each(forgotten, [&](const StartStopEdge& start) { sink_->unpaired(start); });
}

std::vector<StartStopEdge> StartStopPairs::all_of(const Open& open) {
    std::vector<StartStopEdge> all;
    for (const auto& [key, starts] : open.starts) {
        all.insert(all.end(), starts.begin(), starts.end());
    }
    std::ranges::sort(all, {}, &StartStopEdge::serial);
    return all;
}

void StartStopPairs::finish() {
    if (context_->is_part) {
        return;
    }
    std::vector<StartStopEdge> all = all_of(keyed_);
    const std::vector<StartStopEdge> nested = all_of(nested_);
    all.insert(all.end(), nested.begin(), nested.end());
    std::ranges::sort(all, {}, &StartStopEdge::serial);
    std::ranges::for_each(all, [&](const StartStopEdge& start) { sink_->unpaired(start); });
    keyed_ = nested_ = {};
}

void StartStopPairs::save(Archive& to) {
    std::vector<StartStopEdge> all = first_stops_;
    const std::vector<StartStopEdge> starts = all_of(nested_);
    all.insert(all.end(), starts.begin(), starts.end());
    all.insert(all.end(), kept_.begin(), kept_.end());
    to.number(nested_.peak);
    events_->visit(to, all);
}

void StartStopPairs::stitch(Archive& from) {
    std::size_t peak = 0;
    from.number(peak);
    if (peak > limits::analysis_operations || nested_.count > limits::analysis_operations - peak) {
        ++dropped_; // in a single pass, the limit may have been reached
    }
    std::vector<StartStopEdge> edges;
    events_->visit(from, edges);
    std::ranges::for_each(edges, [this](const StartStopEdge& edge) { pair(edge); });
}

void StartStopPairs::save_state(Archive& to) {
    std::vector<StartStopEdge> all = all_of(keyed_);
    const std::vector<StartStopEdge> nested = all_of(nested_);
    all.insert(all.end(), nested.begin(), nested.end());
    std::size_t open = all.size();
    to.number(open);
    for (const auto& [group, kind] : ambiguous_) {
        all.push_back({.kind = kind, .group = group, .by = PairedBy::fields});
    }
    events_->visit(to, all);
}

void StartStopPairs::load_state(Archive& from) {
    std::size_t open = 0;
    from.number(open);
    std::vector<StartStopEdge> edges;
    events_->visit(from, edges);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        StartStopEdge& edge = edges[i];
        if (i >= open) {
            ambiguous_.emplace(edge.group, edge.kind);
            continue;
        }
        edge.serial = ++serial_;
        Open& to = open_of(edge);
        to.starts[key_of(edge)].push_back(edge);
        to.peak = std::max(to.peak, ++to.count);
    }
}

} // namespace etl::analysis
