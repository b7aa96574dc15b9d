#include <etl/schema/schema_store.hpp>

#include <gtest/gtest.h>

#include <random>

namespace etl::schema {
namespace {

using namespace etl::literals;

constexpr Guid one = "11111111-0000-0000-0000-000000000000"_guid;
constexpr Guid two = "22222222-0000-0000-0000-000000000000"_guid;

std::shared_ptr<const EventSchema> make(const Guid& provider, std::uint16_t id,
                                        std::uint8_t version, std::string name,
                                        Origin origin = Origin::manifest) {
    auto names = std::make_shared<ProviderNames>();
    names->guid = provider;
    auto schema = std::make_shared<EventSchema>();
    schema->provider = std::move(names);
    schema->id = id;
    schema->version = version;
    schema->origin = origin;
    schema->event_name = std::move(name);
    return schema;
}

std::string names_of(const Match& match) {
    std::string all;
    for (const EventSchema* schema : match.candidates) {
        all += schema->event_name + " ";
    }
    return all;
}

TEST(SchemaStore, FindsTheExactVersion) {
    SchemaStore store;
    store.add(make(one, 7, 1, "b"));
    store.add(make(one, 7, 0, "a"));
    store.add(make(one, 8, 0, "other"));
    store.add(make(two, 7, 0, "stranger"));
    store.freeze();
    const Match match = store.find({one, 7, 1});
    EXPECT_EQ(names_of(match), "b ");
    EXPECT_TRUE(match.exact_version);
    EXPECT_EQ(store.size(), 4U);
}

TEST(SchemaStore, TakesTheHighestVersionBelow) {
    SchemaStore store;
    store.add(make(one, 7, 0, "v0"));
    store.add(make(one, 7, 2, "v2"));
    store.add(make(one, 7, 5, "v5"));
    store.freeze();
    const Match match = store.find({one, 7, 4});
    EXPECT_EQ(names_of(match), "v2 ");
    EXPECT_FALSE(match.exact_version);
    EXPECT_EQ(names_of(store.find({one, 7, 255})), "v5 ");
}

TEST(SchemaStore, TakesTheLowestVersionAboveWhenNoneIsBelow) {
    SchemaStore store;
    store.add(make(one, 7, 3, "v3"));
    store.add(make(one, 7, 2, "v2"));
    store.freeze();
    const Match match = store.find({one, 7, 1});
    EXPECT_EQ(names_of(match), "v2 ");
    EXPECT_FALSE(match.exact_version);
}

TEST(SchemaStore, GivesCandidatesByOriginThenByOrderOfAdding) {
    SchemaStore store;
    store.add(make(one, 7, 0, "file1"));
    store.add(make(one, 7, 0, "file2"));
    store.add(make(one, 7, 0, "trace", Origin::event_info));
    store.add(make(one, 7, 0, "pe", Origin::wevt));
    store.add(make(one, 7, 0, "sent", Origin::eventsource));
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 0})), "trace sent file1 file2 pe ");
}

TEST(SchemaStore, FindsNothingForStrangers) {
    SchemaStore store;
    store.freeze();
    EXPECT_TRUE(store.find({one, 1, 0}).candidates.empty());
    EXPECT_EQ(store.provider(one), nullptr);
}

TEST(SchemaStore, KeepsTheFirstNameOfAProvider) {
    auto first = std::make_shared<ProviderNames>();
    first->guid = one;
    first->name = "First";
    auto second = std::make_shared<ProviderNames>(*first);
    second->name = "Second";
    SchemaStore store;
    store.add_provider(first);
    store.add_provider(second);
    store.add(make(two, 1, 0, "x"));
    store.freeze();
    ASSERT_NE(store.provider(one), nullptr);
    EXPECT_EQ(store.provider(one)->name, "First");
    EXPECT_NE(store.provider(two), nullptr) << "a schema makes its provider known";
}

TEST(SchemaStore, AgreesWithAPlainSearchOverManySchemas) {
    std::mt19937 random(20240611);
    SchemaStore store;
    std::vector<std::shared_ptr<const EventSchema>> all;
    for (int i = 0; i < 2000; ++i) {
        const auto id = static_cast<std::uint16_t>(random() % 40);
        const auto version = static_cast<std::uint8_t>(random() % 6);
        all.push_back(make(random() % 2 != 0 ? one : two, id, version, std::to_string(i)));
        store.add(all.back());
    }
    store.freeze();
    for (std::uint16_t id = 0; id < 42; ++id) {
        for (std::uint8_t version = 0; version < 8; ++version) {
            int best = -1;
            for (const auto& schema : all) {
                if (schema->provider->guid == one && schema->id == id &&
                    schema->version <= version) {
                    best = std::max<int>(best, schema->version);
                }
            }
            const Match match = store.find({one, id, version});
            if (match.candidates.empty()) {
                EXPECT_EQ(best, -1);
            } else if (best >= 0) {
                EXPECT_EQ(match.candidates.front()->version, best);
                EXPECT_EQ(match.exact_version, best == version);
            }
        }
    }
}

TEST(SchemaStore, HasSchemasForAnyVersionBelowAllOthers) {
    const auto for_any = [](std::uint16_t id, const char* symbol) {
        auto schema = std::make_shared<EventSchema>(*make(one, id, 0, symbol));
        schema->any_version = true;
        return schema;
    };
    SchemaStore store;
    store.add(make(one, 1, 3, "three"));
    store.add(for_any(1, "any"));
    store.add(for_any(2, "first"));
    store.add(for_any(2, "second"));
    store.freeze();
    const Match below = store.find({one, 1, 2});
    ASSERT_EQ(below.candidates.size(), 1U);
    EXPECT_EQ(below.candidates[0]->event_name, "any");
    EXPECT_TRUE(below.exact_version);
    EXPECT_EQ(store.find({one, 1, 3}).candidates[0]->event_name, "three");
    const Match above = store.find({one, 1, 4});
    EXPECT_EQ(above.candidates[0]->event_name, "three");
    EXPECT_FALSE(above.exact_version);
    const Match only = store.find({one, 2, 200});
    ASSERT_EQ(only.candidates.size(), 2U);
    EXPECT_EQ(only.candidates[0]->event_name, "first");
    EXPECT_TRUE(only.exact_version);
}

} // namespace
} // namespace etl::schema
