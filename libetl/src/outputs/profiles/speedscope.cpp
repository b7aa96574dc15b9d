// speedscope: src/lib/file-format-spec.ts of github.com/jlfwong/speedscope.
// docs/profilers.md#speedscope
#include "base/json_object.hpp"
#include "profiles/limits.hpp"
#include "profiles/writers.hpp"

#include <algorithm>
#include <numeric>

namespace etl::profiles {

namespace {

using analysis::FunctionIndex;
using analysis::StackRef;
using analysis::StackTable;
using analysis::ThreadRow;

/// A profile of each thread that was sampled, and of each counter of it, with its samples in time
/// order. Equal neighbors are one sample.
class Speedscope final : public ProfileWriter {
public:
    Speedscope(Output& output, ProfileOptions options)
        : options_(std::move(options)), to_(output) {}

    void start(const analysis::ActivityContext& context) override { context_ = context; }

    void sample(const analysis::ThreadSample& sample) override {
        add(threads_, sample.thread, sample.stack, sample.weight_ns);
    }

    void counter_sample(const analysis::CounterSample& sample) override {
        if (sample.source >= counters_.size()) {
            counters_.resize(sample.source + std::size_t{1});
        }
        add(counters_[sample.source], sample.thread, sample.stack, sample.weight);
    }

    void finish() override {
        if (samples_ == 0) {
            return;
        }
        to_.text() += R"({"$schema":"https://www.speedscope.app/file-format-schema.json")";
        append_member("exporter", options_.exporter);
        append_member("name", options_.title);
        to_.text() += R"(,"activeProfileIndex":0,"shared":{"frames":[)";
        write_frames();
        to_.text() += "]},\"profiles\":[";
        std::string_view separator = "\n";
        const auto write_all = [&](const Threads& threads, std::string_view counter,
                                   std::string_view unit) {
            for (const ThreadRow row : busiest_first(threads)) {
                to_.text() += separator;
                write_profile(threads[row], title_of(row, counter), unit);
                separator = ",\n";
            }
        };
        write_all(threads_, {}, "nanoseconds");
        for (std::size_t i = 0; i < counters_.size(); ++i) {
            write_all(counters_[i], (*context_.sources)[i].name, "none");
        }
        to_.text() += "]}\n";
        to_.flush();
    }

    const Error* error() const noexcept override { return to_.error(); }

    std::vector<Omission> omissions() const override {
        return {{"samples", dropped_}, {"stacks", stacks_.dropped()}};
    }

private:
    struct Sample {
        StackRef stack = StackTable::root;
        std::uint64_t weight = 0; // nanoseconds; of counters events, or samples
    };

    struct Thread {
        std::vector<Sample> samples;
        std::uint64_t weight = 0;
    };

    using Threads = std::vector<Thread>; // by ThreadRow

    void add(Threads& threads, ThreadRow row, const analysis::Stack& with, std::uint64_t weight) {
        if (row >= threads.size()) {
            threads.resize(row + std::size_t{1});
        }
        Thread& thread = threads[row];
        const StackRef stack = stacks_.add(with);
        if (!thread.samples.empty() && thread.samples.back().stack == stack) {
            thread.samples.back().weight += weight;
        } else if (samples_ == limits::samples) {
            ++dropped_;
            return;
        } else {
            thread.samples.push_back({.stack = stack, .weight = weight});
            ++samples_;
        }
        thread.weight += weight;
    }

    /// `kettle.exe (100) thread 104: CacheMisses`
    std::string title_of(ThreadRow row, std::string_view counter) const {
        std::string title = thread_title(context_, row);
        return counter.empty() ? title : title.append(": ").append(counter);
    }

    void append_member(std::string_view key, std::string_view text) {
        to_.text() += ',';
        append_json_string(to_.text(), key);
        to_.text() += ':';
        append_json_string(to_.text(), text);
    }

    void write_frames() {
        const analysis::Frames& frames = *context_.frames;
        std::string name;
        for (FunctionIndex i = 0; i < frames.functions(); ++i) {
            name.clear();
            frames.function(i).append_to(name);
            to_.text() += i == 0 ? "\n" : ",\n";
            to_.text() += JsonObject().text("name", name).take();
            to_.write_batch();
        }
    }

    /// The threads with samples: the profile that is shown first has the most.
    static std::vector<ThreadRow> busiest_first(const Threads& threads) {
        std::vector<ThreadRow> rows(threads.size());
        std::iota(rows.begin(), rows.end(), ThreadRow{0});
        std::erase_if(rows, [&](ThreadRow row) { return threads[row].samples.empty(); });
        std::ranges::stable_sort(rows, std::greater{},
                                 [&](ThreadRow row) { return threads[row].weight; });
        return rows;
    }

    void write_profile(const Thread& thread, std::string_view title, std::string_view unit) {
        to_.text() += R"({"type":"sampled")";
        append_member("name", title);
        append_member("unit", unit);
        to_.text() += R"(,"startValue":0,"endValue":)";
        append_decimal(to_.text(), thread.weight);
        to_.text() += ",\"samples\":[";
        write_list(thread.samples, [&](const Sample& sample) { append_stack(sample.stack); });
        to_.text() += "],\"weights\":[";
        write_list(thread.samples,
                   [&](const Sample& sample) { append_decimal(to_.text(), sample.weight); });
        to_.text() += "]}";
    }

    template <typename Append>
    void write_list(const std::vector<Sample>& samples, Append append) {
        bool is_first = true;
        for (const Sample& sample : samples) {
            if (!std::exchange(is_first, false)) {
                to_.text() += ',';
            }
            append(sample);
            to_.write_batch();
        }
    }

    /// The functions, outermost first.
    void append_stack(StackRef stack) {
        functions_.clear();
        for (StackRef node = stack; node != StackTable::root; node = stacks_[node].parent) {
            functions_.push_back((*context_.frames)[stacks_[node].frame].function);
        }
        to_.text() += '[';
        for (std::size_t i = functions_.size(); i-- > 0;) {
            append_decimal(to_.text(), functions_[i]);
            to_.text() += i == 0 ? "" : ",";
        }
        to_.text() += ']';
    }

    ProfileOptions options_;
    analysis::ActivityContext context_;
    Batches to_;
    StackTable stacks_;
    Threads threads_;
    std::vector<Threads> counters_; // by source
    std::vector<FunctionIndex> functions_;
    std::uint64_t samples_ = 0, dropped_ = 0;
};

} // namespace

std::unique_ptr<ProfileWriter> make_speedscope(Output& output, ProfileOptions options) {
    return std::make_unique<Speedscope>(output, std::move(options));
}

} // namespace etl::profiles
