#include "sql/row_batches.hpp"

#include "flow/event.hpp"
#include "sql/limits.hpp"

#include <algorithm>
#include <utility>

namespace etl::sql {

void RowBatch::add(const BatchRow& row, const Members& members) {
    rows_.push_back(row);
    for (std::size_t i = 0; i < members_; ++i) {
        const std::string_view value = members.value(i);
        places_.push_back(value.empty()
                              ? ValuePlace{}
                              : ValuePlace{static_cast<std::uint32_t>(value.data() - text_.data()),
                                           static_cast<std::uint32_t>(value.size())});
    }
}

void CountedTexts::add(std::string_view text, std::uint64_t count, std::uint64_t first) {
    auto found = counts_.find(text);
    if (found == counts_.end()) {
        constexpr std::size_t entry = 80; // of the map
        found = counts_.emplace(text, Count{.first = first}).first;
        bytes_ += text.size() + entry;
    }
    found->second.count += count;
    found->second.first = std::min(found->second.first, first);
}

namespace {

bool is_in(const flow::TimeFilter::Window& window, const flow::Event& event) {
    if (!window.from && !window.to) {
        return true;
    }
    const auto time = flow::wall_time(event);
    return time && (!window.from || time->ticks >= window.from->ticks) &&
           (!window.to || time->ticks < window.to->ticks);
}

} // namespace

/// Counts the events of a batch whose objects are the same because their kinds are.
class RowWorker::Groups {
public:
    explicit Groups(const RowOptions& options)
        : options_(&options), decoder_(options.encoding.schemas, options.encoding.decoder()),
          matches_(options.encoding.matcher()), encoder_(without_condition(options.encoding)) {}

    void add(const flow::Event& event, std::uint64_t number, CountedTexts& to) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        const std::uint32_t generation = decoder_.generation();
        if (generation != generation_ || objects_.size() >= limits::known_groups) {
            flush(to);
            numbers_.clear();
            objects_.clear();
            counts_.clear();
            generation_ = generation;
            previous_ = no_group;
        }
        if (matches_ && !(*matches_)(decoded, generation)) {
            return;
        }
        const Key key = key_of(decoded);
        if (previous_ == no_group || !(key == previous_key_)) {
            previous_ = number_of(key, decoded);
            previous_key_ = key;
        }
        CountedTexts::Count& count = counts_[previous_];
        if (count.count == 0) {
            met_.push_back(previous_);
            count.first = number;
        }
        ++count.count;
    }

    /// Adds what was counted since the last call.
    void flush(CountedTexts& to) {
        for (const std::uint32_t group : met_) {
            CountedTexts::Count& count = counts_[group];
            to.add(objects_[group], count.count, count.first);
            count = {};
        }
        met_.clear();
    }

private:
    static constexpr std::uint32_t no_group = UINT32_MAX;

    struct Key {
        std::uint64_t kind_and_origin = 0, subject = 0;
        std::uint32_t processor = 0;

        bool operator==(const Key&) const = default;
    };

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            std::uint64_t hash = (key.kind_and_origin ^ key.processor) * 0x9E3779B97F4A7C15U;
            hash = (hash ^ (hash >> 32U) ^ key.subject) * 0x9E3779B97F4A7C15U;
            return static_cast<std::size_t>(hash ^ (hash >> 32U));
        }
    };

    static sink::Options without_condition(sink::Options options) {
        options.where.reset();
        return options;
    }

    Key key_of(const decode::DecodedEvent& decoded) const {
        const GroupKey& parts = options_->key;
        const flow::EventHeader& header = decoded.header;
        Key key;
        if (parts.has_origin && options_->encoding.origins) {
            const facts::Origin* const origin = options_->encoding.origins->find(*decoded.event);
            key.kind_and_origin = origin == nullptr ? 0 : origin->trace;
        }
        key.kind_and_origin |=
            parts.has_kind ? std::uint64_t{decoded.kind->number} << 32U : std::uint64_t{0};
        key.subject = parts.has_process ? std::uint64_t{header.process_id} << 32U : 0U;
        key.subject |= parts.has_thread ? header.thread_id : 0U;
        key.processor = parts.has_processor ? decoded.event->buffer->processor : 0U;
        return key;
    }

    std::uint32_t number_of(const Key& key, const decode::DecodedEvent& decoded) {
        const auto [found, is_new] =
            numbers_.emplace(key, static_cast<std::uint32_t>(objects_.size()));
        if (is_new) {
            std::string& object = objects_.emplace_back();
            encoder_.encode_object(decoded, generation_, object);
            counts_.emplace_back();
        }
        return found->second;
    }

    const RowOptions* options_;
    decode::Decoder decoder_;
    std::optional<match::Matcher> matches_;
    sink::JsonLines encoder_;
    std::uint32_t generation_ = 0;
    std::unordered_map<Key, std::uint32_t, KeyHash> numbers_;
    std::vector<std::string> objects_;        // by number
    std::vector<CountedTexts::Count> counts_; // of the batch, by number
    std::vector<std::uint32_t> met_;          // numbers with counts
    Key previous_key_;
    std::uint32_t previous_ = no_group;
};

RowWorker::RowWorker(std::shared_ptr<const RowOptions> options)
    : options_(std::move(options)), members_(options_->members) {
    if (options_->grouping == Grouping::by_kind && options_->needs_objects()) {
        groups_ = std::make_unique<Groups>(*options_);
    } else if (options_->needs_objects()) {
        encoder_.emplace(options_->encoding);
    }
    if (options_->encoder != nullptr) {
        rows_ = options_->encoder->clone();
        values_.resize(options_->encoded.size());
        texts_.resize(options_->encoded.size());
    }
}

RowWorker::~RowWorker() = default;

std::unique_ptr<flow::BatchWorker> RowWorker::clone() const {
    return std::make_unique<RowWorker>(options_);
}

std::unique_ptr<flow::BatchResult> RowWorker::work(std::span<const flow::Run> events) {
    if (options_->grouping != Grouping::none) {
        return groups_of(events);
    }
    if (rows_) {
        return text_of(events);
    }
    return rows_of(events);
}

/// False: the condition does not match.
bool RowWorker::append_object(const flow::Event& event, std::string& to) {
    return !encoder_ || encoder_->encode(event, to);
}

/// Appends the object, and finds its members. False: nothing was appended, because the event is not
/// wanted.
bool RowWorker::read_row(const flow::Event& event, std::string& to) {
    const std::size_t begin = to.size();
    if (!is_in(options_->exact, event) || !append_object(event, to)) {
        return false;
    }
    if (!members_.is_empty()) {
        members_.find(std::string_view(to).substr(begin));
    }
    std::string scratch;
    for (const RowTest& test : options_->tests) {
        if (!test.holds(value_of_json(members_.value(test.member), scratch))) {
            to.resize(begin);
            return false;
        }
    }
    return true;
}

std::optional<Filetime> RowWorker::time_of(const flow::Event& event) const {
    return options_->has_nanoseconds ? flow::wall_time(event) : std::nullopt;
}

std::unique_ptr<RowBatch> RowWorker::rows_of(std::span<const flow::Run> events) {
    auto batch = std::make_unique<RowBatch>(members_.size());
    for (const flow::Run& run : events) {
        for (const flow::Event& event : run) {
            if (read_row(event, batch->text())) {
                batch->add({.time = time_of(event)}, members_);
            }
        }
    }
    return batch;
}

std::unique_ptr<TextBatch> RowWorker::text_of(std::span<const flow::Run> events) {
    auto batch = std::make_unique<TextBatch>();
    batch->text.reserve(text_bytes_);
    std::string object;
    for (const flow::Run& run : events) {
        for (const flow::Event& event : run) {
            object.clear();
            if (!read_row(event, object)) {
                continue;
            }
            const auto time = time_of(event);
            for (std::size_t i = 0; i < values_.size(); ++i) {
                const ValueSource& source = options_->encoded[i];
                values_[i] = source.value(members_.value(source.member), time, texts_[i]);
            }
            batch->text += rows_->separator();
            rows_->encode(values_, batch->text);
            batch->ends.push_back(batch->text.size());
        }
    }
    text_bytes_ = batch->text.size();
    return batch;
}

std::unique_ptr<GroupBatch> RowWorker::groups_of(std::span<const flow::Run> events) {
    auto batch = std::make_unique<GroupBatch>();
    std::string object;
    for (const flow::Run& run : events) {
        for (const flow::Event& event : run) {
            const std::uint64_t number = batch->events++;
            if (!is_in(options_->exact, event)) {
                continue;
            }
            if (groups_) {
                groups_->add(event, number, batch->groups);
                continue;
            }
            object.clear();
            if (append_object(event, object)) {
                batch->groups.add(object, 1, number);
            }
        }
    }
    if (groups_) {
        groups_->flush(batch->groups);
    }
    return batch;
}

} // namespace etl::sql
