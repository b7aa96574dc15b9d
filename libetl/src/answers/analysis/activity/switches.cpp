#include "analysis/activity/switches.hpp"

#include "format/thread_states.hpp"

namespace etl::analysis {

namespace {

constexpr std::uint32_t switch_detail = 410, ready_detail = 411;

enum SwitchDetail : unsigned {
    at_to_thread,
    at_from_thread,
    at_to_priority,
    at_from_priority,
    at_c_state,
    at_wait_reason,
    at_wait_mode,
    at_from_state,
    at_ideal_processor,
    at_wait_time,
};

enum ReadyDetail : unsigned { at_ready_thread, at_adjust_reason, at_adjust_increment, at_flag };

std::uint8_t byte_of(const Record& record, unsigned field) noexcept {
    return static_cast<std::uint8_t>(record.number(field));
}

std::int8_t signed_of(const Record& record, unsigned field) noexcept {
    return static_cast<std::int8_t>(record.number(field));
}

} // namespace

void Switches::subscribe(Subscriptions& subscriptions) {
    scheduling_.subscribe(subscriptions, Scheduling::Records::from_analyzer);
    subscriptions.hook(0x0524, switch_detail,
                       {"NewThreadId", "OldThreadId", "NewThreadPriority", "OldThreadPriority",
                        "PreviousCState", "OldThreadWaitReason", "OldThreadWaitMode",
                        "OldThreadState", "OldThreadWaitIdealProcessor", "NewThreadWaitTime"});
    subscriptions.hook(0x0532, ready_detail,
                       {"TThreadId", "AdjustReason", "AdjustIncrement", "Flag"});
}

bool Switches::takes(std::uint32_t tag) noexcept {
    return tag == Scheduling::switch_tag || tag == Scheduling::ready_tag ||
           tag == Scheduling::start_tag || tag == Scheduling::end_tag || tag == switch_detail ||
           tag == ready_detail;
}

void Switches::start(Context& context) {
    context_ = &context;
    scheduling_.start(context);
}

void Switches::add(const Record& record) {
    if (record.tag == switch_detail) {
        show_switch(record);
    } else if (record.tag == ready_detail) {
        show_ready(record);
    } else {
        scheduling_.add(record);
    }
}

ThreadRow Switches::row_of(ThreadRef thread) {
    if (thread >= rows_.size()) {
        rows_.resize(thread + std::size_t{1} + rows_.size());
    }
    if (rows_[thread] == 0) {
        Owners& owners = *context_->owners;
        rows_[thread] = threads_->row_of(owners.owner_of(thread), owners.id_of(thread));
    }
    return rows_[thread];
}

bool Switches::is_selected(ThreadRow row) const noexcept {
    return (*context_->owners)[(*threads_)[row].owner].is_selected;
}

void Switches::ran(std::uint16_t processor, ThreadRef thread, std::int64_t from, std::int64_t to) {
    const ThreadRow row = row_of(thread);
    if (context_->owners->id_of(thread) != 0 && context_->cut(from, to) != 0 && is_selected(row)) {
        sink_->ran({std::max(from, context_->begin), to, row, processor});
        use_->add_run(from, to);
    }
}

void Switches::switched(std::uint16_t processor, ThreadRef thread, const Record& record) {
    if (record.in_range && is_selected(row_of(thread))) {
        ++switches_;
    }
    if (processor >= running_.size()) {
        running_.resize(processor + std::size_t{1}, flow::no_id);
    }
    running_[processor] = context_->owners->id_of(thread);
}

void Switches::waited(const Wait& wait, const SwitchIn& at) {
    const ThreadRow row = row_of(wait.thread);
    if (at.in_range && is_selected(row)) {
        sink_->waited({.from = std::max(wait.from, context_->begin),
                       .to = std::max(wait.to, context_->begin),
                       .thread = row,
                       .reason = format::wait_reason_name(wait.reason),
                       .waker = wait.waker ? std::optional(row_of(*wait.waker)) : std::nullopt,
                       .by_dpc = wait.by_dpc});
    }
}

void Switches::show_switch(const Record& record) {
    if (!record.in_range || !record.has(at_to_thread) || !record.has(at_from_thread) ||
        context_->owners->is_selective()) {
        return;
    }
    sink_->switched({.time = record.time,
                     .to = record.number32(at_to_thread),
                     .from = record.number32(at_from_thread),
                     .to_priority = signed_of(record, at_to_priority),
                     .from_priority = signed_of(record, at_from_priority),
                     .c_state = byte_of(record, at_c_state),
                     .wait_reason = byte_of(record, at_wait_reason),
                     .wait_mode = byte_of(record, at_wait_mode),
                     .state = byte_of(record, at_from_state),
                     .ideal_processor = byte_of(record, at_ideal_processor),
                     .wait_time = record.number32(at_wait_time),
                     .processor = record.processor()});
}

void Switches::show_ready(const Record& record) {
    if (!record.in_range || !record.has(at_ready_thread) || context_->owners->is_selective()) {
        return;
    }
    const std::uint16_t processor = record.processor();
    sink_->readied({.time = record.time,
                    .thread = record.number32(at_ready_thread),
                    .by = processor < running_.size() ? running_[processor] : flow::no_id,
                    .adjust_reason = byte_of(record, at_adjust_reason),
                    .flag = byte_of(record, at_flag),
                    .adjust_increment = signed_of(record, at_adjust_increment),
                    .processor = processor});
}

} // namespace etl::analysis
