#include "analysis/activity/start_stop.hpp"

#include <etl/base/text.hpp>
#include <etl/format/records.hpp>

#include <algorithm>

namespace etl::analysis {

namespace {

constexpr std::uint8_t start_opcode = 1, stop_opcode = 2;

/// `Boil` of `Boil/Start`.
std::string_view without_opcode(std::string_view name) noexcept {
    for (const std::string_view ending : {"/Start", "/Stop"}) {
        if (name.size() > ending.size() && name.ends_with(ending)) {
            return name.substr(0, name.size() - ending.size());
        }
    }
    return name;
}

} // namespace

std::size_t StartStop::KeyHash::operator()(const Key& key) const noexcept {
    const auto half = [](const Guid& guid, std::size_t at) {
        return load_le<std::uint64_t>(guid.bytes.data() + at);
    };
    const std::uint64_t rest = std::uint64_t{key.thread} << 16U | key.task;
    return GroupKeyHash{}({half(key.provider, 0) ^ half(key.provider, 8),
                           half(key.activity, 0) ^ half(key.activity, 8), rest});
}

void StartStop::start(const Context& context) {
    context_ = &context;
    decoder_ = std::make_unique<decode::Decoder>(*context.schemas);
}

void StartStop::add(const Record& record) {
    const flow::Event& event = *record.event;
    if (!format::is_event(event.kind)) {
        return;
    }
    const auto opcode = flow::stored<format::event_record::opcode>(event);
    if (opcode != start_opcode && opcode != stop_opcode) {
        return;
    }
    const std::uint32_t thread = flow::stored<format::event_record::thread_id>(event);
    Key key{.provider = flow::stored<format::event_record::provider_id>(event),
            .activity = flow::stored<format::event_record::activity_id>(event),
            .task = flow::stored<format::event_record::task>(event)};
    const bool has_activity = key.activity != Guid{};
    if (!has_activity) {
        key.thread = thread;
    }
    const std::uint32_t process = flow::stored<format::event_record::process_id>(event);
    const Open one = opened(record, thread, process);
    // Without an activity and a task, nothing says which start a stop belongs to.
    const bool can_pair = has_activity || key.task != 0;
    if (opcode == start_opcode && can_pair) {
        begin(key, one);
    } else if (record.in_range && (opcode == start_opcode || !can_pair || !end(key, one))) {
        show_mark(one, opcode == start_opcode ? "/Start" : "/Stop");
    } else if (!record.in_range && opcode == stop_opcode && can_pair) {
        end(key, one);
    }
}

StartStop::Open StartStop::opened(const Record& record, std::uint32_t thread,
                                  std::uint32_t process) {
    const decode::EventKind& kind = *decoder_->decode(*record.event).kind;
    std::string_view name = kind.task_name;
    if (name.empty() && kind.event) {
        name = without_opcode(*kind.event);
    }
    std::string unnamed;
    if (name.empty()) {
        unnamed = "event ";
        append_decimal(unnamed, flow::stored<format::event_record::id>(*record.event));
        name = unnamed;
    }
    std::string guid;
    if (!kind.provider) {
        guid = to_string(flow::stored<format::event_record::provider_id>(*record.event));
    }
    Owners& owners = *context_->owners;
    const OwnerRef owner = owners.process_now(process, record.time);
    return {.from = record.time,
            .category = texts_.number_of(kind.provider ? *kind.provider : guid),
            .name = texts_.number_of(name),
            .thread = threads_->row_of(owner, thread),
            .serial = ++serial_};
}

void StartStop::begin(const Key& key, const Open& open) {
    if (count_ >= limits::analysis_operations) {
        ++dropped_;
        return;
    }
    ++count_;
    open_[key].push_back(open);
    nesting_[open.thread].push_back(open.serial);
}

/// The latest start with the name and thread of the stop, else with its name, its thread, or any.
bool StartStop::end(const Key& key, const Open& stop) {
    const auto found = open_.find(key);
    if (found == open_.end()) {
        return false;
    }
    std::vector<Open>& starts = found->second;
    constexpr std::ptrdiff_t most = 64; // starts of one task are soon stopped
    const auto likeness = [&](const Open& open) {
        return (open.name == stop.name ? 2 : 0) + (open.thread == stop.thread ? 1 : 0);
    };
    const auto start =
        std::max_element(starts.rbegin(), starts.rbegin() + std::min(most, std::ssize(starts)),
                         [&](const Open& a, const Open& b) { return likeness(a) < likeness(b); });
    const Open open = *start;
    starts.erase(std::next(start).base());
    if (starts.empty()) {
        open_.erase(found);
    }
    --count_;
    std::vector<std::uint64_t>& nesting = nesting_[open.thread];
    const bool is_innermost = nesting.back() == open.serial;
    std::erase(nesting, open.serial);
    if (stop.from < context_->begin ||
        !(*context_->owners)[(*threads_)[open.thread].owner].is_selected) {
        return true;
    }
    ++slices_;
    sink_->slice({.from = open.from,
                  .to = stop.from,
                  .thread = open.thread,
                  .processor = {},
                  .category = texts_.text(open.category),
                  .name = texts_.text(open.name),
                  .is_nested = is_innermost && stop.thread == open.thread});
    return true;
}

void StartStop::show_mark(const Open& open, std::string_view suffix) {
    if (!(*context_->owners)[(*threads_)[open.thread].owner].is_selected) {
        return;
    }
    ++marks_;
    const std::string name = std::string(texts_.text(open.name)).append(suffix);
    sink_->mark({.time = open.from,
                 .thread = open.thread,
                 .category = texts_.text(open.category),
                 .name = name});
}

void StartStop::finish() {
    std::vector<Open> all;
    for (const auto& [key, starts] : open_) {
        std::ranges::copy_if(starts, std::back_inserter(all),
                             [&](const Open& open) { return open.from >= context_->begin; });
    }
    std::ranges::sort(all, {}, &Open::serial);
    std::ranges::for_each(all, [&](const Open& open) { show_mark(open, "/Start"); });
}

} // namespace etl::analysis
