// Processed profiles of the Firefox Profiler, version 66: src/types/profile.ts of
// github.com/firefox-devtools/profiler. docs/profilers.md#firefox
#include <etl/time.hpp>

#include "analysis/activity.hpp"
#include "base/file_name.hpp"
#include "base/json_object.hpp"
#include "base/json_text.hpp"
#include "profiles/limits.hpp"
#include "profiles/writers.hpp"
#include "symbols/symbol_file.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::profiles {

namespace {

// Objects whose members are lists of equal length, written as they come.

/// Writes an object, member by member.
class Columns {
public:
    explicit Columns(Batches& to) : to_(&to) {}

    void begin() {
        to_->text() += '{';
        is_first_ = true;
    }

    void end() {
        to_->text() += '}';
        is_first_ = false;
    }

    void key(std::string_view key) {
        to_->text() += is_first_ ? "" : ",";
        is_first_ = false;
        append_json_string(to_->text(), key);
        to_->text() += ':';
    }

    /// A member that is already JSON.
    void value(std::string_view name, std::string_view json) {
        key(name);
        to_->text() += json;
    }

    /// A list whose elements `append(i)` appends.
    template <typename Append>
    void list(std::size_t size, Append append) {
        to_->text() += '[';
        for (std::size_t i = 0; i < size; ++i) {
            to_->text() += i == 0 ? "" : ",";
            append(i);
            to_->write_batch();
        }
        to_->text() += ']';
    }

    /// A member that is an object of columns.
    class Table {
    public:
        Table(Columns& of, std::size_t size) : of_(&of), size_(size) {}

        /// `json(i)` returns an element.
        template <typename Json>
        Table& column(std::string_view name, Json json) {
            of_->key(name);
            of_->list(size_, [&](std::size_t i) { of_->to_->text() += json(i); });
            return *this;
        }

        Table& all(std::string_view name, std::string_view json) {
            return column(name, [json](std::size_t) { return json; });
        }

        Table& zeros(std::string_view name) { return all(name, "0"); }

        Table& nulls(std::string_view name) { return all(name, "null"); }

        Table& member(std::string_view name, std::string_view json) {
            of_->value(name, json);
            return *this;
        }

        void end() {
            of_->value("length", std::to_string(size_));
            of_->end();
        }

    private:
        Columns* of_;
        std::size_t size_;
    };

    Table table(std::string_view name, std::size_t size) {
        key(name);
        begin();
        return {*this, size};
    }

private:
    Batches* to_;
    bool is_first_ = true;
};

/// The tables that all threads of a profile of the Firefox Profiler share.
class FirefoxTables {
public:
    /// Kinds of frames, as JSON.
    static constexpr std::string_view categories =
        R"([{"name":"Other","color":"grey","subcategories":["Other"]},)"
        R"({"name":"User","color":"yellow","subcategories":["Other"]},)"
        R"({"name":"Kernel","color":"orange","subcategories":["Other"]},)"
        R"({"name":"Generated code","color":"green","subcategories":["Other"]}])";

    FirefoxTables(Batches& to, Columns& json) : to_(&to), json_(&json) {}

    /// Returns the index of a text in the list of texts.
    std::uint32_t text(std::string_view text);

    /// Writes the list of images.
    void write_libs(const analysis::ActivityContext& context);

    /// Writes the object of tables: stacks, frames, functions, resources, and texts. No text may be
    /// added afterwards. The index of a stack is its number - StackTable::other.
    void write_shared(const analysis::Frames& frames, const analysis::StackTable& stacks);

private:
    void write_stacks(const analysis::StackTable& stacks);
    void write_frames(const analysis::Frames& frames);
    void write_functions(const analysis::Frames& frames);
    void write_resources(const analysis::Frames& frames);

    Batches* to_;
    Columns* json_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> texts_; // keys of numbers_
};

using analysis::Frame;
using analysis::FrameRef;
using analysis::Frames;
using analysis::StackRef;
using analysis::StackTable;

enum Category : std::uint32_t {
    other_category,
    user_category,
    kernel_category,
    generated_category
};

std::uint32_t category_of(const Frame& frame) noexcept {
    switch (frame.kind) {
    case Frame::Kind::user:
        return user_category;
    case Frame::Kind::kernel:
        return kernel_category;
    case Frame::Kind::generated:
        return generated_category;
    case Frame::Kind::marker:
        break;
    }
    return other_category;
}

template <std::integral T>
std::string number(T value) {
    return std::to_string(value);
}

/// The key of the executable in a symbol store.
std::string code_id(const facts::Image& image) {
    constexpr unsigned digits = 8;
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string text;
    for (unsigned i = digits; i-- > 0;) {
        text += hex[image.time_date_stamp >> (4 * i) & 15U];
    }
    std::string size;
    append_hex(size, image.size);
    return text + size.substr(2);
}

std::uint32_t FirefoxTables::text(std::string_view text) {
    const auto [known, is_new] =
        numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (is_new) {
        texts_.push_back(&known->first);
    }
    return known->second;
}

void FirefoxTables::write_libs(const analysis::ActivityContext& context) {
    const Frames& frames = *context.frames;
    json_->list(frames.images(), [&](std::size_t i) {
        const facts::Image& image = frames.image(static_cast<analysis::ImageRef>(i));
        JsonObject lib;
        const std::string_view pdb = image.pdb ? image.pdb->name : std::string_view();
        lib.text("arch", context.pass->trace->header_pointer_size == 4 ? "x86" : "x86_64")
            .text("name", image.name())
            .text("path", image.path)
            .text("debugName", file_name_of(pdb))
            .text("debugPath", pdb)
            .text("breakpadId", image.pdb ? symbols::Identity{image.pdb->guid, image.pdb->age}.key()
                                          : std::string());
        if (image.time_date_stamp != 0) {
            lib.text("codeId", code_id(image));
        } else {
            lib.raw("codeId", "null");
        }
        to_->text() += lib.take();
    });
}

void FirefoxTables::write_shared(const Frames& frames, const StackTable& stacks) {
    json_->begin();
    write_stacks(stacks);
    write_frames(frames);
    write_functions(frames);
    write_resources(frames);
    json_->table("nativeSymbols", 0)
        .nulls("libIndex")
        .nulls("address")
        .nulls("name")
        .nulls("functionSize")
        .end();
    json_->table("sources", 0)
        .nulls("id")
        .nulls("filename")
        .nulls("startLine")
        .nulls("startColumn")
        .nulls("sourceMapURL")
        .nulls("content")
        .end();
    json_->table("sourceLocationTable", 0).nulls("source").nulls("line").nulls("column").end();
    json_->key("stringArray");
    json_->list(texts_.size(), [&](std::size_t i) { append_json_string(to_->text(), *texts_[i]); });
    json_->end();
}

void FirefoxTables::write_stacks(const StackTable& stacks) {
    const auto node = [&](std::size_t i) -> const StackTable::Node& {
        return stacks[static_cast<StackRef>(i + StackTable::other)];
    };
    const auto prefix_offset = [&](std::size_t i) {
        const StackRef parent = node(i).parent;
        return number(parent == StackTable::root ? 0 : i + StackTable::other - parent);
    };
    json_->table("stackTable", stacks.size() - StackTable::other)
        .column("frame", [&](std::size_t i) { return number(node(i).frame); })
        .column("prefixOffset", prefix_offset)
        .end();
}

void FirefoxTables::write_frames(const Frames& frames) {
    const auto frame = [&](std::size_t i) -> const Frame& {
        return frames[static_cast<FrameRef>(i)];
    };
    json_->table("frameTable", frames.size())
        .column("address",
                [&](std::size_t i) {
                    const Frame& one = frame(i);
                    return one.image == Frame::no_image
                               ? std::string("-1")
                               : number(one.instruction() - frames.image(one.image).base);
                })
        .zeros("inlineDepth")
        .column("category", [&](std::size_t i) { return number(category_of(frame(i))); })
        .zeros("subcategory")
        .column("func", [&](std::size_t i) { return number(frame(i).function); })
        .nulls("nativeSymbol")
        .zeros("innerWindowID")
        .nulls("line")
        .nulls("column")
        .nulls("originalLocation")
        .end();
}

void FirefoxTables::write_functions(const Frames& frames) {
    std::vector<std::uint32_t> names(frames.functions());
    std::string name;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        name.clear();
        frames.function(i).append_to(name);
        names[i] = text(name);
    }
    std::vector<std::string> resources(frames.functions(), "-1");
    for (FrameRef i = 0; i < frames.size(); ++i) {
        if (frames[i].image != Frame::no_image) {
            resources[frames[i].function] = std::to_string(frames[i].image);
        }
    }
    json_->table("funcTable", names.size())
        .column("name", [&](std::size_t i) { return number(names[i]); })
        .all("isJS", "false")
        .all("relevantForJS", "false")
        .column("resource", [&](std::size_t i) { return resources[i]; })
        .nulls("source")
        .nulls("lineNumber")
        .nulls("columnNumber")
        .nulls("originalLocation")
        .end();
}

void FirefoxTables::write_resources(const Frames& frames) {
    std::vector<std::uint32_t> names;
    for (analysis::ImageRef i = 0; i < frames.images(); ++i) {
        names.push_back(text(frames.image(i).name()));
    }
    json_->table("resourceTable", names.size())
        .column("lib", [](std::size_t i) { return number(i); })
        .column("name", [&](std::size_t i) { return number(names[i]); })
        .nulls("host")
        .all("type", "1")
        .end();
}

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
        if (samples_ >= limits::samples) {
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
        if (samples_ >= limits::samples) {
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
        if (markers_ >= limits::markers) {
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
