#include "rows/writer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace etl::rows::rows_test {
namespace {

using analysis::Unit;

constexpr std::array<std::byte, 2> some_bytes{std::byte{0xAB}, std::byte{0x01}};
constexpr std::array<std::uint64_t, 2> some_counts{3, 0};

const std::vector<RowColumn> cups{
    {"cup", Unit::text}, {"brew_ns", Unit::nanoseconds}, {"size", Unit::bytes}, {"at", Unit::time}};

/// Two rows, and an object besides them.
std::string written(const WriterOptions& how) {
    std::string text;
    const auto writer = make_writer(cups, how, text);
    writer->begin();
    writer->add(std::array<Value, 4>{"mug, \"large\"", std::uint64_t{1'250'000},
                                     std::uint64_t{2048}, std::uint64_t{0}});
    writer->add(std::array<Value, 4>{"line\nend", std::uint64_t{1} << 60U, Value(), Value()});
    writer->add_object(R"({"total":{}})");
    writer->end();
    return text;
}

TEST(Rows, AreWrittenInEachFormat) {
    EXPECT_EQ(written({.format = Format::csv}),
              "cup,brew_ns,size,at\r\n"
              "\"mug, \"\"large\"\"\",1250000,2048,1601-01-01T00:00:00.0000000Z\r\n"
              "\"line\nend\",1152921504606846976,,\r\n");
    EXPECT_EQ(written({.format = Format::tsv}),
              "cup\tbrew_ns\tsize\tat\n"
              "mug, \"large\"\t1250000\t2048\t1601-01-01T00:00:00.0000000Z\n"
              "line\\nend\t1152921504606846976\t\t\n");
    EXPECT_EQ(written({.format = Format::jsonl}),
              R"({"cup":"mug, \"large\"","brew_ns":1250000,"size":2048,)"
              R"("at":"1601-01-01T00:00:00.0000000Z"})"
              "\n"
              R"({"cup":"line\nend","brew_ns":1152921504606846976,"size":null,"at":null})"
              "\n"
              R"({"total":{}})"
              "\n");
    EXPECT_EQ(written({.format = Format::text}),
              "cup                   brew     size  at\n"
              "mug, \"large\"       1.25 ms  2.00 KB  1601-01-01T00:00:00.0000000Z\n"
              "line\\x0aend   1152921505 s        -  -\n");
}

TEST(Rows, OfJsonAreAnArray) {
    const std::string array = written({.format = Format::json});
    EXPECT_TRUE(array.starts_with("[\n{\"cup\""));
    EXPECT_TRUE(array.ends_with("},\n{\"total\":{}}\n]\n"));
    std::string text;
    const auto writer = make_writer(cups, {.format = Format::json}, text);
    writer->begin();
    writer->end();
    EXPECT_EQ(text, "[\n]\n");
}

/// Integers as digits, and texts; two encoders share the rows.
TEST(Rows, AreEncodedAsWritersWriteThem) {
    const std::array<Value, 4> first{"a,\"b\"", Digits{"-5"}, Digits{"9007199254740993"}, Value()};
    const std::array<Value, 4> second{Digits{"1"}, 0.5, some_bytes, std::span(some_counts)};
    const std::vector<RowColumn> columns{{"a"}, {"b"}, {"c"}, {"d"}};
    for (const FormatTraits& format : formats()) {
        const WriterOptions how{.format = format.format, .max_number = std::uint64_t{1} << 53U};
        std::string written, encoded;
        const auto writer = make_writer(columns, how, written);
        writer->begin();
        writer->add(first);
        writer->add(second);
        writer->end();
        const auto encoder = make_encoder(columns, how);
        if (format.format == Format::text) {
            EXPECT_EQ(encoder, nullptr); // columns are aligned
            continue;
        }
        const auto other = encoder->clone();
        encoded += encoder->head();
        encoder->encode(first, encoded);
        encoded += encoder->separator();
        other->encode(second, encoded);
        encoded += encoder->tail();
        EXPECT_EQ(encoded, written) << format.name;
        const bool is_quoted = format.has_objects;
        EXPECT_EQ(written.contains("\"9007199254740993\""), is_quoted) << format.name;
        EXPECT_TRUE(written.contains("-5") && written.contains("ab01")) << format.name;
    }
}

TEST(Rows, QuoteIntegersThatReadersWouldRound) {
    const std::string text =
        written({.format = Format::jsonl, .max_number = 9'007'199'254'740'991});
    EXPECT_NE(text.find("\"brew_ns\":1250000"), text.npos);
    EXPECT_NE(text.find("\"brew_ns\":\"1152921504606846976\""), text.npos);
}

TEST(Rows, HaveValuesOfAnyType) {
    std::string text;
    const auto writer =
        make_writer({{.name = "a_b"}, {.name = "n"}}, {.format = Format::jsonl}, text);
    writer->begin();
    writer->add(std::array<Value, 2>{Bytes(some_bytes), std::int64_t{-5}});
    writer->add(std::array<Value, 2>{std::numeric_limits<double>::infinity(), 0.5});
    writer->add(std::array<Value, 2>{std::span<const std::uint64_t>(some_counts), "\xFFx"});
    writer->end();
    EXPECT_EQ(text, "{\"a_b\":\"ab01\",\"n\":-5}\n"
                    "{\"a_b\":\"Infinity\",\"n\":0.5}\n"
                    "{\"a_b\":[3,0],\"n\":\"\xEF\xBF\xBDx\"}\n");
}

/// A column without a unit is aligned by its values.
TEST(Rows, OfTextAreAlignedInGroups) {
    std::string text;
    const auto writer = make_writer({{.name = "a_b"}}, {.group = 2}, text);
    writer->begin();
    for (const Value& value : {Value(std::int64_t{1}), Value(std::int64_t{1000}), Value("x")}) {
        writer->add(std::span(&value, 1));
    }
    writer->end();
    EXPECT_EQ(text, " a_b\n   1\n1000\na_b\nx\n");
}

TEST(Rows, AreShownToPeople) {
    EXPECT_EQ(shown_of(Value(), Unit::count), "-");
    EXPECT_EQ(shown_of(Value(std::uint64_t{999}), Unit::nanoseconds), "999 ns");
    EXPECT_EQ(shown_of(Value(std::uint64_t{1} << 20U), Unit::bytes), "1.00 MB");
    EXPECT_EQ(csv_of(analysis::Cell(std::uint64_t{1234}), Unit::hundredths), "12.34");
    EXPECT_EQ(csv_of(analysis::Cell(~std::uint64_t{0}), Unit::signed_hundredths), "-0.01");
    EXPECT_EQ(json_of(analysis::Cell(std::uint64_t{31}), Unit::address), "\"0x1f\"");
    EXPECT_EQ(heading_of("max_wait_ns", Unit::nanoseconds), "max wait");
}

} // namespace
} // namespace etl::rows::rows_test
