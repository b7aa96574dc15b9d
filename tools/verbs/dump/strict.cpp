#include "verbs/dump/strict.hpp"

#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "decode/decode_note.hpp"

#include <fmt/format.h>

namespace cli {

using etl::decode::Certainty;

void StrictJudge::Rejected::add(const etl::decode::DecodedEvent& event, const std::string& why) {
    if (count++ == 0) {
        const etl::flow::BufferContext& buffer = *event.event->buffer;
        first =
            fmt::format("{}:0x{:x}: buffer {}: record at 0x{:x}: {} of {}: {}", buffer.trace->name,
                        buffer.where.value, buffer.number, event.event->offset(),
                        event.kind->event.value_or(fmt::format("event {}", event.header.id)),
                        event.kind->provider.value_or(etl::to_string(event.header.provider)), why);
    }
}

std::string StrictJudge::problem_of(const etl::decode::DecodedEvent& event) {
    if (!event.kind->problem.empty()) {
        return event.kind->problem;
    }
    if (event.problem != nullptr) {
        return event.problem;
    }
    if (event.kind->schema == nullptr) {
        return {};
    }
    const auto at = [&](std::uint32_t field, const char* why) {
        return fmt::format("{}: {}", event.kind->schema->fields[field].name, why);
    };
    if (walker_.failed()) {
        return at(walker_.failed_field(), walker_.problem());
    }
    return walker_.doubt() == etl::decode::Doubt::invalid_value
               ? at(walker_.doubtful_field(), walker_.doubt_text())
               : std::string();
}

void StrictJudge::add(const etl::decode::DecodedEvent& event) {
    const bool has_schema = event.kind->schema != nullptr;
    if (has_schema) {
        walker_.start(event.kind->plan, event.body);
        while (walker_.next() != etl::decode::Step::end) {
        }
    }
    if (const std::string problem = problem_of(event); !problem.empty()) {
        mismatched_.add(event, problem);
    } else if (has_schema &&
               (certainty_of(event, walker_) == Certainty::guessed || is_misfit(event, walker_))) {
        std::string note;
        append_decode_note(note, event, &walker_);
        guessed_.add(event, note);
    }
}

ExitCode StrictJudge::judge() const {
    if (mismatched_.count > 0) {
        say(fmt::format("{} not match {} (--strict); use --schema to add the right version; the "
                        "first:",
                        plural(mismatched_.count, "event does", "events do"),
                        mismatched_.count == 1 ? "its schema" : "their schemas"));
        say_plainly(printable(mismatched_.first));
    }
    if (guessed_.count > 0) {
        say(fmt::format("{} decoded by guessing (--strict); use --schema to add the right version, "
                        "or --pointer-size; the first:",
                        plural(guessed_.count, "event was", "events were")));
        say_plainly(printable(guessed_.first));
    }
    return mismatched_.count + guessed_.count > 0 ? ExitCode::damaged : ExitCode::well;
}

} // namespace cli
