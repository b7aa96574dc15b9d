// Processed profiles of the Firefox Profiler, version 66: src/types/profile.ts of
// github.com/firefox-devtools/profiler. docs/profilers.md#firefox
#include "base/json_object.hpp"
#include "base/unix_time.hpp"
#include "profiles/json/firefox_tables.hpp"
#include "profiles/limits.hpp"
#include "profiles/makers.hpp"
#include "profiles/output/thread_names.hpp"

#include <algorithm>
#include <map>

namespace etl::profiles {

namespace {

using analysis::ActivityThread;
using analysis::StackRef;
using analysis::StackTable;
using analysis::ThreadRow;

/// Samples and markers by thread, and tables that all threads share.
class Firefox final : public ProfileWriter {
public:
    Firefox(Output& output, ProfileOptions options)
        : options_(std::move(options)), to_(output), json_(to_), tables_(to_, json_) {}

    void start(const analysis::ActivityContext& context) override { context_ = context; }

    bool takes_samples_only() const noexcept override { return false; }

    void sample(const analysis::ThreadSample& sample) override {
        interval_ns_ = sample.interval_ns;
        if (samples_ >= limits::profile_samples) {
            ++dropped_samples_;
            return;
        }
        ++samples_;
        of(sample.thread)
            .samples.push_back(
                {.since_ns = context_.since_begin(sample.time),
                 .stack = stacks_.add(sample.stack),
                 .count = sample.weight_ns / std::max<std::uint64_t>(sample.interval_ns, 1)});
    }

    void counter_sample(const analysis::CounterSample& sample) override {
        if (samples_ >= limits::profile_samples) {
            ++dropped_samples_;
            return;
        }
        ++samples_;
        counters_[{sample.thread, sample.source}].push_back(
            {.since_ns = context_.since_begin(sample.time),
             .stack = stacks_.add(sample.stack),
             .count = sample.weight});
    }

    void waited(const analysis::ThreadWait& wait) override {
        std::string name = "wait";
        if (!wait.reason.empty()) {
            name.append(": ").append(wait.reason);
        }
        add_marker(wait.thread, name, wait.from, wait.to);
    }

    void slice(const analysis::Slice& slice) override {
        add_marker(slice.thread, slice.name, slice.from, slice.to);
    }

    void mark(const analysis::Mark& mark) override {
        add_marker(mark.thread, mark.name, mark.time, std::nullopt);
    }

    void finish() override {
        if (threads_.empty() && counters_.empty()) {
            return;
        }
        to_.text() += "{\"meta\":" + meta() + ",\"libs\":";
        tables_.write_libs(context_);
        to_.text() += ",\n\"shared\":";
        tables_.write_shared(*context_.frames, stacks_);
        to_.text() += ",\n\"threads\":[";
        write_threads();
        to_.text() += "]}\n";
        to_.flush();
    }

    const Error* error() const noexcept override { return to_.error(); }

    std::vector<Omission> omissions() const override {
        return {{"samples", dropped_samples_},
                {"markers", dropped_markers_},
                {"stacks", stacks_.dropped()}};
    }

private:
    struct Sample {
        std::uint64_t since_ns = 0;
        StackRef stack = StackTable::root;
        std::uint64_t count = 0; // of samples, or of events
    };

    struct Marker {
        std::uint64_t from_ns = 0, duration_ns = 0;
        std::uint32_t name = 0;
        bool is_interval = false;
    };

    struct Thread {
        std::vector<Sample> samples;
        std::vector<Marker> markers;
    };

    Thread& of(ThreadRow row) {
        if (row >= threads_.size()) {
            threads_.resize(row + std::size_t{1});
        }
        return threads_[row];
    }

    void add_marker(ThreadRow row, std::string_view name, std::int64_t from,
                    std::optional<std::int64_t> to) {
        if (markers_ >= limits::profile_markers) {
            ++dropped_markers_;
            return;
        }
        ++markers_;
        const std::uint64_t begin = context_.since_begin(from);
        of(row).markers.push_back({.from_ns = begin,
                                   .duration_ns = to ? context_.since_begin(*to) - begin : 0,
                                   .name = tables_.text(name),
                                   .is_interval = to.has_value()});
    }

    std::string meta() const {
        const analysis::Context& pass = *context_.pass;
        constexpr std::int64_t ticks_of_ms = 10'000;
        const std::int64_t begin = unix_ticks(pass.trace->clock.to_filetime(pass.begin));
        const std::string start = std::to_string(begin / ticks_of_ms);
        JsonObject units;
        units.text("time", "ms").text("eventDelay", "ms").text("threadCPUDelta", "µs");
        JsonObject meta;
        meta.raw("interval", millis(interval_ns_))
            .raw("startTime", start)
            .number("processType", 0)
            .text("product", options_.title)
            .text("importedFrom", options_.exporter)
            .number("stackwalk", 1)
            .number("version", 24)
            .number("preprocessedProfileVersion", 66)
            .raw("categories", FirefoxTables::categories)
            .raw("markerSchema", "[]")
            .boolean("symbolicated", true)
            .raw("sampleUnits", units.take());
        return meta.take();
    }

    void write_threads() {
        std::string_view separator = "\n";
        std::map<std::string, bool> has_main; // by process ID
        for (ThreadRow row = 0; row < threads_.size(); ++row) {
            const Thread& thread = threads_[row];
            if (thread.samples.empty() && thread.markers.empty()) {
                continue;
            }
            to_.text() += separator;
            separator = ",\n";
            write_thread(row, thread, {}, has_main);
        }
        for (auto& [of, samples] : counters_) {
            to_.text() += separator;
            separator = ",\n";
            const Thread thread{.samples = std::move(samples), .markers = {}};
            write_thread(of.first, thread, (*context_.sources)[of.second].name, has_main);
        }
    }

    /// `counter`: its samples are those of this counter; empty: of time.
    void write_thread(ThreadRow row, const Thread& thread, std::string_view counter,
                      std::map<std::string, bool>& has_main) {
        const ActivityThread& known = (*context_.threads)[row];
        const analysis::Owner& owner = context_.owner_of(known);
        const std::string pid = owner.pid ? std::to_string(*owner.pid) : process_name(owner);
        json_.begin();
        json_.key("name");
        std::string name = !known.name.empty() ? known.name
                           : known.id          ? "thread " + std::to_string(*known.id)
                                               : process_name(owner);
        if (!counter.empty()) {
            name.append(": ").append(counter);
        }
        append_json_string(to_.text(), name);
        json_.key("processName");
        append_json_string(to_.text(), process_name(owner));
        json_.key("pid");
        append_json_string(to_.text(), pid);
        json_.value("tid", std::to_string(known.id.value_or(0)));
        json_.value("isMainThread", std::exchange(has_main[pid], true) ? "false" : "true");
        json_.value("processType", "\"default\"");
        const auto [startup, shutdown] = life_of(owner);
        json_.value("processStartupTime", startup);
        json_.value("processShutdownTime", shutdown);
        json_.value("registerTime", startup);
        json_.value("unregisterTime", shutdown);
        json_.value("pausedRanges", "[]");
        json_.value("showMarkersInTimeline", thread.markers.empty() ? "false" : "true");
        write_samples(thread.samples);
        write_markers(thread.markers);
        json_.end();
    }

    void write_samples(const std::vector<Sample>& samples) {
        json_.table("samples", samples.size())
            .column("stack",
                    [&](std::size_t i) { return number(samples[i].stack - StackTable::other); })
            .column("timeDeltas",
                    [&](std::size_t i) {
                        return millis(samples[i].since_ns - (i == 0 ? 0 : samples[i - 1].since_ns));
                    })
            .column("weight", [&](std::size_t i) { return number(samples[i].count); })
            .member("weightType", "\"samples\"")
            .end();
    }

    void write_markers(const std::vector<Marker>& markers) {
        json_.table("markers", markers.size())
            .column("name", [&](std::size_t i) { return number(markers[i].name); })
            .nulls("data")
            .column("startTime", [&](std::size_t i) { return millis(markers[i].from_ns); })
            .column("endTime",
                    [&](std::size_t i) {
                        return markers[i].is_interval
                                   ? millis(markers[i].from_ns + markers[i].duration_ns)
                                   : std::string("null");
                    })
            .column("phase",
                    [&](std::size_t i) { return number(markers[i].is_interval ? 1U : 0U); })
            .zeros("category")
            .end();
    }

    /// When a process started and ended in the range, in milliseconds.
    std::pair<std::string, std::string> life_of(const analysis::Owner& owner) const {
        const analysis::Context& pass = *context_.pass;
        std::pair<std::string, std::string> life("0", "null");
        const auto process = owner.pid ? pass.facts->process(*owner.pid, pass.end) : std::nullopt;
        if (process && process->begin > pass.begin) {
            life.first = millis(context_.since_begin(process->begin));
        }
        if (process && process->end < pass.end) {
            life.second = millis(context_.since_begin(process->end));
        }
        return life;
    }

    template <std::integral T>
    static std::string number(T value) {
        return std::to_string(value);
    }

    /// Milliseconds with six decimals.
    static std::string millis(std::uint64_t ns) {
        constexpr std::uint64_t million = 1'000'000;
        std::string text = std::to_string(ns / million);
        if (const std::uint64_t rest = ns % million; rest != 0) {
            text += '.' + std::to_string(million + rest).substr(1);
        }
        return text;
    }

    ProfileOptions options_;
    analysis::ActivityContext context_;
    Batches to_;
    Columns json_;
    FirefoxTables tables_;
    StackTable stacks_;
    std::vector<Thread> threads_;                                                 // by row
    std::map<std::pair<ThreadRow, std::uint32_t>, std::vector<Sample>> counters_; // and source
    std::uint64_t samples_ = 0, markers_ = 0, dropped_samples_ = 0, dropped_markers_ = 0;
    std::uint64_t interval_ns_ = 1'000'000;
};

} // namespace

std::unique_ptr<ProfileWriter> make_firefox(Output& output, ProfileOptions options) {
    return std::make_unique<Firefox>(output, std::move(options));
}

} // namespace etl::profiles
