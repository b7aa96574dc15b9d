#include <etl/facts/collector.hpp>

#include "facts/batch.hpp"

#include <map>
#include <mutex>

namespace etl::facts {

struct Collector::State {
    std::vector<RecordReader> readers; // one per worker
    std::shared_ptr<const CodePage> code_page;
    std::mutex mutex;                     // of what follows
    std::map<std::size_t, Batch> waiting; // for the batch of an earlier buffer
    std::size_t next = 0;                 // the buffer whose turn it is
    std::unique_ptr<Tables> tables = std::make_unique<Tables>();

    void take_over(std::size_t buffer, Batch&& batch) {
        const std::scoped_lock lock(mutex);
        waiting.emplace(buffer, std::move(batch));
        for (auto first = waiting.begin(); first != waiting.end() && first->first == next;
             first = waiting.begin(), ++next) {
            first->second.move_to(*tables);
            waiting.erase(first);
        }
    }
};

Collector::Collector(std::shared_ptr<const schema::SchemaStore> store, CollectorOptions options,
                     unsigned workers)
    : state_(std::make_unique<State>()) {
    state_->code_page = std::move(options.code_page);
    for (unsigned worker = 0; worker < std::max(1U, workers); ++worker) {
        state_->readers.emplace_back(store, options.pointer_size);
    }
}

Collector::~Collector() = default;

void Collector::add(unsigned worker, std::size_t buffer, std::span<const flow::Event> events) {
    Batch batch(state_->code_page.get());
    RecordReader& reader = state_->readers[worker];
    for (const flow::Event& event : events) {
        const auto subject = subject_of(event);
        if (!subject) [[likely]] {
            continue;
        }
        if (const Reading* reading = reader.read(event, subject->topic)) {
            batch.add(*subject, *reading);
        }
    }
    state_->take_over(buffer, std::move(batch));
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
