#include "cli/option_values.hpp"

namespace cli {

void add_big_numbers(Verb& verb, BigNumbers& to) {
    add_choice<BigNumbers>(
        verb, "--big-numbers", to, {{"number", BigNumbers::number}, {"text", BigNumbers::text}},
        "JSON: number, or text for integers beyond 2^53, which jq and JavaScript "
        "round (default: number)",
        "FORM");
}

std::string with_big_numbers(std::string json, BigNumbers how) {
    if (how == BigNumbers::text) {
        etl::quote_large_integers(json, 0, largest_of(how));
    }
    return json;
}

} // namespace cli
