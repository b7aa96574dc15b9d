// Several manifests of one EventSource: which of them counts for an event. docs/schemas.md
#include <etl/byte_writer.hpp>

#include "decode/decoder.hpp"
#include "decode/harvest.hpp"
#include "format/known_guids.hpp"
#include "tests/support/traces/one_event.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gtest/gtest.h>

namespace etl::manifest_versions_test {
namespace {

using namespace test;
using namespace literals;

constexpr Guid willow = "7e57ab1e-0000-4000-8000-00000000b0b0"_guid;

/// Event 1 of a version of the EventSource.
std::string manifest_with(std::string_view fields) {
    return R"(<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>)"
           R"(<provider name="Willow" guid="{7e57ab1e-0000-4000-8000-00000000b0b0}" resourceFileName="w" messageFileName="w" symbol="W">)"
           R"(<tasks><task name="Leaf" value="1"/></tasks><templates><template tid="a">)" +
           std::string(fields) +
           R"(</template></templates><events><event value="1" version="0" task="Leaf" template="a"/></events>)"
           R"(</provider></events></instrumentation></instrumentationManifest>)";
}

const std::string two_numbers =
    manifest_with(R"(<data name="A" inType="win:UInt32"/><data name="B" inType="win:UInt32"/>)");
const std::string one_number = manifest_with(R"(<data name="X" inType="win:UInt64"/>)");
const std::string one_time = manifest_with(R"(<data name="T" inType="win:FILETIME"/>)");
const std::string short_number = manifest_with(R"(<data name="S" inType="win:UInt16"/>)");

class ManifestVersions : public testing::Test {
protected:
    void log(std::uint32_t process, std::int64_t time, std::string_view manifest) {
        for (const auto& chunk : manifest_chunks(manifest)) {
            add(format::EventRecord{
                .process_id = process,
                .time = time,
                .provider = willow,
                .descriptor = {.id = 0xFFFE, .version = 1, .opcode = 0xFE, .task = 0xFFFE},
                .payload = chunk});
        }
    }

    void start(std::uint32_t process, std::int64_t time) {
        ByteWriter payload;
        payload.u64(0xFFFF'8000'0000'0000U).u32(process).u32(4);
        add(format::SystemRecord{
            .version = 4, .hook_id = 0x0301, .time = time, .payload = payload.view()});
    }

    /// The first field of event 1 of a process, and the note.
    std::string shown(std::uint32_t process, std::int64_t time, std::size_t size = 8) {
        if (!decoder_) {
            auto store = std::make_shared<schema::SchemaStore>();
            harvest_.finish(*store);
            store->freeze();
            decoder_.emplace(std::move(store));
        }
        const std::vector<std::byte> payload(size, std::byte{7});
        const auto one = event_of(format::EventRecord{.process_id = process,
                                                      .time = time,
                                                      .provider = willow,
                                                      .descriptor = {.id = 1},
                                                      .payload = payload});
        const decode::EventKind& kind = *decoder_->decode(one->event).kind;
        return kind.schema->fields[0].name + (kind.note.empty() ? "" : " (" + kind.note + ")");
    }

private:
    template <typename Record>
    void add(const Record& record) {
        const auto one = event_of(record);
        harvest_.add({&one->event, 1});
    }

    decode::Harvest harvest_;
    std::optional<decode::Decoder> decoder_;
};

constexpr auto guessed = " (one of several manifests of this EventSource)";

TEST_F(ManifestVersions, AreThoseOfTheProcess) {
    log(100, 1, two_numbers);
    log(200, 2, one_number);
    log(300, 3, one_time);
    EXPECT_EQ(shown(100, 10), "A");
    EXPECT_EQ(shown(200, 10), "X");
    EXPECT_EQ(shown(300, 10), "T");
}

TEST_F(ManifestVersions, OfAnotherProcessAreMarkedIfSeveralAreExact) {
    log(100, 1, two_numbers);
    log(200, 2, one_number);
    EXPECT_EQ(shown(400, 10), std::string("X") + guessed) << "the one that was logged last";
    EXPECT_EQ(shown(400, 10, 2), "X") << "as one that does not fit ever was";
}

TEST_F(ManifestVersions, OfAnotherProcessAreFoundBySize) {
    log(100, 1, short_number);
    log(200, 2, one_number);
    EXPECT_EQ(shown(400, 10), "X");
    EXPECT_EQ(shown(400, 10, 2), "S");
    EXPECT_EQ(shown(100, 10), std::string("X") + guessed) << "its own does not consume the payload";
}

TEST_F(ManifestVersions, OfOneProcessAreFoundBySize) {
    log(100, 1, short_number);
    log(100, 2, one_number);
    EXPECT_EQ(shown(100, 10), "X");
    EXPECT_EQ(shown(100, 10, 2), "S");
}

TEST_F(ManifestVersions, OfOneProcessThatAreAlikeInSizeAreMarked) {
    log(100, 1, two_numbers);
    log(100, 5, one_number);
    EXPECT_EQ(shown(100, 3), std::string("A") + guessed);
    EXPECT_EQ(shown(100, 10), std::string("X") + guessed);
}

TEST_F(ManifestVersions, MayComeAfterTheirEvents) {
    log(100, 50, two_numbers);
    log(200, 60, one_number);
    EXPECT_EQ(shown(100, 10), "A");
    EXPECT_EQ(shown(200, 10), "X");
}

TEST_F(ManifestVersions, EndWithTheirProcess) {
    log(100, 20, two_numbers);
    start(100, 30);
    log(100, 60, one_number);
    log(200, 20, one_time);
    start(200, 30);
    EXPECT_EQ(shown(100, 10), "A");
    EXPECT_EQ(shown(100, 40), "X") << "its manifest comes at the end";
    EXPECT_EQ(shown(200, 40), std::string("X") + guessed) << "it logged none";
}

TEST_F(ManifestVersions, ThatDescribeTheEventAlikeAreOne) {
    log(100, 1, two_numbers);
    log(200, 2, two_numbers + "<!-- of another build -->");
    EXPECT_EQ(shown(100, 10), "A");
    EXPECT_EQ(shown(400, 10), "A");
}

} // namespace
} // namespace etl::manifest_versions_test
