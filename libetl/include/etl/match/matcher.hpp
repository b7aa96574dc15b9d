// Asks events whether an expression is true of them. docs/filters.md
//
//     auto where = match::Expression::parse("provider == Tea-House && data.Cups > 2");
//     auto condition = match::Condition::compile(*where, {.bounds = {.start = start}});
//     match::Matcher matches(*condition, {.schemas = schemas});
//     if (matches(event)) { ... }                   // decodes if need be, or:
//     if (matches(decoded, generation)) { ... }     // what is decoded already
#pragma once

#include <etl/base/code_page.hpp>
#include <etl/decode/decoder.hpp>
#include <etl/facts/facts.hpp>
#include <etl/facts/origins.hpp>
#include <etl/match/expression.hpp>
#include <etl/match/time_point.hpp>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace etl::match {

/// What matching left open, counted over all matchers of a condition. Any number of threads.
struct Notes {
    std::atomic<std::uint64_t> unattributed = 0;     // `process`: no process is known
    std::atomic<std::uint64_t> unnamed = 0;          // `process` by name: a process without a name
    std::atomic<std::uint64_t> without_pid = 0;      // `pid`: the header stores none
    std::atomic<std::uint64_t> without_tid = 0;      // `tid`
    std::atomic<bool> has_header_rejections = false; // may_match() was false for some event
};

/// A test that no event asked about could make true, because no event has the name.
struct UnmatchedName {
    std::string name; // `provider`, `event`, or that of a field
    bool is_field = false;
    std::vector<std::string> values;  // of `provider` and `event`
    std::vector<std::string> similar; // names of these events, best first; at most five
};

/// An expression whose names and values were checked. Immutable and shared by matchers; cheap to
/// copy. Any thread.
class Condition {
public:
    struct Options {
        TimeBounds bounds{};
        std::shared_ptr<Notes> notes{}; // null: of its own
    };

    /// Errors: a value that cannot be compared with what stands before it.
    static std::expected<Condition, SyntaxError> compile(const Expression& expression,
                                                         const Options& options);

    /// True for every event.
    Condition();

    bool is_always_true() const noexcept;

    /// Names of providers or events, fields, or processes that payloads name are asked for.
    bool needs_schemas() const noexcept;

    /// A process is asked for: matchers need facts.
    bool needs_facts() const noexcept;

    /// A file or machine is asked for: matchers need origins.
    bool needs_origins() const noexcept;

    /// may_match() can be false.
    bool may_reject_by_header() const noexcept;

    /// False only if the expression is false whatever the payload, the names, and the time are.
    /// Reads the header. Any number of threads.
    bool may_match(const flow::Event& event) const noexcept;

    Notes& notes() const noexcept;

    /// Fields, providers and events of the expression that nothing had, after matching: no event,
    /// or, if Notes::has_header_rejections, none that the headers let through.
    std::vector<UnmatchedName> unmatched() const;

    struct State;

    const std::shared_ptr<State>& state() const noexcept { return state_; }

private:
    std::shared_ptr<State> state_;
};

struct MatcherInputs {
    schema::SchemasByTrace schemas;
    /// As for the output: events have their names from the schema that decodes them.
    decode::DecoderOptions decoder{};
    /// If Condition::needs_facts(); Scope::processes suffices.
    std::shared_ptr<const facts::FactsByTrace> facts{};
    /// If Condition::needs_origins(); null: traces are what they say of themselves, which tells no
    /// machine and not what a merge was made of.
    std::shared_ptr<const facts::Origins> origins{};
    const CodePage* code_page = nullptr; // of 8-bit text; outlives the matcher
};

/// A condition, with what it takes to ask. What all events of a kind share is asked once. One
/// thread.
class Matcher {
public:
    Matcher(Condition condition, MatcherInputs inputs);
    ~Matcher();
    Matcher(Matcher&&) noexcept;
    Matcher& operator=(Matcher&&) noexcept;
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    /// Decodes if the header does not decide.
    bool operator()(const flow::Event& event);

    /// Of an event that a decoder of the same schemas has decoded. `generation` is that decoder's;
    /// always the same decoder.
    bool operator()(const decode::DecodedEvent& event, std::uint32_t generation);

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::match
