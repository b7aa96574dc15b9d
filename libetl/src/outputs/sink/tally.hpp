// Statistics of the encoders of a run: undecoded events, built-in schemas that do not match,
// schemas used, and requested fields that no event has.
//
//     options.tally = std::make_shared<Tally>(options.fields);
//     ... // run, with encoders of these options
//     options.tally->undecoded().total();
#pragma once

#include "decode/undecoded.hpp"
#include "match/matcher.hpp"
#include "schema/event_schema.hpp"

#include <compare>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace etl::sink {

/// The identity of a schema, which schemas in other files may share.
struct UsedSchema {
    Guid provider;
    schema::Origin origin = schema::Origin::manifest;
    std::uint16_t id = 0;
    std::uint8_t version = 0;

    constexpr auto operator<=>(const UsedSchema&) const = default;
};

UsedSchema used_schema(const schema::EventSchema& schema) noexcept;

/// Filled by parts, one per thread, when they are destroyed. Thread-safe; read it after all parts
/// are destroyed.
class Tally {
public:
    /// `fields`: the requested fields (Options::fields).
    explicit Tally(std::vector<std::string> fields);

    /// The part of one thread. Keeps the tally alive.
    class Part {
    public:
        explicit Part(std::shared_ptr<Tally> whole) : whole_(std::move(whole)) {}

        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;
        /// Adds its counts to the tally.
        ~Part();

        /// `generation` is the generation of the decoder of the event; always use the same decoder.
        void add(const decode::DecodedEvent& event, std::uint32_t generation) {
            undecoded_.add(event, generation);
            misfits_.add(event);
            if (generation != generation_ || event.kind->number >= seen_.size() ||
                !seen_[event.kind->number]) [[unlikely]] {
                see(*event.kind, generation);
            }
        }

        /// Adds an event rejected by a filter, instead of add().
        void reject(const decode::DecodedEvent& event, std::uint32_t generation) {
            rejected_.add(event, generation);
        }

    private:
        void see(const decode::EventKind& kind, std::uint32_t generation);

        std::shared_ptr<Tally> whole_;
        decode::Undecoded undecoded_, rejected_;
        decode::Misfits misfits_;
        std::uint32_t generation_ = 0;
        std::vector<bool> seen_; // by kind number
    };

    const decode::Undecoded& undecoded() const noexcept { return undecoded_; }

    /// The same for events rejected by a filter: undecoded events have no fields to test.
    const decode::Undecoded& rejected() const noexcept { return rejected_; }

    /// Returns the events that built-in schemas decoded although they do not match.
    const decode::Misfits& misfits() const noexcept { return misfits_; }

    /// Returns the external schemas used.
    const std::set<UsedSchema>& used() const noexcept { return used_; }

    /// Returns the requested fields that no event has.
    std::vector<match::UnmatchedName> unmatched_fields() const;

private:
    void add(const schema::EventSchema& schema);

    std::mutex mutex_;
    std::vector<std::string> fields_; // requested fields not found yet, without `data.`
    std::set<std::string, std::less<>> field_names_; // field names of events, for suggestions
    decode::Undecoded undecoded_, rejected_;
    decode::Misfits misfits_;
    std::set<UsedSchema> used_;
};

} // namespace etl::sink
