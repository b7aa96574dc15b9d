#include "match/matcher.hpp"

#include "decode/decode_note.hpp"
#include "decode/message_text.hpp"
#include "facts/attributor.hpp"
#include "match/kind_verdicts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace etl::match {

namespace {

using decode::Step;

bool is_of_processes(const CompiledTest& test) noexcept {
    return test.operand == Operand::process;
}

} // namespace

struct Matcher::State {
    State(Condition asked, MatcherInputs given)
        : condition(std::move(asked)), inputs(std::move(given)),
          decoder(inputs.schemas, inputs.decoder),
          message(decode::DisplayOptions{.code_page = inputs.code_page}),
          results(compiled().tests.size()) {
        for (const CompiledTest& test : compiled().tests) {
            processes.emplace_back();
            if (is_of_processes(test) && inputs.facts) {
                processes.back().emplace(
                    facts::parse_process_selection(test.words),
                    facts::Attributor(inputs.facts, inputs.schemas, inputs.decoder));
            }
        }
    }

    Condition::State& compiled() const noexcept { return *condition.state(); }

    bool ask(const decode::DecodedEvent& event, std::uint32_t newest);
    Truth truth_of_all(const decode::DecodedEvent& event, std::uint32_t newest);
    bool decide(Truth truth) const noexcept;
    void read_payload(const decode::DecodedEvent& event, const FieldWatch& fields);
    Truth payload_truth(std::size_t number, const decode::DecodedEvent& event);
    Truth process_truth(std::size_t number, const decode::DecodedEvent& event,
                        std::uint32_t newest);

    Condition condition;
    MatcherInputs inputs;
    decode::Decoder decoder;
    decode::EventMessage message;
    std::vector<std::optional<facts::ProcessMatcher>> processes; // by test
    KindVerdicts kinds;

    // Of the event at hand.
    std::vector<bool> results; // by test of a field
    decode::FieldWalker walker;
    bool is_walked = false;
    Missing missing;
    std::string text;
};

/// Asks the tests of fields, in one walk.
void Matcher::State::read_payload(const decode::DecodedEvent& event, const FieldWatch& fields) {
    results.assign(results.size(), false);
    is_walked = false;
    if (fields.empty()) {
        return;
    }
    const bool is_all = std::ranges::any_of(compiled().tests, [](const CompiledTest& test) {
        return test.stage == Stage::payload && !is_of_fields(test.operand);
    });
    walker.start(event.kind->plan, event.body);
    for (Step step = walker.next(); step != Step::end; step = walker.next()) {
        const std::uint32_t field = walker.field();
        if (step == Step::value || step == Step::struct_begin) {
            fields.for_each(field, [&](std::uint32_t test) {
                const bool is_presence = compiled().tests[test].op == Operator::has;
                if (!results[test] && (step == Step::value || is_presence)) {
                    results[test] =
                        is_presence ||
                        compared(compiled().tests[test],
                                 subject_of(walker.value(), inputs.code_page, text)) == Truth::yes;
                }
            });
        }
        if (field > fields.last() && !is_all) {
            return;
        }
    }
    is_walked = true;
}

Truth Matcher::State::payload_truth(std::size_t number, const decode::DecodedEvent& event) {
    const Operand operand = compiled().tests[number].operand;
    if (is_of_fields(operand)) {
        return truth_of(results[number]);
    }
    if (operand == Operand::message) {
        text.clear();
        if (event.kind->schema != nullptr) {
            message.append(text, event);
        }
        return compared(compiled().tests[number], text.empty() ? Subject{} : text_subject(text));
    }
    if (!is_walked && event.kind->schema != nullptr) {
        walker.start(event.kind->plan, event.body);
        while (walker.next() != Step::end) {
        }
        is_walked = true;
    }
    const bool has_schema = event.kind->schema != nullptr;
    if (operand == Operand::decode_note) {
        text.clear();
        decode::append_decode_note(text, event, has_schema ? &walker : nullptr);
        return compared(compiled().tests[number], text.empty() ? Subject{} : text_subject(text));
    }
    const bool is_there = operand == Operand::is_short ? has_schema && walker.is_short()
                          : operand == Operand::trailing
                              ? has_schema && !walker.trailing().empty()
                              : !event.kind->problem.empty() || event.problem != nullptr ||
                                    (has_schema && walker.failed());
    Subject subject = is_there ? number_subject(1) : Subject{};
    subject.kind = is_there ? Subject::Kind::boolean : subject.kind;
    return compared(compiled().tests[number], subject);
}

Truth Matcher::State::process_truth(std::size_t number, const decode::DecodedEvent& event,
                                    std::uint32_t newest) {
    using Verdict = facts::ProcessMatcher::Verdict;
    const CompiledTest& test = compiled().tests[number];
    if (!processes[number]) {
        return truth_of(false);
    }
    const Verdict verdict = (*processes[number])(event, newest);
    missing.process |= verdict == Verdict::unattributed;
    missing.process_name |= verdict == Verdict::unnamed;
    return truth_of(test.op == Operator::not_equal ? verdict == Verdict::differs
                                                   : verdict == Verdict::matches);
}

/// The end of all tests of an event.
bool Matcher::State::decide(Truth truth) const noexcept {
    if (truth != Truth::yes) {
        count(missing, *compiled().notes);
    }
    return truth == Truth::yes;
}

bool Matcher::State::ask(const decode::DecodedEvent& event, std::uint32_t newest) {
    missing = {};
    return decide(truth_of_all(event, newest));
}

Truth Matcher::State::truth_of_all(const decode::DecodedEvent& event, std::uint32_t newest) {
    const KindVerdict& verdict = kinds.of(event, newest, compiled());
    if (verdict.truth != Truth::unknown) {
        return verdict.truth;
    }
    bool is_read = false;
    const auto ask_header = [&](std::size_t i) {
        const CompiledTest& test = compiled().tests[i];
        if (test.stage == Stage::header) {
            return header_truth(test, *event.event, event.header, &missing);
        }
        return test.stage == Stage::origin ? origin_truth(test, *event.event, inputs.origins.get())
                                           : kind_truth(test, event);
    };
    if (const Truth known = evaluate(compiled().root, ask_header); known != Truth::unknown) {
        return known;
    }
    const auto ask_all = [&](std::size_t i) {
        const CompiledTest& test = compiled().tests[i];
        if (test.stage == Stage::facts) {
            return process_truth(i, event, newest);
        }
        if (test.stage == Stage::origin) {
            return origin_truth(test, *event.event, inputs.origins.get());
        }
        if (test.stage != Stage::payload) {
            return test.stage == Stage::header
                       ? header_truth(test, *event.event, event.header, nullptr)
                       : kind_truth(test, event);
        }
        if (!std::exchange(is_read, true)) {
            read_payload(event, verdict.fields);
        }
        return payload_truth(i, event);
    };
    return evaluate(compiled().root, ask_all);
}

Matcher::Matcher(Condition condition, MatcherInputs inputs)
    : state_(std::make_unique<State>(std::move(condition), std::move(inputs))) {}

Matcher::~Matcher() = default;
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;

bool Matcher::operator()(const flow::Event& event) {
    State& s = *state_;
    if (!s.compiled().needs_schemas && !s.compiled().needs_facts) {
        s.missing = {};
        const flow::EventHeader header = flow::read_header(event);
        const auto ask = [&](std::size_t i) {
            const CompiledTest& test = s.compiled().tests[i];
            const Truth truth = test.stage == Stage::origin
                                    ? origin_truth(test, event, s.inputs.origins.get())
                                    : header_truth(test, event, header, &s.missing);
            if (truth == Truth::yes) {
                s.compiled().see(i);
            }
            return truth;
        };
        if (const Truth known = evaluate(s.compiled().root, ask); known != Truth::unknown) {
            return s.decide(known);
        }
    }
    const decode::DecodedEvent& decoded = s.decoder.decode(event);
    return s.ask(decoded, s.decoder.generation());
}

bool Matcher::operator()(const decode::DecodedEvent& event, std::uint32_t generation) {
    return state_->ask(event, generation);
}

} // namespace etl::match
