// Events that are written, read, decoded, and put into columns, for tests of columns.
#pragma once

#include <etl/provider.hpp>

#include "columns/builder.hpp"
#include "trace/reader.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::columns {

inline constexpr std::int64_t opening_time = 132'756'357'000'000'000;

/// Events that are written, read, decoded, and put into columns.
class EventsInColumns : public testing::Test {
protected:
    void add(const std::function<void(provider::SelfDescribingEvent&)>& fill,
             const provider::EventOptions& options = {}) {
        fills_.push_back(fill);
        options_.push_back(options);
    }

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
        const auto found = std::ranges::find(layout_.columns(), name, &BatchColumn::name);
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

    Batch build_with_details(bool repeats = false) {
        layout_ = Layout({.details = true, .enumerations = true, .repeats = repeats});
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
            provider::SelfDescribingEvent event(shop, "Sold", options_[i]);
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

    std::vector<std::function<void(provider::SelfDescribingEvent&)>> fills_;
    std::vector<provider::EventOptions> options_; // of each
};

} // namespace etl::columns
