#include <etl/byte_writer.hpp>

#include "facts/machine.hpp"
#include "facts/named_files.hpp"
#include "format/kernel_group.hpp"
#include "tests/support/traces/one_event.hpp"

#include <gmock/gmock.h>

namespace etl::facts::named_files_test {
namespace {

using namespace literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr Guid kettle = "7e57ab1e-0000-4000-8000-00000000beef"_guid;
constexpr Guid image_id_class = "b3e675d7-2554-4f18-830b-2762732560de"_guid;
constexpr Guid system_config_ex_class = "9b79ee91-b5fd-41c0-a243-4248e266e9d0"_guid;

template <typename Record>
void add(NamedFiles& files, const Record& record) {
    const auto one = test::event_of(record);
    files.add(flow::read_header(one->event));
}

TEST(NamedFiles, AreThePdbFilesOfProvidersAndImages) {
    NamedFiles files;
    add(files, format::SystemRecord{
                   .hook_id = 0x0040,
                   .payload = ByteWriter().guid(kettle).u32(2).text8("kettle.pdb").u8(0).view()});
    add(files, format::FullRecord{.opcode = 36,
                                  .event_class = image_id_class,
                                  .payload = ByteWriter()
                                                 .u64(0x10000)
                                                 .u32(42)
                                                 .guid(kettle)
                                                 .u32(1)
                                                 .text8("tea.pdb")
                                                 .u8(0)
                                                 .view()});
    EXPECT_THAT(files.pdbs(),
                ElementsAre(PdbFile{"kettle.pdb", kettle, 2}, PdbFile{"tea.pdb", kettle, 1}));
}

TEST(NamedFiles, AreTheExecutablesOfProviders) {
    NamedFiles files;
    const auto record = [](std::uint32_t count) {
        return ByteWriter().u32(count).guid(kettle).text16(u"C:\\kettle.exe").u16(0).take();
    };
    const auto sound = record(1);
    const auto lying = record(0x10000001);
    add(files, format::SystemRecord{.hook_id = 0x0043, .payload = sound});
    add(files, format::SystemRecord{.hook_id = 0x0043, .payload = lying});
    EXPECT_THAT(files.executables(), ElementsAre(Pair(kettle, ElementsAre("C:\\kettle.exe"))));
}

TEST(NamedFiles, IgnoresRecordsThatAreCutShort) {
    NamedFiles files;
    add(files,
        format::SystemRecord{.hook_id = 0x0040,
                             .payload = ByteWriter().guid(kettle).u32(2).text8("ket").view()});
    add(files, format::FullRecord{.opcode = 36, .event_class = image_id_class});
    EXPECT_THAT(files.pdbs(), IsEmpty());
}

std::vector<std::byte> configuration(std::u16string_view computer) {
    ByteWriter to;
    to.u32(2'400).u32(8).u32(16'384).u32(4096).u32(65'536).text16(computer);
    to.fill(20 + 512 - to.size()).text16(u"TEA").fill(258).u64(0);
    return to.take();
}

template <typename Record>
void collect(MachineCollector& collector, const Record& record) {
    const auto one = test::event_of(record);
    collector.add(one->event);
}

TEST(Machine, IsWhatItsRecordsSay) {
    MachineCollector collector;
    const auto first = configuration(u"KETTLE");
    const auto second = configuration(u"OTHER");
    collect(collector, format::SystemRecord{.hook_id = 0x0B0A, .time = 20, .payload = second});
    MachineCollector earlier;
    collect(earlier, format::SystemRecord{.hook_id = 0x0B0A, .time = 10, .payload = first});
    collect(earlier,
            format::SystemRecord{.hook_id = 0x0042,
                                 .time = 5,
                                 .payload = ByteWriter().text8("22621.1.amd64fre").u8(0).view()});
    collector.combine(earlier);
    Machine expected{.computer_name = "KETTLE",
                     .domain_name = "TEA",
                     .build_lab = "22621.1.amd64fre",
                     .product_name = {},
                     .processors = 8,
                     .mhz = 2'400,
                     .memory_mb = 16'384};
    EXPECT_EQ(collector.get(), expected);
    collect(collector,
            format::FullRecord{
                .opcode = 32,
                .time = 30,
                .event_class = system_config_ex_class,
                .payload =
                    ByteWriter().u64(0).text16(u"lab").u16(0).text16(u"Tea Server").u16(0).view()});
    expected.build_lab = "lab";
    expected.product_name = "Tea Server";
    EXPECT_EQ(collector.get(), expected);
}

TEST(Machine, IsUnknownIfItsRecordsAreCutShort) {
    MachineCollector collector;
    const auto whole = configuration(u"KETTLE");
    collect(collector, format::SystemRecord{.hook_id = 0x0B0A, .payload = Bytes(whole).first(100)});
    EXPECT_EQ(collector.get(), Machine{});
}

} // namespace
} // namespace etl::facts::named_files_test
