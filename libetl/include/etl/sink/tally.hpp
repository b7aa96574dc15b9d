// What the encoders of a run met: what stayed raw, which schemas were used, and which of the wanted
// fields no event has.
//
//     options.tally = std::make_shared<Tally>(options.fields);
//     ... // run, with encoders of these options
//     options.tally->undecoded().total();
#pragma once

#include <etl/decode/undecoded.hpp>
#include <etl/match/matcher.hpp>
#include <etl/schema/event_schema.hpp>

#include <compare>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace etl::sink {

/// The identity of a schema, as schemas of other files may have it too.
struct UsedSchema {
    Guid provider;
    schema::Origin origin = schema::Origin::manifest;
    std::uint16_t id = 0;
    std::uint8_t version = 0;

    constexpr auto operator<=>(const UsedSchema&) const = default;
};

UsedSchema used_schema(const schema::EventSchema& schema) noexcept;

/// Filled by parts, one for each thread, when they end. Any thread; read it when all have ended.
class Tally {
public:
    /// `fields`: what the output is restricted to (Options::fields).
    explicit Tally(std::vector<std::string> fields);

    /// One thread. Outlived by the tally.
    class Part {
    public:
        explicit Part(std::shared_ptr<Tally> whole) : whole_(std::move(whole)) {}

        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
        /// Adds it to the whole.
        ~Part();

        /// `generation` is that of the decoder of the event; always the same decoder.
        void add(const decode::DecodedEvent& event, std::uint32_t generation) {
            undecoded_.add(event, generation);
            if (generation != generation_ || event.kind->number >= seen_.size() ||
                !seen_[event.kind->number]) [[unlikely]] {
                see(*event.kind, generation);
            }
        }

        /// An event that a filter refused; not add()ed.
        void refuse(const decode::DecodedEvent& event, std::uint32_t generation) {
            refused_.add(event, generation);
        }

    private:
        void see(const decode::EventKind& kind, std::uint32_t generation);

        std::shared_ptr<Tally> whole_;
        decode::Undecoded undecoded_, refused_;
        std::uint32_t generation_ = 0;
        std::vector<bool> seen_; // by number of the kind
    };

    const decode::Undecoded& undecoded() const noexcept { return undecoded_; }

    /// The same of events that a filter refused: those that are raw have no fields to ask about.
    const decode::Undecoded& refused() const noexcept { return refused_; }

    /// Schemas from outside the events.
    const std::set<UsedSchema>& used() const noexcept { return used_; }

    /// The wanted fields that no event has.
    std::vector<match::UnmatchedName> unmatched_fields() const;

private:
    void add(const schema::EventSchema& schema);

    std::mutex mutex_;
    std::vector<std::string> fields_;                // neither a key nor seen yet; without `data.`
    std::set<std::string, std::less<>> field_names_; // of events, for suggestions
    decode::Undecoded undecoded_, refused_;
    std::set<UsedSchema> used_;
};

} // namespace etl::sink
