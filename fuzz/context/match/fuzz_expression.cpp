// Any bytes as an expression, which is then asked of an event. Beyond "does not crash": what parses
// compiles or says why, asking twice gives the same answer, and what headers refuse is refused.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "match/matcher.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const std::string_view text = as_text(std::as_bytes(std::span(data, size)));
    const auto expression = match::Expression::parse(text);
    if (!expression) {
        fuzz::require(!expression.error().what.empty() && expression.error().column > 0);
        static_cast<void>(match::describe(text, expression.error()));
        return 0;
    }
    const auto condition =
        match::Condition::compile(*expression, {.bounds = {.start = {test::tea_time}, .end = {}}});
    if (!condition) {
        fuzz::require(!condition.error().what.empty());
        return 0;
    }
    static const auto store = test::store_with({test::brewing()});
    static const auto payload = test::brewing_payload();
    static const auto one = test::event_of(test::brewing_record(payload));
    match::Matcher matches(*condition, {.schemas = store});
    const bool answer = matches(one->event);
    fuzz::require(matches(one->event) == answer);
    fuzz::require(!answer || condition->may_match(one->event));
    static_cast<void>(condition->unmatched());
    return 0;
}
