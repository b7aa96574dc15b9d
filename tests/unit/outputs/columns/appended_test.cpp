#include "tests/unit/outputs/columns/events_in_columns.hpp"

namespace etl::columns::appended_test {
namespace {

class RowsOfColumns : public EventsInColumns {};

// Appended one by one, batches are the same as one batch: also bits that do not begin at a byte.
TEST_F(RowsOfColumns, AreTheSameInOneBatchAndAppended) {
    add_varied();
    const Batch whole = build_with_details();
    Batch joined;
    for (const std::size_t rows : {1U, 9U, 3U, 8U}) {
        Batch part = build_part(joined.rows, rows);
        append(layout_.columns(), joined, std::move(part));
    }
    ASSERT_EQ(joined.rows, whole.rows);
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        expect_equal(joined.columns[i], whole.columns[i], layout_.columns()[i].name);
    }
}

// The same of batches that are joined column by column, in memory that all columns share.
TEST_F(RowsOfColumns, AreTheSameInOneBatchAndJoined) {
    add_varied();
    const Batch whole = build_with_details();
    std::vector<Batch> parts;
    std::size_t rows = 0;
    for (const std::size_t count : {1U, 9U, 3U, 8U}) {
        parts.push_back(build_part(rows, count));
        rows += count;
    }
    ASSERT_EQ(rows, whole.rows);
    Array joined;
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        join(layout_.columns()[i], i, parts, joined);
        expect_equal(joined, whole.columns[i], layout_.columns()[i].name);
    }
}

TEST_F(RowsOfColumns, RepeatWhatAllOfThemHave) {
    add_varied();
    const Batch batch = build_with_details(true);
    for (const char* const name : {"provider", "event", "id", "provider_guid", "source", "pid"}) {
        EXPECT_TRUE(array(batch, name).repeats) << name;
        EXPECT_EQ(array(batch, name).size, batch.rows) << name;
    }
    EXPECT_EQ(array(batch, "pid").bytes, std::string("\7\0\0\0", 4));
    for (const char* const name : {"activity_id", "decode_error", "payload"}) {
        EXPECT_TRUE(array(batch, name).repeats) << name;
        EXPECT_EQ(array(batch, name).nulls, batch.rows) << name;
        EXPECT_TRUE(array(batch, name).bytes.empty()) << name;
    }
    for (const char* const name : {"time", "Order", "IsPaid", "Note", "Sizes"}) {
        EXPECT_FALSE(array(batch, name).repeats) << name;
    }
}

// Whether columns repeat or not, appended and expanded they are the same.
TEST_F(RowsOfColumns, AreTheSameIfTheyRepeat) {
    add_varied();
    build_with_details(true);
    Batch repeating;
    for (const std::size_t rows : {1U, 1U, 8U, 3U, 8U}) {
        append(layout_.columns(), repeating, build_part(repeating.rows, rows));
    }
    EXPECT_TRUE(array(repeating, "event").repeats);
    EXPECT_FALSE(array(repeating, "Order").repeats);
    const Batch whole = build_with_details();
    ASSERT_EQ(repeating.rows, whole.rows);
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        expand(layout_.columns()[i].type, repeating.columns[i]);
        expect_equal(repeating.columns[i], whole.columns[i], layout_.columns()[i].name);
    }
}

// The same of batches that are joined column by column.
TEST_F(RowsOfColumns, AreTheSameIfTheyRepeatAndAreJoined) {
    add_varied();
    build_with_details(true);
    std::vector<Batch> parts;
    std::size_t rows = 0;
    for (const std::size_t count : {1U, 1U, 8U, 3U, 8U}) {
        parts.push_back(build_part(rows, count));
        rows += count;
    }
    const Batch whole = build_with_details();
    ASSERT_EQ(rows, whole.rows);
    Array joined;
    bool has_repeated = false;
    for (std::size_t i = 0; i < whole.columns.size(); ++i) {
        join(layout_.columns()[i], i, parts, joined);
        has_repeated = has_repeated || joined.repeats;
        expand(layout_.columns()[i].type, joined);
        expect_equal(joined, whole.columns[i], layout_.columns()[i].name);
    }
    EXPECT_TRUE(has_repeated);
}

} // namespace
} // namespace etl::columns::appended_test
