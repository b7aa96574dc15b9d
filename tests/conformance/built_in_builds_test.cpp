// Payloads of the layouts that each build of Windows has are decoded by just these layouts, and a
// build with another layout of the same event marks them.
#include "catalog/built_in.hpp"
#include "catalog/catalog.hpp"
#include "decode/decode_note.hpp"
#include "decode/decoder.hpp"
#include "format/records.hpp"
#include "tests/support/traces/one_event.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace etl::built_in_builds_test {
namespace {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::InType;

constexpr std::size_t layouts_of_a_build = 500;

/// Makes payloads of a layout.
class PayloadMaker {
public:
    PayloadMaker(const EventSchema& event, std::mt19937& random)
        : event_(&event), random_(&random), numbers_(event.fields.size()) {}

    /// Nothing: the size of a field is unknown.
    std::optional<std::vector<std::byte>> make() {
        put_all(0, event_->fields.size());
        return is_known_ ? std::optional(payload_.take()) : std::nullopt;
    }

private:
    void put_all(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && is_known_; i += 1U + event_->fields[i].members) {
            put(i);
        }
    }

    void put(std::size_t index) {
        const Field& field = event_->fields[index];
        for (std::uint32_t left = number_of(field.count, 1); left > 0 && is_known_; --left) {
            if (field.in_type == InType::structure) {
                is_known_ = is_known_ && field.members > 0;
                put_all(index + 1, index + 1 + field.members);
            } else {
                put_value(index);
            }
        }
    }

    std::uint32_t number_of(const Extent& extent, std::uint32_t natural) {
        switch (extent.kind) {
        case Extent::Kind::natural:
            return natural;
        case Extent::Kind::fixed:
            return extent.value;
        case Extent::Kind::field:
            return numbers_[extent.value];
        case Extent::Kind::prefixed:
        case Extent::Kind::rest:
        case Extent::Kind::unknown:
            is_known_ = false;
            break;
        }
        return 0;
    }

    void put_value(std::size_t index) {
        const Field& field = event_->fields[index];
        constexpr unsigned pointer_size = 8;
        if (field.in_type == InType::systemtime) { // 2024-01-01
            payload_.u16(2024).u16(1).u16(1).u16(1).fill(8);
            return;
        }
        if (const auto size = schema::fixed_size(field.in_type, pointer_size); size != 0) {
            put_number(index, size);
            return;
        }
        const bool has_length = field.length.kind != Extent::Kind::natural;
        const std::uint32_t length = number_of(field.length, 3);
        if (field.in_type == InType::unicode_string || field.in_type == InType::ansi_string) {
            const unsigned width = field.in_type == InType::unicode_string ? 2 : 1;
            put_text(length, width);
            payload_.fill(has_length ? 0 : width);
        } else if (field.in_type == InType::counted_unicode_string) {
            payload_.u16(6);
            put_text(3, 2);
        } else if (field.in_type == InType::counted_ansi_string ||
                   field.in_type == InType::counted_binary) {
            payload_.u16(3);
            put_text(3, 1);
        } else if (field.in_type == InType::binary && has_length) {
            put_text(length, 1);
        } else if (field.in_type == InType::sid) { // S-1-5-18
            payload_.u8(1).u8(1).u16(0).u16(0).u16(0x0500).u32(18);
        } else {
            is_known_ = false;
        }
    }

    void put_number(std::size_t index, std::uint32_t size) {
        const Field& field = event_->fields[index];
        auto value = static_cast<std::uint8_t>(1 + (*random_)() % 3);
        if (field.in_type == InType::boolean) {
            value = 1;
        }
        numbers_[index] = value;
        payload_.u8(value).fill(size - 1);
    }

    void put_text(std::uint32_t characters, std::uint32_t width) {
        for (std::uint32_t i = 0; i < characters; ++i) {
            payload_.u8(static_cast<std::uint8_t>('a' + (*random_)() % 26)).fill(width - 1);
        }
    }

    const EventSchema* event_;
    std::mt19937* random_;
    std::vector<std::uint32_t> numbers_; // values of integer fields
    ByteWriter payload_;
    bool is_known_ = true;
};

/// What became of an event.
struct Outcome {
    const EventSchema* schema = nullptr;
    std::string note;
    bool is_exact = false;
};

Outcome outcome(decode::Decoder& decoder, const EventSchema& event, Bytes payload) {
    const auto one = test::event_of(format::EventRecord{.provider = event.provider->guid,
                                                        .descriptor = {.id = event.id,
                                                                       .version = event.version,
                                                                       .channel = event.channel,
                                                                       .level = event.level,
                                                                       .opcode = event.opcode,
                                                                       .task = event.task,
                                                                       .keyword = event.keyword},
                                                        .payload = payload});
    const decode::DecodedEvent& decoded = decoder.decode(one->event);
    Outcome result{decoded.kind->schema, {}, false};
    decode::FieldWalker walker;
    if (result.schema != nullptr) {
        walker.start(decoded.kind->plan, decoded.body);
        while (walker.next() != decode::Step::end) {
        }
        result.is_exact = walker.consumed_exactly();
    }
    decode::append_decode_note(result.note, decoded, result.schema != nullptr ? &walker : nullptr);
    return result;
}

class BuiltInBuilds : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        auto catalog = catalog::Catalog::open({.environment = false});
        ASSERT_TRUE(catalog);
        auto store = std::make_shared<schema::SchemaStore>();
        catalog->load_all(*store);
        store->freeze();
        all_ = std::move(store);
        // As they are used: with field facts.
        std::set<std::pair<Guid, std::uint16_t>> events;
        for (const auto& event : all_->schemas()) {
            if (event->builds != 0 && events.insert({event->provider->guid, event->id}).second) {
                std::ranges::copy(all_->all_versions(event->provider->guid, event->id),
                                  std::back_inserter(layouts_));
            }
        }
    }

    static void TearDownTestSuite() {
        layouts_.clear();
        all_.reset();
    }

    static std::shared_ptr<const schema::SchemaStore> of_build(std::uint32_t build) {
        return schema::for_build(all_, build);
    }

    /// Layouts that a build has, in another order for each seed.
    static std::vector<const EventSchema*> layouts_of(std::uint32_t build, std::mt19937& random) {
        std::vector<const EventSchema*> layouts;
        std::ranges::copy_if(layouts_, std::back_inserter(layouts), [&](const EventSchema* layout) {
            return std::ranges::binary_search(schema::builds_of(*layout), build);
        });
        std::ranges::shuffle(layouts, random);
        return layouts;
    }

    static std::shared_ptr<const schema::SchemaStore> all_;
    static std::vector<const EventSchema*> layouts_; // that builds have
};

std::shared_ptr<const schema::SchemaStore> BuiltInBuilds::all_;
std::vector<const EventSchema*> BuiltInBuilds::layouts_;

bool has_same_layout(const EventSchema& a, const EventSchema& b) {
    return std::ranges::equal(a.fields, b.fields, {}, &Field::name, &Field::name);
}

TEST_F(BuiltInBuilds, DecodeTheirOwnLayoutsWithoutAMark) {
    std::mt19937 random(20261130);
    for (const std::uint32_t build : catalog::built_in_builds()) {
        decode::Decoder decoder(of_build(build));
        std::size_t tried = 0;
        for (const EventSchema* const layout : layouts_of(build, random)) {
            const auto payload = PayloadMaker(*layout, random).make();
            if (!payload || tried == layouts_of_a_build) {
                continue;
            }
            ++tried;
            const Outcome found = outcome(decoder, *layout, *payload);
            ASSERT_NE(found.schema, nullptr);
            EXPECT_TRUE(found.is_exact);
            const bool is_by_name = layout->provider->is_guess;
            // Random values.
            const bool is_odd = found.note.ends_with(": not an IP address");
            EXPECT_EQ(is_odd ? "" : found.note, is_by_name ? "provider by its name" : "")
                << build << " " << layout->provider->name << " " << layout->id << "/"
                << unsigned{layout->version};
            EXPECT_TRUE(has_same_layout(*found.schema, *layout))
                << build << " " << layout->provider->name << " " << layout->id;
        }
        EXPECT_EQ(tried, layouts_of_a_build) << build;
    }
}

// The nearest build that has another layout of the event.
TEST_F(BuiltInBuilds, MarkTheLayoutsOfOthers) {
    std::mt19937 random(20261130);
    std::size_t marked = 0, own = 0;
    std::map<std::uint32_t, std::unique_ptr<decode::Decoder>> decoders;
    for (const EventSchema* const event : layouts_) {
        const EventSchema& layout = *event;
        if (layout.is_of_any_build) {
            continue;
        }
        const auto builds = schema::builds_of(layout);
        for (const std::uint32_t build : layout.provider->builds) {
            if (std::ranges::binary_search(builds, build)) {
                continue;
            }
            const auto payload = PayloadMaker(layout, random).make();
            if (!payload) {
                break;
            }
            auto& decoder = decoders[build];
            if (!decoder) {
                decoder = std::make_unique<decode::Decoder>(of_build(build));
            }
            const Outcome found = outcome(*decoder, layout, *payload);
            if (found.schema != nullptr &&
                schema::fit_of(*found.schema, build) != schema::BuildFit::other) {
                EXPECT_TRUE(found.is_exact || !found.note.empty())
                    << build << " " << layout.provider->name << " " << layout.id;
                ++own;
            } else {
                EXPECT_FALSE(found.schema != nullptr && found.note.empty())
                    << build << " " << layout.provider->name << " " << layout.id;
                ++marked;
            }
            break;
        }
    }
    EXPECT_GT(marked, 1000U);
    EXPECT_GT(own, 100U);
    std::printf("%zu marked or raw, %zu by a layout of the build\n", marked, own);
}

// The two faults by which the need for builds was found.
TEST_F(BuiltInBuilds, AreRightAboutEventsThatWindows11Changed) {
    const auto fields = [&](std::uint32_t build, std::string_view provider, std::uint16_t id) {
        std::string text;
        for (const EventSchema* const event : layouts_) {
            if (event->provider->name == provider && event->id == id &&
                schema::fit_of(*event, build) == schema::BuildFit::own) {
                for (const Field& field : event->fields) {
                    text += fmt::format("{} {} ", name(field.in_type), field.name);
                }
                text += "; ";
            }
        }
        return text;
    };
    EXPECT_EQ(fields(22621, "Microsoft-Windows-PushNotifications-Platform", 40),
              "Int32 ErrorCode UInt32 PdcType UInt32 PdcScenario UnicodeString ScenarioData ; ");
    EXPECT_EQ(fields(19045, "Microsoft-Windows-PushNotifications-Platform", 40),
              "Int32 ErrorCode UInt32 PdcType UInt32 PdcScenario Int64 PdcNetRefCount Int64 "
              "PdcPlatRefCount ; ");
    EXPECT_NE(fields(22621, "Microsoft-Windows-WLAN-AutoConfig", 40001),
              fields(19041, "Microsoft-Windows-WLAN-AutoConfig", 40001));
}

} // namespace
} // namespace etl::built_in_builds_test
