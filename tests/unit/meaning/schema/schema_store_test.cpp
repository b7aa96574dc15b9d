#include "schema/schema_store.hpp"

#include <gtest/gtest.h>

#include <random>

namespace etl::schema::schema_store_test {
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

std::string names_of(const std::vector<const EventSchema*>& schemas) {
    std::string all;
    for (const EventSchema* schema : schemas) {
        all += schema->event_name + " ";
    }
    return all;
}

/// `CANDIDATES/LOWER`
std::string names_of(const Match& match) {
    return names_of(match.candidates) + "/" + names_of(match.lower);
}

TEST(SchemaStore, AddsAllOfAnotherStoreAfterItsOwn) {
    SchemaStore other;
    other.add(make(one, 7, 0, "theirs"));
    other.add(make(two, 8, 0, "more"));
    SchemaStore store;
    store.add(make(one, 7, 0, "own"));
    store.add_all(other);
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 0})), "own theirs /");
    EXPECT_EQ(names_of(store.find({two, 8, 0})), "more /");
    EXPECT_NE(store.provider(two), nullptr);
}

std::shared_ptr<const SchemaFile> file_named(const std::string& name, bool built_in = false) {
    return std::make_shared<SchemaFile>(name, built_in);
}

TEST(SchemaStore, PutsBuiltInSchemasLast) {
    SchemaStore store;
    store.add(make(one, 7, 0, "built-in", Origin::manifest), file_named("one.txt", true));
    store.add(make(one, 7, 0, "dll", Origin::wevt), file_named("one.dll"));
    store.add(make(one, 7, 1, "built-in v1"), file_named("one.txt", true));
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 0})), "dll built-in /");
    EXPECT_EQ(names_of(store.find({one, 7, 1})), "built-in v1 /");
}

TEST(SchemaStore, KnowsTheFileOfASchema) {
    auto base = std::make_shared<SchemaStore>();
    base->add(make(one, 7, 0, "file"), file_named("one.man"));
    base->freeze();
    SchemaStore lender;
    lender.add(make(two, 7, 0, "lent"));
    lender.add(make(two, 8, 0, "file"), file_named("two.man"));
    SchemaStore store(base);
    store.add(make(one, 7, 0, "trace"));
    store.add_all(lender, file_named("lender.etl"));
    store.freeze();
    const auto file_of = [&](const EventSchema* schema) -> std::string {
        const SchemaFile* file = store.file_of(*schema);
        return file == nullptr ? "-" : file->name;
    };
    const Match match = store.find({one, 7, 0});
    ASSERT_EQ(names_of(match), "trace file /");
    EXPECT_EQ(file_of(match.candidates[0]), "-");
    EXPECT_EQ(file_of(match.candidates[1]), "one.man");
    EXPECT_EQ(file_of(store.find({two, 7, 0}).candidates.at(0)), "lender.etl");
    EXPECT_EQ(file_of(store.find({two, 8, 0}).candidates.at(0)), "two.man");
}

TEST(SchemaStore, FindsTheExactVersion) {
    SchemaStore store;
    store.add(make(one, 7, 1, "b"));
    store.add(make(one, 7, 0, "a"));
    store.add(make(one, 8, 0, "other"));
    store.add(make(two, 7, 0, "stranger"));
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 1})), "b /") << "lower versions are of no interest";
    EXPECT_EQ(store.size(), 4U);
}

TEST(SchemaStore, OffersLowerVersionsFromTheHighestDown) {
    SchemaStore store;
    store.add(make(one, 7, 0, "v0"));
    store.add(make(one, 7, 2, "v2"));
    store.add(make(one, 7, 5, "v5"));
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 4})), "/v2 v0 ");
    EXPECT_EQ(names_of(store.find({one, 7, 255})), "/v5 v2 v0 ");
}

TEST(SchemaStore, NeverOffersAHigherVersion) {
    SchemaStore store;
    store.add(make(one, 7, 3, "v3"));
    store.add(make(one, 7, 2, "v2"));
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 1})), "/");
    EXPECT_EQ(names_of(store.all_versions(one, 7)), "v2 v3 ");
}

TEST(SchemaStore, AsksItsBaseAfterItself) {
    auto base = std::make_shared<SchemaStore>();
    base->add(make(one, 7, 1, "file v1", Origin::manifest));
    base->add(make(one, 7, 0, "file v0", Origin::manifest));
    base->add(make(two, 1, 0, "file two"));
    base->freeze();
    SchemaStore store(base);
    store.add(make(one, 7, 1, "trace v1", Origin::eventsource));
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 1})), "trace v1 file v1 /");
    EXPECT_EQ(names_of(store.find({one, 7, 0})), "file v0 /");
    EXPECT_EQ(names_of(store.find({one, 7, 2})), "/trace v1 file v1 file v0 ");
    EXPECT_EQ(names_of(store.find({two, 1, 0})), "file two /");
    EXPECT_NE(store.provider(two), nullptr);
    EXPECT_EQ(store.size(), 1U);
    EXPECT_EQ(names_of(base->find({one, 7, 1})), "file v1 /") << "the base knows nothing of it";
}

TEST(SchemasByTrace, GivesEachTraceItsOwnStoreOrTheSharedOne) {
    const auto shared = std::make_shared<SchemaStore>();
    const auto own = std::make_shared<SchemaStore>(shared);
    SchemasByTrace schemas(shared);
    EXPECT_TRUE(schemas.set(3, own));
    EXPECT_TRUE(schemas.set(1, own));
    EXPECT_EQ(schemas.store_for(0), shared);
    EXPECT_EQ(schemas.store_for(1), own);
    EXPECT_EQ(schemas.store_for(3), own);
    EXPECT_EQ(schemas.store_for(99), shared);
    EXPECT_EQ(schemas.number_of(1), schemas.number_of(3)) << "they share what is known";
    EXPECT_NE(schemas.number_of(1), schemas.number_of(2));
    EXPECT_EQ(SchemasByTrace().store_for(0), nullptr);
}

// There is a copy for each table of each trace.
TEST(SchemasByTrace, CopiesShareTheirStoresUntilOneIsChanged) {
    const auto own = std::make_shared<const SchemaStore>();
    SchemasByTrace schemas;
    ASSERT_TRUE(schemas.set(1, own));
    const auto count = own.use_count();
    SchemasByTrace copy = schemas;
    EXPECT_EQ(own.use_count(), count);
    EXPECT_EQ(copy.store_for(1), own);
    ASSERT_TRUE(copy.set(2, own));
    EXPECT_EQ(copy.store_for(2), own);
    EXPECT_EQ(schemas.store_for(2), nullptr);
}

TEST(SchemasByTrace, RejectsMoreStoresThanItCanNumber) {
    SchemasByTrace schemas;
    std::uint32_t trace = 0;
    while (trace < SchemasByTrace::max_stores &&
           schemas.set(trace, std::make_shared<SchemaStore>())) {
        ++trace;
    }
    EXPECT_EQ(trace, SchemasByTrace::max_stores);
    EXPECT_FALSE(schemas.set(trace, std::make_shared<SchemaStore>()));
    EXPECT_EQ(schemas.store_for(trace), nullptr);
}

TEST(SchemaStore, GivesCandidatesByOriginThenByOrderOfAdding) {
    SchemaStore store;
    store.add(make(one, 7, 0, "file1"));
    store.add(make(one, 7, 0, "file2"));
    store.add(make(one, 7, 0, "trace", Origin::event_info));
    store.add(make(one, 7, 0, "pe", Origin::wevt));
    store.add(make(one, 7, 0, "sent", Origin::eventsource));
    store.freeze();
    EXPECT_EQ(names_of(store.find({one, 7, 0})), "trace sent file1 file2 pe /");
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
            EXPECT_EQ(match.candidates.empty(), best != version);
            EXPECT_EQ(match.lower.empty(), best < 0 || best == version);
            if (!match.lower.empty()) {
                EXPECT_EQ(match.lower.front()->version, best);
            }
            for (const EventSchema* candidate : match.candidates) {
                EXPECT_EQ(candidate->version, version);
            }
        }
    }
}

TEST(SchemaStore, TakesSchemasForAnyVersionWhereNoneIsOfTheVersion) {
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
    EXPECT_EQ(names_of(store.find({one, 1, 2})), "any /");
    EXPECT_EQ(names_of(store.find({one, 1, 3})), "three /");
    EXPECT_EQ(names_of(store.find({one, 1, 4})), "any /three ");
    EXPECT_EQ(names_of(store.find({one, 2, 200})), "first second /");
}

} // namespace
} // namespace etl::schema::schema_store_test
