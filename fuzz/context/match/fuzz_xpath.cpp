// Any bytes as an XPath query. Beyond "does not crash": what parses compiles or says why, and
// errors have a place in the query.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "match/matcher.hpp"
#include "match/xpath.hpp"

#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const std::string_view text = as_text(std::as_bytes(std::span(data, size)));
    constexpr Filetime now{133'000'000'000'000'000};
    const auto expression = match::parse_xpath(text, now);
    if (!expression) {
        const match::SyntaxError& error = expression.error();
        fuzz::require(!error.what.empty() && error.column > 0 && error.column <= size + 1);
        static_cast<void>(match::describe(text, error));
        return 0;
    }
    const auto condition =
        match::Condition::compile(*expression, {.bounds = {.start = now, .end = {}}});
    fuzz::require(condition || !condition.error().what.empty());
    return 0;
}
