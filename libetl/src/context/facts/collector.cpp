#include "facts/collector.hpp"

#include "facts/batch.hpp"
#include "facts/relevance.hpp"
#include "facts/statements.hpp"
#include "facts/subject.hpp"
#include "flow/context.hpp"

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

} // namespace

struct Collector::State {
    std::vector<RecordReader> readers; // one per worker
    Scope scope = Scope::everything;
    std::optional<Interest> interest; // of the scope
    std::shared_ptr<const CodePage> code_page;
    std::size_t ahead_bytes = 0;
    const Stop* stop = nullptr;
    std::mutex mutex;                     // of what follows
    std::condition_variable moved;        // next
    std::map<std::size_t, Batch> waiting; // for the batch of an earlier buffer
    std::size_t waiting_bytes = 0;
    std::size_t next = 0;         // the buffer whose turn it is
    std::size_t idle_workers = 0; // those in wait_for_room
    std::optional<std::size_t> overdue;
    std::unique_ptr<Tables> tables = std::make_unique<Tables>();

    void add(Batch& batch, const flow::Event& event, unsigned parts, RecordReader& reader);

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
    state_->interest.emplace(options.scope);
    state_->code_page = std::move(options.code_page);
    state_->ahead_bytes = options.ahead_bytes;
    state_->stop = options.stop;
    for (unsigned worker = 0; worker < std::max(1U, workers); ++worker) {
        state_->readers.emplace_back(schemas, options.pointer_size);
    }
}

Collector::~Collector() = default;

/// Adds the parts of an event that Interest has found.
void Collector::State::add(Batch& batch, const flow::Event& event, unsigned parts,
                           RecordReader& reader) {
    if ((parts & Interest::source) != 0) {
        batch.add(class_sources_of(event));
    }
    if ((parts & Interest::stack) != 0 && event.has_time) {
        if (const auto thread = stack_statement_of(event)) {
            batch.add(*thread);
        }
    }
    if ((parts & Interest::runtime) != 0) {
        batch.add_runtime(event, flow::runtime_record_of(event));
    }
    if ((parts & Interest::sampling) != 0 && may_have_sampling_interval(event)) {
        batch.add_sampling(event);
    }
    const auto subject = (parts & Interest::subject) != 0 ? subject_of(event) : std::nullopt;
    if (subject && is_within(scope, subject->topic)) {
        if (const Reading* reading = reader.read(event, subject->topic)) {
            batch.add(*subject, *reading);
        }
    }
}

void Collector::add(unsigned worker, std::size_t buffer, std::span<const flow::Event> events) {
    Batch batch(state_->code_page.get());
    RecordReader& reader = state_->readers[worker];
    const Interest& interest = *state_->interest;
    for (const flow::Event& event : events) {
        if (const auto thread = event.has_time ? header_statement_of(event) : std::nullopt) {
            batch.add(*thread);
        }
        if (const unsigned parts = interest.parts_of(event); parts != 0) [[unlikely]] {
            state_->add(batch, event, parts, reader);
        }
    }
    state_->take_over(buffer, std::move(batch));
}

bool may_have_facts(const flow::Event& event, Scope scope) noexcept {
    const auto subject = subject_of(event);
    const bool is_stack =
        subject && (subject->topic == Topic::stack || subject->topic == Topic::kernel_key ||
                    subject->topic == Topic::user_key);
    return subject && !is_stack && is_within(scope, subject->topic);
}

ClassSources class_sources_of(const flow::Event& event) noexcept {
    const auto hook = flow::kernel_hook_of(event);
    return hook ? class_sources_of_hook(*hook) : ClassSources{};
}

bool may_have_sampling_interval(const flow::Event& event) noexcept {
    const auto hook = flow::kernel_hook_of(event);
    return hook && is_sampling_interval(*hook);
}

Facts Collector::finish() {
    if (state_->stop != nullptr && state_->stop->is_requested()) {
        return {};
    }
    for (auto& [buffer, batch] : state_->waiting) { // where numbers were left out
        batch.move_to(*state_->tables);
    }
    state_->waiting.clear();
    state_->tables->build();
    return Facts(std::move(state_->tables));
}

} // namespace etl::facts
