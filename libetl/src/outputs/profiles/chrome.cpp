// Trace Event Format of Chrome, the JSON Object Format. docs/profilers.md#chrome
#include "base/json_object.hpp"
#include "profiles/limits.hpp"
#include "profiles/writers.hpp"

#include <algorithm>
#include <map>

namespace etl::profiles {

namespace {

using analysis::ActivityThread;
using analysis::FrameRef;
using analysis::FunctionIndex;
using analysis::StackRef;
using analysis::StackTable;
using analysis::ThreadRow;

/// The process of the tracks of processors, and of what belongs to the machine. Process IDs of
/// Windows are multiples of 4.
constexpr std::uint32_t machine_pid = 1;

constexpr std::uint32_t unknown_pid = 2;

/// Events as they come; samples and stacks at the end.
class Chrome final : public ProfileWriter {
public:
    Chrome(Output& output, ProfileOptions options) : options_(std::move(options)), to_(output) {}

    void start(const analysis::ActivityContext& context) override { context_ = context; }

    bool takes_samples_only() const noexcept override { return false; }

    void sample(const analysis::ThreadSample& sample) override {
        if (samples_.size() >= limits::samples) {
            ++dropped_;
            return;
        }
        samples_.push_back({.since_ns = context_.since_begin(sample.time),
                            .weight = sample.weight_ns,
                            .stack = functions_of(sample.stack),
                            .thread = sample.thread,
                            .processor = sample.processor});
    }

    void counter_sample(const analysis::CounterSample& sample) override {
        if (samples_.size() >= limits::samples) {
            ++dropped_;
            return;
        }
        samples_.push_back({.since_ns = context_.since_begin(sample.time),
                            .weight = sample.weight,
                            .stack = functions_of(sample.stack),
                            .thread = sample.thread,
                            .processor = sample.processor,
                            .source = static_cast<std::uint16_t>(sample.source + 1)});
    }

    void ran(const analysis::ThreadRun& run) override {
        seen_processor(run.processor);
        const analysis::Owner& owner = context_.owner_of((*context_.threads)[run.thread]);
        JsonObject args;
        args.number("tid", (*context_.threads)[run.thread].id.value_or(0));
        JsonObject event = head("X", process_name(owner), "running");
        event.raw("ts", micros(run.from)).raw("dur", micros(run.from, run.to));
        event.number("pid", machine_pid).number("tid", run.processor).raw("args", args.take());
        add(event);
    }

    void waited(const analysis::ThreadWait& wait) override {
        JsonObject args;
        args.text("reason", wait.reason).raw("wait_us", micros(wait.from, wait.to));
        if (wait.by_dpc || wait.waker) {
            args.text("by", wait.by_dpc ? "DPC" : thread_title(context_, *wait.waker));
        }
        JsonObject event = head("i", "ready", "scheduling");
        event.text("s", "t").raw("ts", micros(wait.to)).raw("args", args.take());
        add(at_thread(event, wait.thread));
    }

    void slice(const analysis::Slice& slice) override {
        if (slice.processor) {
            seen_processor(*slice.processor);
            JsonObject event = head("X", slice.name, slice.category);
            event.raw("ts", micros(slice.from)).raw("dur", micros(slice.from, slice.to));
            add(event.number("pid", machine_pid).number("tid", *slice.processor));
        } else if (slice.is_nested) {
            JsonObject event = head("X", slice.name, slice.category);
            event.raw("ts", micros(slice.from)).raw("dur", micros(slice.from, slice.to));
            add(at_thread(event, slice.thread));
        } else {
            add_async(slice);
        }
    }

    void mark(const analysis::Mark& mark) override {
        JsonObject event = head("i", mark.name, mark.category);
        event.text("s", mark.thread == 0 ? "g" : "t").raw("ts", micros(mark.time));
        add(at_thread(event, mark.thread));
    }

    void counter(const analysis::CounterValue& value) override {
        const analysis::Owner& owner = (*context_.pass->owners)[value.owner];
        JsonObject event = head("C", value.name, "counter");
        event.raw("ts", micros(value.time)).number("pid", owner.pid.value_or(machine_pid));
        event.raw("args", JsonObject().number("value", value.value).take());
        add(event);
    }

    void finish() override {
        if (!has_begun_ && samples_.empty()) {
            return;
        }
        write_names();
        to_.text() += "],\"stackFrames\":{";
        write_stacks();
        to_.text() += "},\"samples\":[";
        write_samples();
        to_.text() += "]}\n";
        to_.flush();
    }

    const Error* error() const noexcept override { return to_.error(); }

    std::vector<Omission> omissions() const override {
        return {{"samples", dropped_}, {"stacks", stacks_.dropped()}};
    }

private:
    struct Sample {
        std::uint64_t since_ns = 0;
        std::uint64_t weight = 0; // nanoseconds; of counters events, or 1
        StackRef stack = StackTable::root;
        ThreadRow thread = 0;
        std::uint16_t processor = 0;
        std::uint16_t source = 0; // 1 + the index of a counter; 0: time
    };

    /// Microseconds with three decimals.
    static std::string micros_of(std::uint64_t ns) {
        constexpr std::uint64_t thousand = 1000;
        std::string text = std::to_string(ns / thousand);
        if (const std::uint64_t rest = ns % thousand; rest != 0) {
            const std::string digits = std::to_string(thousand + rest);
            text += '.' + digits.substr(1);
        }
        return text;
    }

    std::string micros(std::int64_t time) const { return micros_of(context_.since_begin(time)); }

    std::string micros(std::int64_t from, std::int64_t to) const {
        return micros_of(context_.since_begin(to) - context_.since_begin(from));
    }

    static JsonObject head(std::string_view phase, std::string_view name,
                           std::string_view category) {
        JsonObject event;
        event.text("name", name).text("cat", category).text("ph", phase);
        return event;
    }

    JsonObject& at_thread(JsonObject& event, ThreadRow row) {
        const ActivityThread& thread = (*context_.threads)[row];
        const analysis::Owner& owner = context_.owner_of(thread);
        if (row >= seen_.size()) {
            seen_.resize(row + std::size_t{1});
        }
        seen_[row] = true;
        return event.number("pid", pid_of(owner)).number("tid", thread.id.value_or(0));
    }

    static std::uint32_t pid_of(const analysis::Owner& owner) {
        return owner.pid.value_or(unknown_pid);
    }

    /// A slice that may overlap others of its thread.
    void add_async(const analysis::Slice& slice) {
        const std::string id = std::to_string(++async_);
        for (const bool is_end : {false, true}) {
            JsonObject event = head(is_end ? "e" : "b", slice.name, slice.category);
            event.text("id", id).raw("ts", micros(is_end ? slice.to : slice.from));
            add(at_thread(event, slice.thread));
        }
    }

    void add(JsonObject& event) {
        if (!has_begun_) {
            has_begun_ = true;
            to_.text() += "{\"displayTimeUnit\":\"ms\",\"otherData\":";
            to_.text() +=
                JsonObject()
                    .text("exporter", options_.exporter)
                    .text("trace", options_.title)
                    .time("begin", context_.pass->trace->clock.to_filetime(context_.pass->begin))
                    .take();
            to_.text() += ",\"traceEvents\":[\n";
        } else {
            to_.text() += ",\n";
        }
        to_.text() += event.take();
        to_.write_batch();
    }

    void add(JsonObject&& event) { add(event); }

    void seen_processor(std::uint16_t processor) {
        processors_ = std::max<std::uint32_t>(processors_, processor + 1U);
    }

    void add_name(std::string_view what, std::uint32_t pid, std::uint32_t tid,
                  std::string_view name) {
        JsonObject event;
        event.text("name", what).text("ph", "M").number("pid", pid).number("tid", tid);
        event.raw("args", JsonObject().text("name", name).take());
        add(event);
    }

    void write_names() {
        std::map<std::uint32_t, std::string> processes;
        for (const Sample& sample : samples_) {
            JsonObject none;
            at_thread(none, sample.thread);
        }
        for (ThreadRow row = 0; row < seen_.size(); ++row) {
            if (!seen_[row]) {
                continue;
            }
            const ActivityThread& thread = (*context_.threads)[row];
            const analysis::Owner& owner = context_.owner_of(thread);
            processes[pid_of(owner)] =
                owner.pid ? process_name(owner) : std::string("unknown process");
            const std::string name = !thread.name.empty() ? thread.name
                                     : thread.id          ? "thread " + std::to_string(*thread.id)
                                                          : process_name(owner);
            add_name("thread_name", pid_of(owner), thread.id.value_or(0), name);
        }
        if (processors_ != 0) {
            processes[machine_pid] = "Processors";
        }
        for (std::uint32_t i = 0; i < processors_; ++i) {
            add_name("thread_name", machine_pid, i, "CPU " + std::to_string(i));
        }
        for (const auto& [pid, name] : processes) {
            add_name("process_name", pid, 0, name);
        }
        write_lives(processes);
    }

    /// Processes that started or ended in the range.
    void write_lives(const std::map<std::uint32_t, std::string>& shown) {
        const analysis::Context& pass = *context_.pass;
        for (const facts::Process& process : pass.facts->processes()) {
            if (!shown.contains(process.id) || process.id == 0) {
                continue;
            }
            for (const auto& [time, name] : {std::pair(process.begin, "process start"),
                                             std::pair(process.end, "process end")}) {
                if (time >= pass.begin && time <= pass.end) {
                    JsonObject event = head("i", name, "process");
                    event.text("s", "p").raw("ts", micros(time)).number("pid", process.id);
                    add(event.number("tid", 0U));
                }
            }
        }
    }

    /// The stack by functions, so that equal ones have one ID.
    StackRef functions_of(const analysis::Stack& stack) {
        StackRef node = StackTable::root;
        const auto down = [&](FrameRef frame) {
            node = stacks_.child(node, (*context_.frames)[frame].function);
        };
        if (stack.end != analysis::StackEnd::complete) {
            down(analysis::Frames::marker(stack.end));
        }
        for (std::size_t i = stack.frames.size(); i-- > 0 && node != StackTable::other;) {
            down(stack.frames[i]);
        }
        return node;
    }

    void write_stacks() {
        std::string name;
        for (StackRef node = StackTable::other; node < stacks_.size(); ++node) {
            const analysis::Function& function =
                context_.frames->function(stacks_[node].frame); // see functions_of()
            name.clear();
            function.append_to(name);
            JsonObject frame;
            frame.text("name", name).text("category", function.module);
            if (stacks_[node].parent != StackTable::root) {
                frame.text("parent", std::to_string(stacks_[node].parent));
            }
            to_.text() += node == StackTable::other ? "\n\"" : ",\n\"";
            append_decimal(to_.text(), node);
            to_.text() += "\":" + frame.take();
            to_.write_batch();
        }
    }

    void write_samples() {
        std::string_view separator = "\n";
        for (const Sample& sample : samples_) {
            JsonObject one;
            one.number("cpu", sample.processor)
                .number("tid", (*context_.threads)[sample.thread].id.value_or(0))
                .raw("ts", micros_of(sample.since_ns))
                .text("name", sample.source == 0 ? std::string_view("sample")
                                                 : (*context_.sources)[sample.source - 1U].name)
                .text("sf", std::to_string(sample.stack))
                .number("weight", sample.weight);
            to_.text() += separator;
            to_.text() += one.take();
            to_.write_batch();
            separator = ",\n";
        }
    }

    ProfileOptions options_;
    analysis::ActivityContext context_;
    Batches to_;
    StackTable stacks_; // of functions
    std::vector<Sample> samples_;
    std::vector<bool> seen_; // threads with events, by row
    std::uint32_t processors_ = 0;
    std::uint64_t async_ = 0, dropped_ = 0;
    bool has_begun_ = false;
};

} // namespace

std::unique_ptr<ProfileWriter> make_chrome(Output& output, ProfileOptions options) {
    return std::make_unique<Chrome>(output, std::move(options));
}

} // namespace etl::profiles
