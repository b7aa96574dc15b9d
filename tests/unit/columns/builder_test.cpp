#include <etl/columns/builder.hpp>
#include <etl/columns/limits.hpp>
#include <etl/provider/self_describing.hpp>
#include <etl/trace/reader.hpp>
#include <etl/trace/writer.hpp>

#include "columns/array_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>

namespace etl::columns::builder_test {
namespace {

using provider::SelfDescribingEvent;
using testing::ElementsAre;

constexpr std::int64_t opening_time = 132'756'357'000'000'000;

/// Events that are written, read, decoded, and put into columns.
class EventsInColumns : public testing::Test {
protected:
    void add(const std::function<void(SelfDescribingEvent&)>& fill) { fills_.push_back(fill); }

    /// 21 events: not all of them have all fields.
    void add_varied() {
        for (int i = 0; i < 21; ++i) {
            add([i](auto& event) {
                if (i % 3 != 0) {
                    event.add("Order", i)
                        .add("IsPaid", i % 2 == 0)
                        .add("Note", std::to_string(i % 4));
                }
                if (i % 5 != 1) {
                    event.add("Sizes", {i, i + 1});
                }
            });
        }
    }

    Batch build(std::size_t rows = 1000) {
        const auto file = write();
        for_each(file, [&](const decode::DecodedEvent& event, std::uint32_t) {
            layout_.add(*event.kind);
        });
        builder_.emplace(layout_, rows);
        for_each(file, [&](const decode::DecodedEvent& event, std::uint32_t generation) {
            builder_->add(event, generation, "Coffee.Shop", *event.kind->event);
        });
        return builder_->take();
    }

    const Array& array(const Batch& batch, const std::string& name) const {
        for (std::size_t i = 0; i < layout_.columns().size(); ++i) {
            if (layout_.columns()[i].name == name) {
                return batch.columns[i];
            }
        }
        ADD_FAILURE() << "no column " << name;
        return batch.columns.front();
    }

    Type type(const std::string& name) const {
        const auto found = std::ranges::find(layout_.columns(), name, &Column::name);
        return found != layout_.columns().end() ? found->type : Type::label;
    }

    template <typename T>
    static std::vector<T> values(const Array& array) {
        EXPECT_EQ(array.bytes.size(), array.size * sizeof(T));
        std::vector<T> list(array.size);
        std::memcpy(list.data(), array.bytes.data(), array.bytes.size());
        return list;
    }

    static std::vector<std::string> texts(const Array& array) {
        std::vector<std::string> list;
        for (std::size_t i = 0; i < array.size; ++i) {
            const auto begin = static_cast<std::size_t>(array.offsets[i]);
            const auto end = static_cast<std::size_t>(array.offsets[i + 1]);
            list.push_back(array.bytes.substr(begin, end - begin));
        }
        return list;
    }

    static bool is_null(const Array& array, std::size_t row) {
        return !array.validity.empty() && (array.validity[row / 8] >> row % 8 & 1) == 0;
    }

    Layout layout_;
    std::optional<Builder> builder_;

    /// Rows from `first` on, as a batch of its own.
    Batch build_part(std::size_t first, std::size_t rows) {
        Builder builder(layout_, 1000);
        std::size_t row = 0;
        for_each(write(), [&](const decode::DecodedEvent& event, std::uint32_t generation) {
            if (row >= first && row < first + rows) {
                builder.add(event, generation, "Coffee.Shop", *event.kind->event);
            }
            ++row;
        });
        return builder.take();
    }

    static void expect_equal(const Array& a, const Array& b, const std::string& name) {
        EXPECT_EQ(a.size, b.size) << name;
        EXPECT_EQ(a.nulls, b.nulls) << name;
        EXPECT_EQ(a.validity, b.validity) << name;
        EXPECT_EQ(a.offsets, b.offsets) << name;
        EXPECT_EQ(a.bytes, b.bytes) << name;
        ASSERT_EQ(a.elements == nullptr, b.elements == nullptr) << name;
        if (a.elements) {
            expect_equal(*a.elements, *b.elements, name + "[]");
        }
    }

    Batch build_with_details() {
        layout_ = Layout({.details = true, .enumerations = true});
        return build();
    }

private:
    std::shared_ptr<const io::InputFile> write() const {
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        const auto path = std::filesystem::path(testing::TempDir()) /
                          (std::string("etl-columns-") + test->name() + ".etl");
        const provider::Provider shop("Coffee.Shop");
        auto writer = trace::Writer::create(path.string(),
                                            {.recording = trace::begin_recording({opening_time})});
        EXPECT_TRUE(writer);
        for (std::size_t i = 0; i < fills_.size(); ++i) {
            SelfDescribingEvent event(shop, "Sold");
            fills_[i](event);
            EXPECT_TRUE((*writer)->add(event.record(
                {.time = opening_time + static_cast<std::int64_t>(i), .process_id = 7})));
        }
        EXPECT_TRUE((*writer)->close());
        auto file = io::InputFile::map(path.string());
        std::filesystem::remove(path);
        return *file;
    }

    static void for_each(
        const std::shared_ptr<const io::InputFile>& file,
        const std::function<void(const decode::DecodedEvent&, std::uint32_t generation)>& use) {
        auto reader = trace::Reader::open(file);
        ASSERT_TRUE(reader);
        decode::Decoder decoder{schema::SchemasByTrace()};
        flow::EventCursor events(**reader);
        while (const flow::Event* const event = events.next()) {
            const decode::DecodedEvent& decoded = decoder.decode(*event);
            if (decoded.kind->event == "Sold") {
                use(decoded, decoder.generation());
            }
        }
    }

    std::vector<std::function<void(SelfDescribingEvent&)>> fills_;
};

TEST(CommonTypes, HoldTheValuesOfBoth) {
    EXPECT_EQ(common_type(Type::int8, Type::int32), Type::int32);
    EXPECT_EQ(common_type(Type::uint64, Type::uint8), Type::uint64);
    EXPECT_EQ(common_type(Type::int16, Type::uint32), Type::int64);
    EXPECT_EQ(common_type(Type::int8, Type::uint64), Type::text);
    EXPECT_EQ(common_type(Type::float64, Type::float32), Type::float64);
    EXPECT_EQ(common_type(Type::float32, Type::int8), Type::text);
    EXPECT_EQ(common_type(Type::boolean, Type::uint8), Type::text);
    EXPECT_EQ(common_type(Type::guid, Type::binary), Type::text);
    EXPECT_EQ(common_type(Type::time, Type::time), Type::time);
}

TEST_F(EventsInColumns, HaveTheirOrigin) {
    add([](auto& event) { event.add("Order", 1); });
    add([](auto& event) { event.add("Order", 2); });
    const Batch batch = build();
    EXPECT_EQ(batch.rows, 2U);
    constexpr std::int64_t ns = (opening_time - Filetime::unix_epoch) * 100;
    EXPECT_THAT(values<std::int64_t>(array(batch, "time")), ElementsAre(ns, ns + 100));
    EXPECT_THAT(values<std::uint32_t>(array(batch, "pid")), ElementsAre(7, 7));
    EXPECT_EQ(array(batch, "tid").nulls, 2U); // not recorded
    EXPECT_THAT(values<std::int32_t>(array(batch, "provider")), ElementsAre(0, 0));
    EXPECT_THAT(texts(*array(batch, "provider").dictionary), ElementsAre("Coffee.Shop"));
    EXPECT_THAT(values<std::int32_t>(array(batch, "Order")), ElementsAre(1, 2));
}

TEST_F(EventsInColumns, OfSeveralLayoutsGetTheWiderType) {
    add([](auto& event) { event.add("Order", std::int8_t{-1}); });
    add([](auto& event) { event.add("Order", std::uint32_t{4'000'000'000}); });
    add([](auto& event) { event.add("Order", std::int32_t{-70'000}); });
    const Batch batch = build();
    EXPECT_EQ(type("Order"), Type::int64);
    EXPECT_THAT(values<std::int64_t>(array(batch, "Order")),
                ElementsAre(-1, 4'000'000'000, -70'000));
}

TEST_F(EventsInColumns, OfUnlikeTypesAreTexts) {
    add([](auto& event) { event.add("Order", -1); });
    add([](auto& event) { event.add("Order", std::uint64_t{18'446'744'073'709'551'615ULL}); });
    add([](auto& event) { event.add("Order", true); });
    const Batch batch = build();
    EXPECT_THAT(texts(array(batch, "Order")), ElementsAre("-1", "18446744073709551615", "true"));
}

TEST_F(EventsInColumns, HaveNullForWhatTheyLack) {
    for (int i = 0; i < 20; ++i) {
        add([i](auto& event) {
            if (i == 9) {
                event.add("Tip", 5).add("IsPaid", true).add("Note", "thanks");
            } else {
                event.add("Order", i);
            }
        });
    }
    const Batch batch = build();
    for (const char* const name : {"Tip", "IsPaid", "Note"}) {
        EXPECT_EQ(array(batch, name).size, 20U) << name;
        EXPECT_EQ(array(batch, name).nulls, 19U) << name;
        EXPECT_FALSE(is_null(array(batch, name), 9)) << name;
        EXPECT_TRUE(is_null(array(batch, name), 8) && is_null(array(batch, name), 19)) << name;
    }
    EXPECT_EQ(array(batch, "Order").nulls, 1U);
    EXPECT_TRUE(is_null(array(batch, "Order"), 9) && !is_null(array(batch, "Order"), 0));
    EXPECT_EQ(texts(array(batch, "Note"))[9], "thanks");
    EXPECT_EQ(values<std::int32_t>(array(batch, "Order"))[19], 19);
}

TEST_F(EventsInColumns, KeepListsAndSingleValuesApart) {
    add([](auto& event) { event.add("Order", 1); });
    add([](auto& event) { event.add("Order", {2, 3}); });
    const Batch batch = build();
    EXPECT_THAT(values<std::int32_t>(array(batch, "Order")), ElementsAre(1, 0));
    EXPECT_TRUE(is_null(array(batch, "Order"), 1));
    const Array& lists = array(batch, "Order#2");
    EXPECT_THAT(lists.offsets, ElementsAre(0, 0, 2));
    EXPECT_TRUE(is_null(lists, 0) && !is_null(lists, 1));
    EXPECT_THAT(values<std::int32_t>(*lists.elements), ElementsAre(2, 3));
}

TEST_F(EventsInColumns, HaveNoTimesThatNanosecondsCannotRepresent) {
    add([](auto& event) { event.add("Baked", Filetime{0}); });
    add([](auto& event) { event.add("Baked", Filetime{opening_time}); });
    const Batch batch = build();
    EXPECT_TRUE(is_null(array(batch, "Baked"), 0) && !is_null(array(batch, "Baked"), 1));
    EXPECT_EQ(builder_->unrepresentable(), 1U);
}

TEST_F(EventsInColumns, DoNotHideTheirOrigin) {
    add([](auto& event) { event.add("time", 1).add("provider", "x"); });
    const Batch batch = build();
    EXPECT_EQ(type("data.time"), Type::int32);
    EXPECT_THAT(texts(array(batch, "data.provider")), ElementsAre("x"));
}

TEST_F(EventsInColumns, AreFullAtTheirRows) {
    add([](auto& event) { event.add("Order", 1); });
    add([](auto& event) { event.add("Order", 2); });
    build(2);
    EXPECT_EQ(builder_->rows(), 0U); // taken
    EXPECT_FALSE(builder_->is_full());
    const Batch second = builder_->take();
    EXPECT_EQ(second.rows, 0U);
    EXPECT_EQ(array(second, "Order").size, 0U);
}

TEST_F(EventsInColumns, StartLabelsAnewInEachBatch) {
    add([](auto& event) { event.add("Order", 1); });
    const Batch first = build();
    const Batch second = builder_->take();
    EXPECT_EQ(array(first, "event").dictionary->size, 1U);
    EXPECT_EQ(array(second, "event").dictionary->size, 0U);
}

TEST_F(EventsInColumns, HaveDetailsIfAsked) {
    add([](auto& event) { event.add("Order", 1).add("Level", 2).add("order", 3); });
    const Batch batch = build_with_details();
    ASSERT_EQ(layout_.columns().size(), detailed_origin_columns + 3);
    EXPECT_THAT(values<std::uint16_t>(array(batch, "id")), ElementsAre(0));
    EXPECT_THAT(texts(*array(batch, "source").dictionary), ElementsAre("tracelogging"));
    EXPECT_EQ(array(batch, "provider_guid").bytes.size(), 16U);
    EXPECT_EQ(array(batch, "activity_id").nulls, 1U);
    EXPECT_EQ(array(batch, "decode_error").nulls, 1U);
    EXPECT_EQ(array(batch, "payload").nulls, 1U);
    EXPECT_THAT(values<std::int32_t>(array(batch, "data.Level")), ElementsAre(2));
    EXPECT_THAT(values<std::int32_t>(array(batch, "order#2")), ElementsAre(3));
}

// Appended one by one, batches are the same as one batch: also bits that do not begin at a byte.
TEST_F(EventsInColumns, AreTheSameInOneBatchAndAppended) {
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
TEST_F(EventsInColumns, AreTheSameInOneBatchAndJoined) {
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

} // namespace
} // namespace etl::columns::builder_test
