#include "base/csv_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace etl::csv_text_test {
namespace {

std::string in_quotes(std::string_view text) {
    std::string to = "before";
    append_csv_quoted(to, text);
    return to;
}

TEST(CsvText, QuotesAreDoubled) {
    EXPECT_EQ(in_quotes(""), "before\"\"");
    EXPECT_EQ(in_quotes("a,b\r\n"), "before\"a,b\r\n\"");
    EXPECT_EQ(in_quotes("\""), "before\"\"\"\"");
    EXPECT_EQ(in_quotes("\"a\""), "before\"\"\"a\"\"\"");
}

// Blocks and the rest behind them, with quotes at every place.
TEST(CsvText, QuotesAtEveryPlaceOfEveryLengthAreDoubled) {
    for (std::size_t length = 1; length < 70; ++length) {
        for (std::size_t place = 0; place < length; ++place) {
            for (const std::size_t step : {1U, 2U, 7U, 100U}) {
                std::string text, expected = "before\"";
                for (std::size_t i = 0; i < length; ++i) {
                    const bool is_quote = i >= place && (i - place) % step == 0;
                    text.push_back(is_quote ? '"' : static_cast<char>(0x80U + i));
                    expected.append(is_quote ? 2 : 1, text.back());
                }
                EXPECT_EQ(in_quotes(text), expected + '"');
            }
        }
    }
}

} // namespace
} // namespace etl::csv_text_test
