#include "match/kind_filter.hpp"

#include "decode/kind_numbers.hpp"
#include "match/kind_verdicts.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace etl::match {

namespace {

/// Whether kinds decide anything, and everything that is not in headers.
bool is_decided_by_kind(const Condition::State& condition) {
    return condition.needs_schemas &&
           std::ranges::none_of(condition.tests, [](const CompiledTest& test) {
               return test.stage == Stage::payload || test.stage == Stage::facts;
           });
}

/// Tests the events of one thread.
class Worker {
public:
    Worker(const Condition& condition, const MatcherInputs& inputs)
        : condition_(condition), decoder_(inputs.schemas, inputs.decoder) {}

    bool may_match(const flow::Event& event) {
        if (untested_ > 0) {
            --untested_;
            return true;
        }
        const bool is_match = matches(event);
        passed_ += is_match ? 1U : 0U;
        if (++tested_ == sample) {
            untested_ = passed_ > sample / 2 ? pause : 0;
            tested_ = 0;
            passed_ = 0;
        }
        return is_match;
    }

private:
    static constexpr std::uint32_t sample = 1024; // events
    static constexpr std::uint32_t pause = 64 * sample;

    /// Of the events of a kind.
    enum class Answer : std::uint8_t { unknown, none, all, some };

    struct AnswersOfTrace {
        std::uint32_t file = 0;
        decode::ByKind<Answer> kinds{};
    };

    bool matches(const flow::Event& event) {
        Answer* const answer = answers_of(event.trace().file).kinds.find(event);
        if (answer == nullptr) {
            return matches_decoded(event);
        }
        if (*answer == Answer::unknown) {
            *answer = ask(event);
        }
        return *answer == Answer::some ? matches_decoded(event) : *answer == Answer::all;
    }

    /// Asks of all kinds among which payloads decide.
    Answer ask(const flow::Event& event) {
        bool has_matches = false, has_others = false;
        decoder_.show_kinds(event, [&](const decode::DecodedEvent& decoded) {
            (is_possible(decoded) ? has_matches : has_others) = true;
        });
        return !has_matches ? Answer::none : !has_others ? Answer::all : Answer::some;
    }

    bool matches_decoded(const flow::Event& event) { return is_possible(decoder_.decode(event)); }

    bool is_possible(const decode::DecodedEvent& event) {
        return verdicts_.of(event, decoder_.generation(), *condition_.state()).truth != Truth::no;
    }

    AnswersOfTrace& answers_of(std::uint32_t file) {
        if (last_ == nullptr || last_->file != file) [[unlikely]] {
            const auto found =
                std::ranges::find(traces_, file, [](const auto& one) { return one->file; });
            last_ = found != traces_.end()
                        ? found->get()
                        : traces_.emplace_back(std::make_unique<AnswersOfTrace>(file)).get();
        }
        return *last_;
    }

    Condition condition_;
    decode::Decoder decoder_;
    KindVerdicts verdicts_;
    std::vector<std::unique_ptr<AnswersOfTrace>> traces_;
    AnswersOfTrace* last_ = nullptr;        // of the event before
    std::uint32_t tested_ = 0, passed_ = 0; // of the sample under way
    std::uint32_t untested_ = 0;            // events that are still to pass
};

std::atomic<std::uint64_t> last_number = 0;

} // namespace

struct KindFilter::State {
    /// Identifies the filter among all of the process: addresses are used again.
    std::uint64_t number = last_number.fetch_add(1) + 1;
    std::atomic<bool> is_started = false;
    Condition condition;
    MatcherInputs inputs;
    std::mutex mutex;
    std::unordered_map<std::thread::id, std::unique_ptr<Worker>> workers;

    Worker& worker_of_thread() {
        struct Known {
            std::uint64_t filter = 0;
            Worker* worker = nullptr;
        };

        thread_local Known known; // of the filter that this thread used last
        if (known.filter != number) [[unlikely]] {
            known = {number, &find_worker()};
        }
        return *known.worker;
    }

    /// A thread that has ended leaves its worker to the next one with its ID.
    Worker& find_worker() {
        const std::thread::id thread = std::this_thread::get_id();
        {
            const std::scoped_lock lock(mutex);
            if (const auto known = workers.find(thread); known != workers.end()) {
                return *known->second;
            }
        }
        auto worker = std::make_unique<Worker>(condition, inputs);
        const std::scoped_lock lock(mutex);
        return *workers.emplace(thread, std::move(worker)).first->second;
    }
};

KindFilter::KindFilter() : state_(std::make_unique<State>()) {}

KindFilter::~KindFilter() = default;

void KindFilter::start(const Condition& condition, const MatcherInputs& inputs) {
    if (is_decided_by_kind(*condition.state())) {
        state_->condition = condition;
        state_->inputs = inputs;
        state_->is_started.store(true, std::memory_order_release);
    }
}

bool KindFilter::may_match(const flow::Event& event) {
    return !state_->is_started.load(std::memory_order_acquire) ||
           state_->worker_of_thread().may_match(event);
}

struct KindTest::State {
    Condition condition;
    decode::Decoder decoder;
};

KindTest::KindTest(const Condition& condition, const MatcherInputs& inputs)
    : state_(new State{condition, decode::Decoder(inputs.schemas, inputs.decoder)}) {}

KindTest::~KindTest() = default;

bool KindTest::may_match(const flow::Event& event) {
    Condition::State& condition = *state_->condition.state();
    bool may_match = false;
    state_->decoder.show_kinds(event, [&](const decode::DecodedEvent& decoded) {
        if (!condition.may_reject_by_header) { // else, other tests choose whose names are suggested
            learn_names(*decoded.kind, condition);
        }
        may_match = may_match || truth_of_kind(decoded, condition) != Truth::no;
    });
    return may_match;
}

} // namespace etl::match
