#include "sink/event_kinds.hpp"

#include "base/layout.hpp"
#include "sink/csv.hpp"
#include "sink/selection.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace etl::sink {

namespace {

/// The kinds that encoders have met, numbered. Those that differ in their fields alone have numbers
/// of their own, so that fields of events that are passed over do not count.
class KindRegister {
public:
    std::uint32_t number_of(const decode::DecodedEvent& event) {
        EventKind kind = describe(event);
        std::string identity = kind.key;
        for (const std::string& field : kind.fields) {
            identity.append(1, '\0').append(field);
        }
        const std::scoped_lock lock(mutex_);
        const auto [known, is_new] =
            numbers_.emplace(std::move(identity), static_cast<std::uint32_t>(kinds_.size()));
        if (is_new) {
            kinds_.push_back(std::move(kind));
        }
        return known->second;
    }

    const EventKind& operator[](std::uint32_t number) const { return kinds_[number]; }

private:
    static EventKind describe(const decode::DecodedEvent& event) {
        EventKind kind{.key = key_of_kind(event),
                       .provider = event.kind->provider.value_or(to_string(event.header.provider)),
                       .provider_guid = to_string(event.header.provider),
                       .event = event.kind->event.value_or(""),
                       .id = event.header.id,
                       .version = event.header.version};
        if (const schema::EventSchema* const schema = event.kind->schema; schema != nullptr) {
            const std::vector<std::string> names = schema::unique_names(*schema);
            for (const std::uint16_t field : schema->top_level()) {
                kind.fields.push_back(column_of_field(names[field]));
            }
        }
        return kind;
    }

    std::mutex mutex_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<EventKind> kinds_;
};

/// Appends the number of the kind of each event.
class KindEncoder final : public flow::Encoder {
public:
    KindEncoder(Options options, std::shared_ptr<KindRegister> kinds)
        : options_(std::move(options)), kinds_(std::move(kinds)),
          decoder_(options_.schemas, options_.decoder()), wanted_(options_) {}

    std::unique_ptr<flow::Encoder> clone() const override {
        return std::make_unique<KindEncoder>(options_, kinds_);
    }

    bool encode(const flow::Event& event, std::string& to) override {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (!wanted_.has(decoded, decoder_.generation())) {
            return false;
        }
        to.resize(to.size() + sizeof(std::uint32_t));
        const auto bytes = std::as_writable_bytes(std::span(to));
        store_le(bytes.last(sizeof(std::uint32_t)).data(), number_of(decoded));
        return true;
    }

private:
    static constexpr std::uint32_t unknown = 0xFFFFFFFF;

    std::uint32_t number_of(const decode::DecodedEvent& decoded) {
        if (decoder_.generation() != generation_) {
            numbers_.clear();
            generation_ = decoder_.generation();
        }
        if (decoded.kind->number >= numbers_.size()) {
            numbers_.resize(decoded.kind->number + 1U, unknown);
        }
        std::uint32_t& number = numbers_[decoded.kind->number];
        if (number == unknown) {
            number = kinds_->number_of(decoded);
        }
        return number;
    }

    Options options_;
    std::shared_ptr<KindRegister> kinds_;
    decode::Decoder decoder_;
    WantedEvents wanted_;
    std::vector<std::uint32_t> numbers_; // by number of the decoder's kind
    std::uint32_t generation_ = 0;
};

/// Counts the numbers.
class KindCounter final : public Output {
public:
    Result<void> write(std::string_view numbers) override {
        for (; numbers.size() >= sizeof(std::uint32_t);
             numbers.remove_prefix(sizeof(std::uint32_t))) {
            const auto number = load_le<std::uint32_t>(std::as_bytes(std::span(numbers)).data());
            if (number >= counts_.size()) {
                counts_.resize(number + 1);
            }
            if (counts_[number]++ == 0) {
                order_.push_back(number);
            }
        }
        return {};
    }

    const std::vector<std::uint32_t>& order() const noexcept { return order_; }

    std::uint64_t count(std::uint32_t number) const noexcept { return counts_[number]; }

private:
    std::vector<std::uint64_t> counts_; // by number
    std::vector<std::uint32_t> order_;  // of the first events
};

/// Adds those that are new.
void add_fields(std::vector<std::string>& to, std::unordered_set<std::string>& known,
                const std::vector<std::string>& fields) {
    for (const std::string& field : fields) {
        if (known.insert(field).second) {
            to.push_back(field);
        }
    }
}

} // namespace

std::string key_of_kind(const decode::DecodedEvent& event) {
    std::string key = to_string(event.header.provider);
    for (const unsigned number : {unsigned{event.header.id}, unsigned{event.header.version}}) {
        key.push_back('|');
        append_decimal(key, number);
    }
    key.push_back('|');
    if (event.kind->event) {
        key.append(*event.kind->event);
    } else {
        append_decimal(key, event.header.opcode);
    }
    return key;
}

struct EventKinds::State {
    explicit State(const Options& options) : encoder(options, kinds) {}

    std::shared_ptr<KindRegister> kinds = std::make_shared<KindRegister>();
    KindEncoder encoder;
    KindCounter counter;
};

EventKinds::EventKinds(const Options& options) : state_(std::make_unique<State>(options)) {}

EventKinds::~EventKinds() = default;

const flow::Encoder& EventKinds::encoder() const noexcept {
    return state_->encoder;
}

Output& EventKinds::output() noexcept {
    return state_->counter;
}

std::vector<EventKind> EventKinds::list() const {
    std::vector<EventKind> list;
    std::vector<std::unordered_set<std::string>> known;
    std::unordered_map<std::string_view, std::size_t> places; // by key
    for (const std::uint32_t number : state_->counter.order()) {
        const EventKind& kind = (*state_->kinds)[number];
        const auto [place, is_new] = places.emplace(kind.key, list.size());
        if (is_new) {
            list.push_back(kind);
            list.back().fields.clear();
            known.emplace_back();
        }
        list[place->second].events += state_->counter.count(number);
        add_fields(list[place->second].fields, known[place->second], kind.fields);
    }
    return list;
}

std::vector<std::string> fields_of(const std::vector<EventKind>& kinds) {
    std::vector<std::string> all;
    std::unordered_set<std::string> known;
    for (const EventKind& kind : kinds) {
        add_fields(all, known, kind.fields);
    }
    return all;
}

} // namespace etl::sink
