// Matching of events against expressions. docs/filters.md
//
//     auto where = match::Expression::parse("provider == Tea-House && data.Cups > 2");
//     auto condition = match::Condition::compile(*where, {.bounds = {.start = start}});
//     match::Matcher matches(*condition, {.schemas = schemas});
//     if (matches(event)) { ... }                   // decodes if need be, or:
//     if (matches(decoded, generation)) { ... }     // what is decoded already
#pragma once

#include "base/code_page.hpp"
#include "decode/decoder.hpp"
#include "facts/facts.hpp"
#include "facts/origins.hpp"
#include "match/expression.hpp"
#include "match/time_point.hpp"

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace etl::match {

/// Events that do not match because of a test that could not be decided, counted over all matchers
/// of a condition. Thread-safe.
struct Notes {
    std::atomic<std::uint64_t> unattributed = 0;     // `process`: the process is unknown
    std::atomic<std::uint64_t> unnamed = 0;          // `process` by name: the process has no name
    std::atomic<std::uint64_t> without_pid = 0;      // `pid`: not stored in the header
    std::atomic<std::uint64_t> without_tid = 0;      // `tid`
    std::atomic<std::uint64_t> untimed = 0;          // without a usable time: in no time window
    std::atomic<bool> has_header_rejections = false; // may_match() was false for an event
};

/// A test that was never true because no examined event has the name.
struct UnmatchedName {
    std::string name; // `provider`, `event`, or a field name
    bool is_field = false;
    std::vector<std::string> values;  // values of `provider` and `event`
    std::vector<std::string> similar; // similar names in these events, best first; at most five
};

/// Returns "no event is from provider 'Shop'; similar: Shops".
std::string describe(const UnmatchedName& name);

/// A compiled expression with checked names and values. Immutable, shared by matchers, cheap to
/// copy; thread-safe.
class Condition {
public:
    struct Options {
        TimeBounds bounds{};
        std::shared_ptr<Notes> notes{}; // null: a new one
    };

    /// Errors: a value that cannot be compared with the name before it.
    static std::expected<Condition, SyntaxError> compile(const Expression& expression,
                                                         const Options& options);

    /// A condition that is true for every event.
    Condition();

    bool is_always_true() const noexcept;

    /// Returns whether the condition uses names of providers or events, fields, or processes named
    /// in payloads.
    bool needs_schemas() const noexcept;

    /// Returns whether the condition uses processes; matchers then need facts.
    bool needs_facts() const noexcept;

    /// Returns whether the condition uses files or machines; matchers then need origins.
    bool needs_origins() const noexcept;

    /// Returns whether may_match() can be false.
    bool may_reject_by_header() const noexcept;

    /// Returns false only if the expression is false regardless of payload, names, and time. Reads
    /// the header. Thread-safe.
    bool may_match(const flow::Event& event) const noexcept;

    Notes& notes() const noexcept;

    /// After matching, returns the fields, providers, and events of the expression that no event
    /// had. If Notes::has_header_rejections, only events accepted by their header were examined.
    std::vector<UnmatchedName> unmatched() const;

    struct State;

    const std::shared_ptr<State>& state() const noexcept { return state_; }

private:
    std::shared_ptr<State> state_;
};

struct MatcherInputs {
    schema::SchemasByTrace schemas;
    /// The same options as for the output: event names come from the schema that decodes the event.
    decode::DecoderOptions decoder{};
    /// Required if Condition::needs_facts(); Scope::processes is sufficient.
    std::shared_ptr<const facts::FactsByTrace> facts{};
    /// Required if Condition::needs_origins(); null: origins come from the trace headers alone,
    /// without machines and without the inputs of a merge.
    std::shared_ptr<const facts::Origins> origins{};
    const CodePage* code_page = nullptr; // code page of 8-bit text; must outlive the matcher
};

/// Evaluates a condition. Tests of properties shared by all events of a kind are evaluated once.
/// Not thread-safe.
class Matcher {
public:
    Matcher(Condition condition, MatcherInputs inputs);
    ~Matcher();
    Matcher(Matcher&&) noexcept;
    Matcher& operator=(Matcher&&) noexcept;
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    /// Returns whether an event matches. Decodes it if the header is not sufficient.
    bool operator()(const flow::Event& event);

    /// The same for an event decoded with the same schemas. `generation` is that of its decoder;
    /// always use the same decoder.
    bool operator()(const decode::DecodedEvent& event, std::uint32_t generation);

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::match
