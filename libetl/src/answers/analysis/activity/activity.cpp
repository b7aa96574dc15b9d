#include "analysis/activity.hpp"

#include "analysis/activity/kernel_slices.hpp"
#include "analysis/activity/start_stop.hpp"
#include "analysis/activity/switches.hpp"
#include "analysis/analyzer.hpp"
#include "analysis/counter_samples.hpp"
#include "analysis/groups.hpp"
#include "analysis/samples.hpp"

namespace etl::analysis {

namespace {

constexpr std::uint32_t thread_name_tag = 400;

/// Names of threads, by the events that list or name them.
class ThreadNames {
public:
    static void subscribe(Subscriptions& subscriptions) {
        for (const std::uint16_t hook : // Start, End, DCStart, DCEnd, SetName
             std::initializer_list<std::uint16_t>{0x0501, 0x0502, 0x0503, 0x0504, 0x0548}) {
            subscriptions.hook(hook, thread_name_tag,
                               {"ProcessId", "TThreadId", "ThreadId", "ThreadName"}, Use::context);
        }
    }

    static void add(const Record& record, Owners& owners, ActivityThreads& threads) {
        enum Field : unsigned { process, listed_thread, named_thread, name };

        const unsigned thread = record.has(listed_thread) ? listed_thread : named_thread;
        if (!record.has(name) || !record.has(thread)) {
            return;
        }
        std::string text = terminated_utf16(record.rest(name));
        if (!text.empty()) {
            const OwnerRef owner = owners.process(record.number32(process), record.time);
            threads.set_name(threads.row_of(owner, record.number32(thread)), std::move(text));
        }
    }
};

class Activity final : public Analyzer {
public:
    explicit Activity(ActivitySink& sink) : sink_(&sink) {}

    void subscribe(Subscriptions& subscriptions) override {
        Samples::subscribe(subscriptions);
        CounterSamples::subscribe(subscriptions);
        Frames::subscribe(subscriptions);
        ThreadNames::subscribe(subscriptions);
        if (!sink_->takes_samples_only()) {
            switches_.subscribe(subscriptions);
            KernelSlices::subscribe(subscriptions);
            IoRecords::subscribe(subscriptions);
            subscriptions.everything();
        }
    }

    void start(Context& context) override {
        Analyzer::start(context);
        samples_.start(context);
        counter_samples_.start(context);
        use_.start(context);
        switches_.start(context);
        start_stop_.start(context);
        sink_->start(shown_ = {&context, &stacks_.frames(), &threads_, &sources_});
    }

    void add(const Record& record) override {
        if (!record.event->has_time && !Frames::takes(record.tag) &&
            record.tag != thread_name_tag) {
            return; // it has no place on a time line; the coverage counts it
        }
        if (record.tag == everything_tag) {
            start_stop_.add(record);
        } else if (Switches::takes(record.tag)) {
            switches_.add(record);
        } else if (KernelSlices::takes(record.tag)) {
            kernel_.add(context(), record);
        } else if (IoRecords::takes(record.tag)) {
            io_.add(context(), record);
        } else if (Samples::takes(record.tag)) {
            if (samples_.take(record)) {
                add_sample(record);
            }
        } else if (CounterSamples::takes(record.tag)) {
            if (counter_samples_.take(record)) {
                add_counter_sample(record);
            }
        } else if (record.tag == thread_name_tag) {
            ThreadNames::add(record, *context().owners, threads_);
        } else if (Frames::takes(record.tag)) {
            stacks_.frames().forget();
        }
    }

    Table finish() override {
        switches_.finish();
        start_stop_.finish();
        counters_ = sink_->takes_samples_only() ? 0 : use_.show(*sink_);
        sink_->finish();
        Table table;
        table.name = "activity";
        table.columns = {sum_column("samples"), sum_column("sampled_ns", Unit::nanoseconds),
                         sum_column("counter_samples")};
        table.rows.push_back({.cells = {count_, weight_, counter_count_}});
        table.coverage.remainders = {{"samples_without_stack", without_stack_},
                                     {"dropped_frames", stacks_.frames().dropped()},
                                     {"dropped_threads", threads_.dropped()}};
        if (!sink_->takes_samples_only()) {
            add_others(table);
        }
        samples_.report_time(table, {"samples", "sampled_ns"},
                             counter_count_ == 0 ? "samples" : "samples of time");
        return table;
    }

private:
    /// What only some sinks take.
    void add_others(Table& table) const {
        for (const std::string_view name : {"switches", "slices", "marks", "counters"}) {
            table.columns.push_back(sum_column(name));
        }
        const std::uint64_t counts[] = {
            switches_.switches(), kernel_.slices() + start_stop_.slices(),
            kernel_.marks() + start_stop_.marks(), kernel_.counters() + counters_};
        table.rows.front().cells.insert(table.rows.front().cells.end(), std::begin(counts),
                                        std::end(counts));
        if (!switches_.scheduling().has_switches()) {
            set_missing(table, "context switches", {"switches"}, record_switches);
        }
        table.coverage.remainders.push_back({"dropped_switches", switches_.scheduling().dropped()});
        table.coverage.remainders.push_back({"guessed_pairs", start_stop_.guesses()});
        table.coverage.remainders.push_back({"unpaired_starts", start_stop_.unpaired_starts()});
        table.coverage.remainders.push_back({"unpaired_stops", start_stop_.unpaired_stops()});
        table.coverage.remainders.push_back({"dropped_operations", start_stop_.dropped()});
    }

    void add_sample(const Record& record) {
        const auto source = Samples::source_of(record, *context().owners);
        if (!source) {
            return;
        }
        const ThreadSample sample{.time = record.time,
                                  .thread = thread_of(*source),
                                  .processor = record.processor(),
                                  .weight_ns = samples_.weight(record),
                                  .interval_ns = samples_.interval_ns(),
                                  .stack = stacks_.read(context(), source->place)};
        ++count_;
        weight_ += sample.weight_ns;
        without_stack_ += sample.stack.end == StackEnd::missing ? 1 : 0;
        use_.add_sample(sample.time, sample.weight_ns);
        sink_->sample(sample);
    }

    void add_counter_sample(const Record& record) {
        const auto place = counter_samples_.place_of(record);
        if (!place) {
            return;
        }
        const std::uint32_t source = source_of(record);
        const CounterSample sample{.time = record.time,
                                   .thread = thread_of(*place),
                                   .processor = record.processor(),
                                   .source = source,
                                   .weight = sources_[source].counts_events
                                                 ? counter_samples_.weight(record).value_or(1)
                                                 : 1,
                                   .stack = stacks_.read(context(), place->place)};
        ++counter_count_;
        without_stack_ += sample.stack.end == StackEnd::missing ? 1 : 0;
        sink_->counter_sample(sample);
    }

    ThreadRow thread_of(const Samples::Source& place) {
        return place.is_interrupt() ? threads_.row_of(place.interrupt, std::nullopt)
                                    : threads_.row_of(place.owner, place.place.thread);
    }

    std::uint32_t source_of(const Record& record) {
        const std::uint32_t number = CounterSamples::source_of(record);
        if (const auto known = source_numbers_.find(number); known != source_numbers_.end()) {
            return known->second;
        }
        constexpr auto last = static_cast<std::uint32_t>(limits::analysis_counter_sources - 1);
        if (sources_.size() >= last) {
            sources_.resize(last + std::size_t{1}, {.name = "(other)"});
            return last;
        }
        const auto added = static_cast<std::uint32_t>(sources_.size());
        source_numbers_.emplace(number, added);
        sources_.push_back({.name = counter_samples_.name(number),
                            .counts_events = counter_samples_.weight(record).has_value()});
        return added;
    }

    ActivitySink* sink_;
    ActivityContext shown_;
    Samples samples_;
    CounterSamples counter_samples_;
    std::vector<CounterSource> sources_;
    std::unordered_map<std::uint32_t, std::uint32_t> source_numbers_; // by number of the source
    StackReader stacks_;
    ActivityThreads threads_;
    UseCounters use_;
    Switches switches_{*sink_, threads_, use_};
    StartStop start_stop_{*sink_, threads_};
    KernelSlices kernel_{*sink_, threads_, stacks_.frames(), use_};
    IoRecords io_{*sink_};
    std::uint64_t count_ = 0, weight_ = 0, without_stack_ = 0, counters_ = 0, counter_count_ = 0;
};

} // namespace

ActivityThreads::ActivityThreads() : all_(1) {}

ThreadRow ActivityThreads::row_of(OwnerRef owner, std::optional<std::uint32_t> id) {
    const std::uint64_t key = std::uint64_t{owner} << 32U | id.value_or(flow::no_id);
    if (const auto known = by_id_.find(key); known != by_id_.end()) {
        return known->second;
    }
    if (all_.size() >= limits::analysis_threads) {
        ++dropped_;
        return 0;
    }
    const auto added = static_cast<ThreadRow>(all_.size());
    by_id_.emplace(key, added);
    all_.push_back({.owner = owner, .id = id, .name = {}});
    return added;
}

std::unique_ptr<Analyzer> make_activity(ActivitySink& sink) {
    return std::make_unique<Activity>(sink);
}

} // namespace etl::analysis
