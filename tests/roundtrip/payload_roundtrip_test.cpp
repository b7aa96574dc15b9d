// What a dump writes of an event, encoded again, gives the bytes that were decoded.
#include "encode/metadata.hpp"
#include "sink/json.hpp"
#include "tests/roundtrip/difference.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/given_of_json.hpp"
#include "tests/support/traces/decodable_trace.hpp"
#include "tests/support/traces/one_event.hpp"
#include "trace/inputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

namespace etl::test {
namespace {

namespace fs = std::filesystem;

struct Counts {
    std::size_t decoded = 0;       // events whose payload does not contradict its schema
    std::size_t same = 0;          // byte for byte
    std::size_t same_metadata = 0; // of TraceLogging
    std::size_t longer_tags = 0;   // the same but for zeros at the end of the event's tags
    std::map<std::string, std::size_t> reasons; // events by the first reason of a difference
    std::vector<std::string> mistakes;

    void operator+=(const Counts& more) {
        decoded += more.decoded;
        same += more.same;
        same_metadata += more.same_metadata;
        longer_tags += more.longer_tags;
        for (const auto& [reason, count] : more.reasons) {
            reasons[reason] += count;
        }
        mistakes.insert(mistakes.end(), more.mistakes.begin(), more.mistakes.end());
    }
};

/// Takes events through JSON and back.
class RoundTrip {
public:
    explicit RoundTrip(std::shared_ptr<const schema::SchemaStore> store)
        : decoder_(store), lines_({.schemas = std::move(store),
                                   .raw = true,
                                   .names = true,
                                   .fields = {"event", "data", "event_tags", "fields"}}) {}

    void add(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (decoded.kind->schema == nullptr) {
            return;
        }
        // Kinds that were forgotten may leave their place to others.
        if (generation_ != decoder_.generation()) {
            encoder_.forget();
            generation_ = decoder_.generation();
        }
        walker_.start(decoded.kind->plan, decoded.body);
        while (walker_.next() != decode::Step::end) {
        }
        // A list whose elements have no known length has fewer of them than its count says.
        if (walker_.failed() || walker_.doubt() == decode::Doubt::unknown_length) {
            return;
        }
        line_.clear();
        lines_.encode(event, line_);
        const simdjson::dom::element json = parser_.parse(line_);
        ++counts.decoded;
        payload(decoded, json["data"]);
        if (!decoded.items.metadata.empty() && decoded.kind->is_self_describing()) {
            metadata(decoded.items.metadata, json);
        }
    }

    Counts counts;

private:
    void payload(const decode::DecodedEvent& decoded, simdjson::dom::element data) {
        given_.clear();
        append_given(given_, {}, data);
        ByteWriter bytes;
        const auto missing = walker_.is_short() ? encode::PayloadOptions::Missing::ends_payload
                                                : encode::PayloadOptions::Missing::is_error;
        const auto done = encoder_.encode(
            *decoded.kind->schema, given_,
            {.pointer_size = decoded.kind->pointer_size, .missing = missing}, bytes);
        if (!done) {
            mistake(done.error().field + " " + done.error().what);
            return;
        }
        bytes.bytes(walker_.trailing());
        if (std::ranges::equal(bytes.view(), decoded.body)) {
            ++counts.same;
            return;
        }
        const auto found = differences(decoded.kind->plan, decoded.body, bytes.view());
        ++counts.reasons[found.front()];
        for (const std::string& reason : found) {
            if (reason.starts_with('?')) {
                mistake(reason);
            }
        }
    }

    void metadata(Bytes original, simdjson::dom::element json) {
        given_.clear();
        append_given(given_, {}, json["fields"]);
        std::vector<encode::MetadataField> fields;
        std::uint64_t tags = 0;
        if (json["event_tags"].get(tags) != simdjson::SUCCESS) {
            tags = 0;
        }
        const std::string_view name = json["event"];
        ByteWriter bytes;
        if (!encode::parse_fields(given_, fields) ||
            !encode::encode_metadata(name, static_cast<std::uint32_t>(tags), fields, bytes)) {
            return mistake("metadata");
        }
        const std::size_t size = load_le<std::uint16_t>(original.data());
        if (std::ranges::equal(bytes.view(), original.first(size))) {
            ++counts.same_metadata;
        } else if (std::ranges::equal(behind_tags(bytes.view()),
                                      behind_tags(original.first(size)))) {
            ++counts.longer_tags;
        } else {
            mistake("metadata");
        }
    }

    /// What follows the size and the event's tags.
    static Bytes behind_tags(Bytes metadata) {
        const auto last = std::ranges::find_if(metadata.subspan(2), [](std::byte byte) {
            return (byte & std::byte{0x80}) == std::byte{0};
        });
        return {last, metadata.end()};
    }

    void mistake(const std::string& what) {
        if (counts.mistakes.size() < 20) {
            counts.mistakes.push_back(what + ": " + line_.substr(0, 300));
        }
    }

    decode::Decoder decoder_;
    sink::JsonLines lines_;
    encode::PayloadEncoder encoder_;
    decode::FieldWalker walker_;
    simdjson::dom::parser parser_;
    std::vector<encode::InputValue> given_;
    std::string line_;
    std::uint32_t generation_ = 0;
};

Counts round_trip(const fs::path& path, const std::vector<std::string>& schemas) {
    const DecodableTrace trace = decodable_trace(path, schemas);
    if (!trace.reader) {
        return {};
    }
    RoundTrip trip(trace.store);
    trace.for_each_event([&](const flow::Event& event) { trip.add(event); });
    for (const std::string& mistake : trip.counts.mistakes) {
        ADD_FAILURE() << path << ": " << mistake;
    }
    return trip.counts;
}

void report(const Counts& counts) {
    for (const auto& [reason, count] : counts.reasons) {
        std::printf("%8zu %s\n", count, reason.c_str());
    }
    std::printf("%8zu of %zu the same, metadata %zu of %zu\n", counts.same, counts.decoded,
                counts.same_metadata, counts.same_metadata + counts.longer_tags);
}

Counts round_trip_folder(const fs::path& folder, const std::vector<std::string>& schemas) {
    Counts all;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && trace::is_trace_name(entry.path().filename().string())) {
            all += round_trip(entry.path(), schemas);
        }
    }
    report(all);
    return all;
}

constexpr Guid every_type = *parse_guid("7e57ab1e-0000-4000-8000-00000000cafe");

/// Each in type with each out type, alone and in arrays and lengths of every kind; one event each.
std::shared_ptr<const schema::SchemaStore> all_types() {
    using schema::Extent;
    using schema::InType;
    constexpr Extent extents[] = {{Extent::Kind::natural, 0},
                                  {Extent::Kind::fixed, 2},
                                  {Extent::Kind::field, 0},
                                  {Extent::Kind::prefixed, 0},
                                  {Extent::Kind::rest, 0}};
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = every_type;
    auto map = std::make_shared<schema::ValueMap>();
    map->kind = schema::ValueMap::Kind::bits;
    map->entries = {{1, "a"}, {6, "b | c"}, {8, "\"d\""}};
    auto store = std::make_shared<schema::SchemaStore>();
    std::uint32_t id = 0;
    for (std::uint16_t in = 0; in <= 310; in = in == 25 ? 300 : in + 1U) {
        for (std::uint16_t out = 0; out <= 38; ++out) {
            for (std::size_t i = 0; i < 10; ++i) {
                auto event = std::make_shared<schema::EventSchema>();
                event->provider = names;
                event->id = static_cast<std::uint16_t>(id++);
                event->maps = {map};
                event->fields.resize(3);
                event->fields[0].name = "n";
                event->fields[0].in_type = InType::uint8;
                event->fields[0].referenced = true;
                schema::Field& field = event->fields[1];
                field.in_type = static_cast<InType>(in);
                field.out_type = static_cast<schema::OutType>(out);
                (i < 5 ? field.count : field.length) = extents[i % 5];
                field.map = i % 2 == 0 ? 0 : schema::Field::no_map;
                field.members = field.in_type == InType::structure ? 1 : 0;
                event->fields[2].in_type = InType::int16;
                store->add(std::move(event));
            }
        }
    }
    store->freeze();
    return store;
}

TEST(PayloadRoundTrip, GivesBackValuesOfEveryType) {
    const auto store = all_types();
    ASSERT_LT(store->size(), 65'536U);
    RoundTrip trip(store);
    std::mt19937 random(20'240'517);
    for (std::size_t i = 0; i < store->size(); ++i) {
        for (int round = 0; round < 12; ++round) {
            std::vector<std::byte> payload(random() % 40 + 1);
            const bool is_plain = round % 3 == 0;
            for (std::byte& byte : payload) {
                const auto value = random();
                byte = static_cast<std::byte>(is_plain            ? 'a' + value % 26
                                              : (value >> 8U) % 3 ? value % 4
                                                                  : value % 256);
            }
            payload[0] = static_cast<std::byte>(random() % 5);
            const auto event =
                event_of(format::EventRecord{.provider = every_type,
                                             .descriptor = {.id = static_cast<std::uint16_t>(i)},
                                             .payload = payload});
            trip.add(event->event);
        }
    }
    for (const std::string& mistake : trip.counts.mistakes) {
        ADD_FAILURE() << mistake;
    }
    report(trip.counts);
    EXPECT_GT(trip.counts.decoded, 50'000U);
    EXPECT_GE(100 * trip.counts.same, 80 * trip.counts.decoded);
}

TEST(PayloadRoundTrip, GivesBackOurOwnTraces) {
    const Counts counts = round_trip_folder(test::source_dir() + "/corpus/good",
                                            {test::source_dir() + "/corpus/good/wpp-messages.tmf",
                                             test::source_dir() + "/corpus/schemas"});
    EXPECT_GT(counts.decoded, 200U);
    EXPECT_EQ(counts.longer_tags, 0U);
    EXPECT_GT(counts.same_metadata, 5U);
}

TEST(PayloadRoundTrip, GivesBackRealTraces) {
    const fs::path folder = test::shared_corpus();
    if (!fs::is_directory(folder)) {
        GTEST_SKIP() << "no folder of real traces beside the project";
    }
    const Counts counts =
        round_trip_folder(folder, {(folder / "manifests" / "win10-18990.tar.zst").string()});
    EXPECT_GT(counts.decoded, 200'000U);
    EXPECT_GE(100 * counts.same, 99 * counts.decoded);
    EXPECT_GE(100 * counts.same_metadata, 95 * (counts.same_metadata + counts.longer_tags));
}

} // namespace
} // namespace etl::test
