// pprof: profile.proto of github.com/google/pprof, compressed with gzip. docs/profilers.md#pprof
#include <etl/time.hpp>

#include "profiles/gzip_output.hpp"
#include "profiles/limits.hpp"
#include "profiles/proto.hpp"
#include "profiles/writers.hpp"
#include "symbols/symbol_file.hpp"

#include <algorithm>
#include <unordered_map>

namespace etl::profiles {

namespace {

using analysis::Frame;
using analysis::FrameRef;
using analysis::Function;
using analysis::StackRef;
using analysis::StackTable;
using analysis::ThreadRow;

/// Numbers of fields.
namespace profile {
constexpr std::uint32_t sample_type = 1, sample = 2, mapping = 3, location = 4, function = 5,
                        string_table = 6, time_nanos = 9, duration_nanos = 10, period_type = 11,
                        period = 12, comment = 13, default_sample_type = 14;
} // namespace profile

/// The string table: number 0 is the empty text.
class Strings {
public:
    explicit Strings(Batches& to) : to_(&to) { number_of(""); }

    std::uint64_t number_of(std::string_view text) {
        const auto [known, is_new] = numbers_.try_emplace(std::string(text), numbers_.size());
        if (is_new) {
            Proto(to_->text()).bytes(profile::string_table, text);
            to_->write_batch();
        }
        return known->second;
    }

private:
    Batches* to_;
    std::unordered_map<std::string, std::uint64_t> numbers_;
};

class Pprof final : public ProfileWriter {
public:
    Pprof(Output& output, ProfileOptions options)
        : options_(std::move(options)), gzip_(output), to_(gzip_), strings_(to_) {}

    void start(const analysis::ActivityContext& context) override { context_ = context; }

    void sample(const analysis::ThreadSample& sample) override {
        period_ = sample.interval_ns;
        Sum& sum = sum_of(stacks_.add(sample.stack), sample.thread, time_kind);
        ++sum.samples;
        sum.weight += sample.weight_ns;
        has_time_ = true;
    }

    void counter_sample(const analysis::CounterSample& sample) override {
        Sum& sum = sum_of(stacks_.add(sample.stack), sample.thread, sample.source + 1);
        ++sum.samples;
        sum.weight += sample.weight;
    }

    void finish() override {
        if (sums_.empty()) {
            return;
        }
        write_totals();
        std::ranges::for_each(sums_, [&](const Sum& sum) { write_sample(sum); });
        write_mappings();
        write_locations();
        write_functions();
        to_.flush();
        if (const auto done = gzip_.finish(); !done && to_.error() == nullptr) {
            error_ = done.error();
        }
    }

    const Error* error() const noexcept override {
        return to_.error() != nullptr ? to_.error() : error_ ? &*error_ : nullptr;
    }

    std::vector<Omission> omissions() const override {
        return {{"stacks", stacks_.dropped() + dropped_}};
    }

private:
    /// Of time, or 1 + the index of a counter.
    static constexpr std::uint32_t time_kind = 0;

    struct Sum {
        StackRef stack = StackTable::root;
        ThreadRow thread = 0;
        std::uint32_t kind = time_kind;
        std::uint64_t samples = 0, weight = 0; // nanoseconds; of counters events, or samples
    };

    Sum& sum_of(StackRef stack, ThreadRow thread, std::uint32_t kind) {
        if (kind >= by_key_.size()) {
            by_key_.resize(kind + std::size_t{1});
        }
        const std::uint64_t key = std::uint64_t{stack} << 32U | thread;
        if (sums_.size() >= limits::stacks && stack != StackTable::other &&
            !by_key_[kind].contains(key)) {
            ++dropped_;
            return sum_of(StackTable::other, thread, kind); // one for each thread
        }
        const auto [known, is_new] =
            by_key_[kind].try_emplace(key, static_cast<std::uint32_t>(sums_.size()));
        if (is_new) {
            sums_.push_back({.stack = stack, .thread = thread, .kind = kind});
        }
        return sums_[known->second];
    }

    /// A message of the profile.
    void add(std::uint32_t field) {
        Proto(to_.text()).bytes(field, message_);
        message_.clear();
        to_.write_batch();
    }

    void write_value_type(std::uint32_t field, std::string_view type, std::string_view unit) {
        const std::uint64_t numbers[] = {strings_.number_of(type), strings_.number_of(unit)};
        Proto(message_).number(1, numbers[0]).number(2, numbers[1]);
        add(field);
    }

    void write_totals() {
        const analysis::Context& pass = *context_.pass;
        if (has_time_) {
            write_value_type(profile::sample_type, "samples", "count");
            write_value_type(profile::sample_type, "cpu", "nanoseconds");
            write_value_type(profile::period_type, "cpu", "nanoseconds");
        }
        for (const analysis::CounterSource& source : *context_.sources) {
            write_value_type(profile::sample_type, source.name,
                             source.counts_events ? "events" : "samples");
        }
        const std::uint64_t type =
            strings_.number_of(has_time_ ? "cpu" : context_.sources->front().name);
        const std::uint64_t comment = strings_.number_of(options_.exporter);
        constexpr std::int64_t unknown = 0;
        const auto begin = unix_nanoseconds(pass.trace->clock.to_filetime(pass.begin));
        Proto(to_.text())
            .number(profile::time_nanos, begin.value_or(unknown))
            .number(profile::duration_nanos, context_.since_begin(pass.end))
            .number(profile::period, period_)
            .number(profile::default_sample_type, type)
            .number(profile::comment, comment);
    }

    void write_sample(const Sum& sum) {
        packed_.clear();
        for (StackRef node = sum.stack; node != StackTable::root; node = stacks_[node].parent) {
            const FrameRef frame = stacks_[node].frame;
            append_varint(packed_, std::uint64_t{frame} + 1);
        }
        Proto sample(message_);
        sample.bytes(1, packed_);
        packed_.clear();
        if (has_time_) {
            append_varint(packed_, sum.kind == time_kind ? sum.samples : 0);
            append_varint(packed_, sum.kind == time_kind ? sum.weight : 0);
        }
        for (std::uint32_t source = 0; source < context_.sources->size(); ++source) {
            append_varint(packed_, sum.kind == source + 1 ? sum.weight : 0);
        }
        sample.bytes(2, packed_);
        for (const std::string& label : labels_of(sum.thread)) {
            sample.bytes(3, label);
        }
        add(profile::sample);
    }

    std::string text_label(std::string_view key, std::string_view text) {
        std::string label;
        const std::uint64_t numbers[] = {strings_.number_of(key), strings_.number_of(text)};
        Proto(label).number(1, numbers[0]).number(2, numbers[1]);
        return label;
    }

    std::string number_label(std::string_view key, std::uint32_t number) {
        std::string label;
        Proto(label).number(1, strings_.number_of(key)).number(3, number);
        return label;
    }

    /// The labels of a thread, as messages.
    const std::vector<std::string>& labels_of(ThreadRow row) {
        std::vector<std::string>& labels = labels_[row];
        if (labels.empty()) {
            const analysis::ActivityThread& thread = (*context_.threads)[row];
            const analysis::Owner& owner = context_.owner_of(thread);
            labels.push_back(text_label("process", process_name(owner)));
            if (owner.pid) {
                labels.push_back(number_label("pid", *owner.pid));
            }
            if (thread.id) {
                labels.push_back(number_label("tid", *thread.id));
            }
            if (!thread.name.empty()) {
                labels.push_back(text_label("thread", thread.name));
            }
        }
        return labels;
    }

    void write_mappings() {
        const analysis::Frames& frames = *context_.frames;
        for (analysis::ImageRef i = 0; i < frames.images(); ++i) {
            const facts::Image& image = frames.image(i);
            const std::uint64_t name = strings_.number_of(image.path);
            const std::uint64_t build =
                image.pdb
                    ? strings_.number_of(symbols::Identity{image.pdb->guid, image.pdb->age}.key())
                    : 0;
            Proto(message_)
                .number(1, i + std::uint64_t{1})
                .number(2, image.base)
                .number(3, image.base + image.size)
                .number(5, name)
                .number(6, build)
                .number(7, true);
            add(profile::mapping);
        }
    }

    void write_locations() {
        const analysis::Frames& frames = *context_.frames;
        for (FrameRef i = 0; i < frames.size(); ++i) {
            const Frame& frame = frames[i];
            packed_.clear();
            Proto(packed_).number(1, std::uint64_t{frame.function} + 1);
            Proto location(message_);
            location.number(1, std::uint64_t{i} + 1);
            if (frame.image != Frame::no_image) {
                location.number(2, std::uint64_t{frame.image} + 1);
            }
            location.number(3, frame.instruction()).bytes(4, packed_);
            add(profile::location);
        }
    }

    void write_functions() {
        const analysis::Frames& frames = *context_.frames;
        std::string name;
        for (analysis::FunctionIndex i = 0; i < frames.functions(); ++i) {
            name.clear();
            frames.function(i).append_to(name);
            const std::uint64_t number = strings_.number_of(name);
            Proto(message_).number(1, std::uint64_t{i} + 1).number(2, number).number(3, number);
            add(profile::function);
        }
    }

    ProfileOptions options_;
    analysis::ActivityContext context_;
    GzipOutput gzip_;
    Batches to_;
    Strings strings_;
    StackTable stacks_;
    std::vector<Sum> sums_;
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> by_key_; // by kind; stack, thread
    std::unordered_map<ThreadRow, std::vector<std::string>> labels_;
    std::string message_, packed_;
    std::optional<Error> error_;
    std::uint64_t period_ = 0, dropped_ = 0;
    bool has_time_ = false;
};

} // namespace

std::unique_ptr<ProfileWriter> make_pprof(Output& output, ProfileOptions options) {
    return std::make_unique<Pprof>(output, std::move(options));
}

} // namespace etl::profiles
