#include <etl/facts/collector.hpp>
#include <etl/facts/relevance.hpp>
#include <etl/flow/context.hpp>
#include <etl/format/kernel_disk.hpp>

#include "facts/batch.hpp"
#include "facts/statements.hpp"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

namespace etl::facts {

namespace {

/// How long a worker waits for the worker of the earliest buffer, who may have given up. A buffer
/// of the largest size is read within seconds.
constexpr std::chrono::seconds patience{10};

bool is_within(Scope scope, Topic topic) noexcept {
    return scope == Scope::everything || topic == Topic::process || topic == Topic::thread;
}

} // namespace

struct Collector::State {
    std::vector<RecordReader> readers; // one per worker
    Scope scope = Scope::everything;
    std::shared_ptr<const CodePage> code_page;
    std::size_t ahead_bytes = 0;
    std::mutex mutex;                     // of what follows
    std::condition_variable moved;        // next
    std::map<std::size_t, Batch> waiting; // for the batch of an earlier buffer
    std::size_t waiting_bytes = 0;
    std::size_t next = 0;         // the buffer whose turn it is
    std::size_t idle_workers = 0; // those in wait_for_room
    std::optional<std::size_t> overdue;
    std::unique_ptr<Tables> tables = std::make_unique<Tables>();

    void take_over(std::size_t buffer, Batch&& batch) {
        std::unique_lock lock(mutex);
        wait_for_room(lock, buffer, batch.bytes());
        waiting_bytes += batch.bytes();
        waiting.emplace(buffer, std::move(batch));
        for (auto first = waiting.begin(); first != waiting.end() && first->first == next;
             first = waiting.begin(), ++next) {
            waiting_bytes -= first->second.bytes();
            first->second.move_to(*tables);
            waiting.erase(first);
        }
        moved.notify_all();
    }

    // The worker of the earliest buffer does not wait, nor does the last one that is at work: it
    // may still have to bring the earliest buffer. A buffer that does not come is waited for once.
    void wait_for_room(std::unique_lock<std::mutex>& lock, std::size_t buffer, std::size_t bytes) {
        const auto may_go_on = [&] {
            return buffer <= next || overdue == next || waiting_bytes + bytes <= ahead_bytes;
        };
        if (may_go_on() || idle_workers + 1 >= readers.size()) {
            return;
        }
        ++idle_workers;
        for (std::size_t seen = next; !may_go_on(); seen = next) {
            const bool has_moved =
                moved.wait_for(lock, patience, [&] { return next != seen || may_go_on(); });
            if (!has_moved) {
                overdue = next;
            }
        }
        --idle_workers;
    }
};

Collector::Collector(const schema::SchemasByTrace& schemas, CollectorOptions options,
                     unsigned workers)
    : state_(std::make_unique<State>()) {
    state_->scope = options.scope;
    state_->code_page = std::move(options.code_page);
    state_->ahead_bytes = options.ahead_bytes;
    for (unsigned worker = 0; worker < std::max(1U, workers); ++worker) {
        state_->readers.emplace_back(schemas, options.pointer_size);
    }
}

Collector::~Collector() = default;

void Collector::add(unsigned worker, std::size_t buffer, std::span<const flow::Event> events) {
    Batch batch(state_->code_page.get());
    RecordReader& reader = state_->readers[worker];
    for (const flow::Event& event : events) {
        batch.add(class_sources_of(event));
        for_each_statement(event, [&](const ThreadStatement& one) { batch.add(one); });
        if (state_->scope == Scope::everything) {
            batch.add_runtime(event, flow::runtime_record_of(event));
        }
        const auto subject = subject_of(event);
        if (!subject || !is_within(state_->scope, subject->topic)) [[likely]] {
            if (may_have_sampling_interval(event)) [[unlikely]] {
                batch.add_sampling(event);
            }
            continue;
        }
        if (const Reading* reading = reader.read(event, subject->topic)) {
            batch.add(*subject, *reading);
        }
    }
    state_->take_over(buffer, std::move(batch));
}

bool may_have_facts(const flow::Event& event, Scope scope) noexcept {
    const auto subject = subject_of(event);
    return (subject && is_within(scope, subject->topic)) ||
           (scope == Scope::everything &&
            flow::runtime_record_of(event) != flow::RuntimeRecord::none);
}

ClassSources class_sources_of(const flow::Event& event) noexcept {
    constexpr unsigned disk_io = 0x01, file_io = 0x04; // groups
    constexpr unsigned first_operation = 64, last_operation = 81, completion = 76;
    const auto hook = flow::kernel_hook_of(event);
    const unsigned type = hook ? *hook & 0xFFU : 0U;
    switch (hook ? *hook >> 8U : 0U) {
    case disk_io:
        return {.disk_io = format::is_disk_completion(*hook)};
    case file_io:
        return {.file_io = type >= first_operation && type <= last_operation && type != completion};
    default:
        return {};
    }
}

bool may_have_sampling_interval(const flow::Event& event) noexcept {
    constexpr std::uint16_t set_interval = 0x0F48, collection_end = 0x0F4A;
    const auto hook = flow::kernel_hook_of(event);
    return hook && *hook >= set_interval && *hook <= collection_end;
}

Facts Collector::finish() {
    for (auto& [buffer, batch] : state_->waiting) { // where numbers were left out
        batch.move_to(*state_->tables);
    }
    state_->waiting.clear();
    state_->tables->build();
    return Facts(std::move(state_->tables));
}

} // namespace etl::facts
