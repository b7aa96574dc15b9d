#include "base/text.hpp"
#include "format/encode.hpp"
#include "format/records.hpp"
#include "tests/unit/sessions/machine/running_host.hpp"

#include <gmock/gmock.h>

namespace etl::machine::test::enablements_test {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Records `ProviderName SessionName any all property level` of a file, as text.
std::vector<std::string> enablements_in(const std::string& path) {
    std::vector<std::string> found;
    for (const auto& [processor, records] : written_to(path).streams) {
        for (const auto& record : records) {
            if (!is_enablement(record)) {
                continue;
            }
            const Bytes payload = Bytes(record).subspan(format::event_record::size);
            const std::size_t numbers = payload.size() - 21;
            std::string name;
            append_utf16le(name, payload.subspan(16, numbers - 18));
            found.push_back(to_string(load_le<Guid>(payload.data())) + ' ' + name + ' ' +
                            std::to_string(load_le<std::uint64_t>(&payload[numbers])) + ' ' +
                            std::to_string(load_le<std::uint64_t>(&payload[numbers + 8])) + ' ' +
                            std::to_string(load_le<std::uint32_t>(&payload[numbers + 16])) + ' ' +
                            std::to_string(std::to_integer<int>(payload[numbers + 20])));
        }
    }
    return found;
}

const std::string tea_3 = to_string(tea) + " Morning 18 2 4 3";
const std::string tea_5 = to_string(tea) + " Morning 18 0 0 5";

TEST(EnablementsTest, AreInTheFileWithoutAnyProvider) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "Morning", .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.enable("Morning", tea,
                                  {.level = 3, .match_any = 0x12, .match_all = 2, .property = 4}));
    ASSERT_TRUE(controller.enable("Morning", tea, {.level = 5, .match_any = 0x12}));
    ASSERT_TRUE(controller.disable("Morning", tea));
    const auto stopped = controller.stop("Morning");
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->events_lost, 0);
    EXPECT_THAT(enablements_in(folder / "a.etl"), ElementsAre(tea_3, tea_5));
}

TEST(EnablementsTest, AreAtTheBeginOfTheNextFile) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "Morning", .file = folder / "a.etl"}));
    ASSERT_TRUE(controller.enable("Morning", tea, {.level = 5, .match_any = 0x12}));
    ASSERT_TRUE(controller.update("Morning", {.file = folder / "b.etl"}));
    ASSERT_TRUE(controller.stop("Morning"));
    EXPECT_THAT(enablements_in(folder / "a.etl"), ElementsAre(tea_5));
    EXPECT_THAT(enablements_in(folder / "b.etl"), ElementsAre(tea_5));
}

TEST(EnablementsTest, AreInEachFileOfASeries) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    // One sequence of buffers: that of the first processor could be written later than the others.
    ASSERT_TRUE(controller.start(
        {.name = "Morning",
         .buffer_kb = 64,
         .maximum_file_size = 1,
         .mode = session::mode::new_file | session::mode::no_per_processor_buffering,
         .file = folder / "a%d.etl"}));
    ASSERT_TRUE(controller.enable("Morning", tea, {.level = 5, .match_any = 0x12}));
    session::Runtime runtime;
    const auto provider = runtime.add(tea);
    const auto attached = attach_to(runtime, folder / "host");
    ASSERT_TRUE(eventually([&] { return provider->is_enabled(); }));
    constexpr format::EventDescriptor descriptor{.id = 1, .level = 4, .keyword = 2};
    const std::vector<std::byte> payload(1000);
    const std::array parts{Bytes(payload)};
    EXPECT_TRUE(eventually([&] {
        for (int i = 0; i < 50; ++i) {
            provider->write(descriptor, parts);
        }
        return controller.query("Morning")->file == folder / "a3.etl";
    }));
    ASSERT_TRUE(controller.stop("Morning"));
    for (const char* name : {"a1.etl", "a2.etl", "a3.etl"}) {
        EXPECT_THAT(enablements_in(folder / name), ElementsAre(tea_5)) << name;
    }
}

TEST(EnablementsTest, AreRepeatedBeforeAFileInMemoryIsWritten) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "Morning", .mode = session::mode::buffering}));
    ASSERT_TRUE(controller.flush("Morning", folder / "none.etl"));
    ASSERT_TRUE(controller.enable("Morning", tea, {.level = 5, .match_any = 0x12}));
    ASSERT_TRUE(controller.stop("Morning", folder / "a.etl"));
    EXPECT_THAT(enablements_in(folder / "none.etl"), IsEmpty());
    EXPECT_THAT(enablements_in(folder / "a.etl"), ElementsAre(tea_5, tea_5));
}

TEST(EnablementsTest, AreNotInASessionWithoutAFile) {
    const TestFolder folder;
    const RunningHost host(folder / "host");
    Controller controller = connect_to(folder / "host");
    ASSERT_TRUE(controller.start({.name = "Morning", .mode = session::mode::real_time}));
    ASSERT_TRUE(controller.enable("Morning", tea, {.level = 5, .match_any = 0x12}));
    ASSERT_TRUE(controller.update("Morning", {.file = folder / "a.etl"}));
    ASSERT_TRUE(controller.stop("Morning"));
    EXPECT_THAT(enablements_in(folder / "a.etl"), ElementsAre(tea_5));
}

} // namespace

} // namespace etl::machine::test::enablements_test
