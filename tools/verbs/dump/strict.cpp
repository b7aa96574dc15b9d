#include "verbs/dump/strict.hpp"

#include "cli/console.hpp"

#include <fmt/format.h>

namespace cli {

void StrictJudge::Refused::add(const etl::decode::DecodedEvent& event, const std::string& why) {
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
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != etl::decode::Step::end) {
    }
    return walker_.failed()
               ? fmt::format("{}: {}", event.kind->schema->fields[walker_.failed_field()].name,
                             walker_.problem())
               : std::string();
}

void StrictJudge::add(const etl::decode::DecodedEvent& event) {
    if (event.kind->is_guess) {
        guessed_.add(event, event.kind->note);
    }
    if (const std::string problem = problem_of(event); !problem.empty()) {
        contradicting_.add(event, problem);
    }
}

ExitCode StrictJudge::judge() const {
    if (contradicting_.count > 0) {
        say(fmt::format("{} event{} (--strict); if another version of the schema describes {}, "
                        "give it with --schema; the first is",
                        contradicting_.count,
                        contradicting_.count == 1 ? " contradicts its schema"
                                                  : "s contradict their schemas",
                        contradicting_.count == 1 ? "it" : "them"));
        say_plainly(printable(contradicting_.first));
    }
    if (guessed_.count > 0) {
        say(fmt::format("{} event{} decoded by a guess (--strict); --schema with the schema of the "
                        "version, or --pointer-size, makes it sure; the first is",
                        guessed_.count, guessed_.count == 1 ? " was" : "s were"));
        say_plainly(printable(guessed_.first));
    }
    return contradicting_.count + guessed_.count > 0 ? ExitCode::damaged : ExitCode::well;
}

} // namespace cli
