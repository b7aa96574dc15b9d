// A compiled expression. Private to match.
#pragma once

#include "match/matcher.hpp"
#include "match/operand.hpp"
#include "match/subject.hpp"

#include <deque>
#include <mutex>
#include <set>
#include <vector>

namespace etl::match {

/// Three-valued: what is not known yet decides nothing.
enum class Truth : std::uint8_t { no, yes, unknown };

constexpr Truth truth_of(bool value) noexcept {
    return value ? Truth::yes : Truth::no;
}

struct CompiledTest {
    Operand operand = Operand::field;
    Stage stage = Stage::payload;
    Operator op = Operator::has;
    std::string name; // of a field: its path
    std::vector<Meaning> meanings;
    std::vector<std::string> words; // of Operand::process: as they were written
    /// A number of the header, and those that it is compared with; null: it is compared with
    /// others, too, or it is something else.
    HeaderNumber number = nullptr;
    std::vector<std::uint64_t> numbers;
    bool fits_classes = false; // of Operand::provider: the name of a class of the kernel does
};

struct CompiledNode {
    Expression::Kind kind = Expression::Kind::all;
    std::vector<CompiledNode> parts;
    std::size_t test = 0; // of Kind::test
};

struct Condition::State {
    CompiledNode root;
    std::vector<CompiledTest> tests;
    bool needs_facts = false;
    bool needs_origins = false;
    bool needs_schemas = false;
    bool may_reject_by_header = false;
    std::shared_ptr<Notes> notes;

    // What events had, for those who ask afterwards why nothing matched.
    mutable std::mutex mutex;
    std::deque<std::atomic<bool>> is_seen; // by test: of a field, a provider, an event
    std::set<std::string, std::less<>> field_names, provider_names, event_names;

    void see(std::size_t test) noexcept {
        if (!is_seen[test].load(std::memory_order_relaxed)) {
            is_seen[test].store(true, std::memory_order_relaxed);
        }
    }
};

/// The truth of a tree by that of its tests: `ask(test)` gives a Truth.
template <typename Ask>
Truth evaluate(const CompiledNode& node, Ask& ask) {
    if (node.kind == Expression::Kind::test) {
        return ask(node.test);
    }
    const bool is_all = node.kind == Expression::Kind::all;
    const Truth decisive = is_all ? Truth::no : Truth::yes; // of `any` and `none`
    Truth result = is_all ? Truth::yes : Truth::no;
    for (const CompiledNode& part : node.parts) {
        const Truth one = evaluate(part, ask);
        if (one == decisive) {
            result = one;
            break;
        }
        result = one == Truth::unknown ? one : result;
    }
    if (node.kind != Expression::Kind::none || result == Truth::unknown) {
        return result;
    }
    return truth_of(result == Truth::no);
}

/// What tests of one event asked for in vain. Events are counted, not tests, and only those that
/// do not match: a test that is not true can be part of an expression that is.
struct Missing {
    bool time = false, pid = false, tid = false;
    bool process = false, process_name = false;
};

/// Whether a test is true of what stands on its left.
Truth compared(const CompiledTest& test, const Subject& subject);

/// Counts an event that does not match.
void count(const Missing& missing, Notes& notes) noexcept;

/// A test of what the header says; unknown for those that take more. `event_header` is that of
/// `event`. `missing` may be null.
Truth header_truth(const CompiledTest& test, const flow::Event& event,
                   const flow::EventHeader& event_header, Missing* missing);

/// Whether a name of MSNT_SystemTrace, or of one of its classes, makes the test of the provider
/// true.
bool fits_kernel_class(const Meaning& meaning);

/// A test of Stage::origin. `origins` null: what the trace says of itself.
Truth origin_truth(const CompiledTest& test, const flow::Event& event,
                   const facts::Origins* origins);

/// A test of what the kind of an event says, or its descriptor; unknown for those that take more.
Truth kind_truth(const CompiledTest& test, const decode::DecodedEvent& event);

} // namespace etl::match
