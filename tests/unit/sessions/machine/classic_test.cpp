// Classic providers: records that name a session of the machine by its number.
#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "link/region_writer.hpp"
#include "session/control/runtime_state.hpp"
#include "session/writing/event_targets.hpp"
#include "tests/unit/sessions/machine/running_host.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

namespace etl::machine::test::classic_test {

namespace {

using session::EnableNotification;
using session::ProviderKind;
using session::Runtime;
using session::Status;
using session::write_classic_to_region;
using testing::ElementsAre;
using testing::IsEmpty;
namespace mode = session::mode;
namespace full = format::full_record;
namespace message = format::message_record;

/// A FULL record, of another process by its own words.
std::vector<std::byte> full_record(std::uint32_t number) {
    std::vector<std::byte> record(full::size + sizeof number);
    const std::span<std::byte, full::size> head(record.data(), full::size);
    store<full::size_>(head, static_cast<std::uint16_t>(record.size()));
    store<full::header_type>(head, std::uint8_t{20});
    store<full::marker>(head, std::uint8_t{0xC0});
    store<full::process_id>(head, std::uint32_t{1});
    store<full::guid>(head, tea);
    store_le(record.data() + full::size, number);
    return record;
}

/// A message with all that the host stores in it.
std::vector<std::byte> message_record() {
    std::vector<std::byte> record(message::size + 4 + 16 + 8 + 8);
    const std::span<std::byte, message::size> head(record.data(), message::size);
    store<message::size_>(head, static_cast<std::uint16_t>(record.size()));
    store<message::marker>(head, std::uint8_t{0x90});
    store<message::options>(
        head, static_cast<std::uint16_t>(message::sequence | message::guid | message::time_stamp |
                                         message::system_info | message::pointer64));
    return record;
}

/// Records of a kind in a file.
std::vector<etl::test::Image> records_in(const std::string& file, format::RecordKind kind) {
    std::vector<etl::test::Image> found;
    for (const auto& [processor, records] : written_to(file).streams) {
        std::ranges::copy_if(records, std::back_inserter(found), [&](const auto& record) {
            return format::record_at(Bytes(record)).kind == kind;
        });
    }
    return found;
}

class ClassicTest : public testing::Test {
protected:
    std::uint16_t start(const std::string& name, std::uint32_t bits = 0) {
        const auto started =
            controller.start({.name = name, .mode = bits, .file = folder / (name + ".etl")});
        EXPECT_TRUE(started) << describe(started.error());
        EXPECT_TRUE(controller.enable(name, tea, confirmed({.level = 3, .match_any = 7})));
        return started->id;
    }

    session::ClassicRoute route(std::uint16_t session) const {
        return registrations.classic_route(session);
    }

    session::WriteResult write(std::uint16_t session, const std::vector<std::byte>& record) const {
        return write_classic_to_region(*region, session, record);
    }

    const TestFolder folder;
    const RunningHost host{folder / "host"};
    Controller controller = connect_to(folder / "host");
    Runtime runtime;
    session::Registrations& registrations = runtime.state().registrations;
    std::vector<EnableNotification> seen;
    const session::Registration provider = *runtime.add(
        tea, [this](const EnableNotification& notice) { seen.push_back(notice); },
        ProviderKind::classic);
    const session::Attachment attached = attach_to(runtime, folder / "host");
    link::RegionWriter* region = nullptr;
};

TEST_F(ClassicTest, ARecordIsInTheFileWithTheIdentityOfItsProcess) {
    EXPECT_EQ(registrations.machine_session_of(tea), 0);
    const std::uint16_t session = start("A");
    ASSERT_EQ(seen.size(), 1);
    EXPECT_EQ(seen[0].is_enabled, 1);
    EXPECT_EQ(seen[0].level, 3);
    EXPECT_EQ(seen[0].match_any, 7);
    EXPECT_EQ(registrations.machine_session_of(tea), session);
    region = route(session).region;
    ASSERT_NE(region, nullptr);
    EXPECT_EQ(write(session, full_record(42)).written, 1);
    EXPECT_EQ(write(session, std::vector<std::byte>(0xFFF0)).status, Status::more_data);
    const auto stopped = controller.stop("A");
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->events_lost, 1);
    EXPECT_TRUE(eventually([&] { return route(session).region == nullptr; }));
    EXPECT_EQ(registrations.machine_session_of(tea), 0);

    const auto records = records_in(folder / "A.etl", format::wide(format::RecordFamily::full));
    ASSERT_EQ(records.size(), 1);
    const std::span<const std::byte, full::size> head(records[0].data(), full::size);
    EXPECT_EQ(load<full::process_id>(head), static_cast<std::uint32_t>(::getpid()));
    EXPECT_NE(load<full::time_stamp>(head), 0);
    EXPECT_EQ(load_le<std::uint32_t>(records[0].data() + full::size), 42);
}

TEST_F(ClassicTest, ALaterSessionTakesTheProviderOver) {
    const std::uint16_t first = start("A");
    region = route(first).region;
    ASSERT_NE(region, nullptr);
    const std::uint16_t second = start("B");
    EXPECT_EQ(registrations.machine_session_of(tea), second);
    EXPECT_EQ(route(first).region, nullptr);
    EXPECT_NE(route(second).region, nullptr);
    EXPECT_EQ(write(second, full_record(2)).written, 1);
    write(first, full_record(1)); // as a program that does not follow the rules
    ASSERT_TRUE(controller.stop("B"));
    EXPECT_TRUE(eventually([&] { return registrations.machine_session_of(tea) == first; }));
    EXPECT_EQ(write(first, full_record(3)).written, 1);
    ASSERT_TRUE(controller.stop("A"));
    EXPECT_EQ(records_in(folder / "A.etl", format::wide(format::RecordFamily::full)).size(), 1);
    EXPECT_EQ(records_in(folder / "B.etl", format::wide(format::RecordFamily::full)).size(), 1);
}

TEST_F(ClassicTest, TheHostNumbersMessages) {
    const std::uint16_t session = start("A", mode::use_local_sequence);
    region = route(session).region;
    ASSERT_NE(region, nullptr);
    write(session, message_record());
    write(session, message_record());
    ASSERT_TRUE(controller.stop("A"));
    const auto records =
        records_in(folder / "A.etl", format::RecordKind{format::RecordFamily::message});
    std::vector<std::uint32_t> numbers;
    for (const auto& record : records) {
        numbers.push_back(load_le<std::uint32_t>(record.data() + message::size));
        EXPECT_EQ(load_le<std::uint32_t>(record.data() + message::size + 4 + 16 + 8 + 4),
                  static_cast<std::uint32_t>(::getpid()));
        EXPECT_NE(load_le<std::uint64_t>(record.data() + message::size + 4 + 16), 0);
    }
    EXPECT_THAT(numbers, testing::UnorderedElementsAre(1, 2));
}

TEST_F(ClassicTest, ASecureSessionRefusesAndGarbageIsLost) {
    const std::uint16_t secure = start("Secure", mode::secure);
    EXPECT_TRUE(route(secure).refuses_classic);
    region = route(secure).region;
    ASSERT_NE(region, nullptr);
    write(secure, full_record(1));
    ASSERT_TRUE(controller.stop("Secure"));
    EXPECT_THAT(records_in(folder / "Secure.etl", format::wide(format::RecordFamily::full)),
                IsEmpty());

    const std::uint16_t session = start("A");
    EXPECT_FALSE(route(session).refuses_classic);
    auto shortened = message_record();
    shortened.resize(shortened.size() - 8);
    store_le(shortened.data(), static_cast<std::uint16_t>(shortened.size()));
    const std::vector<std::vector<std::byte>> garbage{
        {}, std::vector<std::byte>(100), std::vector<std::byte>(100, std::byte{0xFF}), shortened};
    for (const auto& record : garbage) {
        write(session, record);
    }
    EXPECT_EQ(write(session, full_record(3)).written, 1);
    const auto stopped = controller.stop("A");
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->events_lost, garbage.size());
    EXPECT_EQ(records_in(folder / "A.etl", format::wide(format::RecordFamily::full)).size(), 1);
}

} // namespace

} // namespace etl::machine::test::classic_test
