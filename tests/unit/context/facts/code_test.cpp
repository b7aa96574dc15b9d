// Images, methods, and their names, as a trace records them.
#include "facts/frame_names.hpp"
#include "tests/support/traces/runtime_records.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

#include <gmock/gmock.h>

#include <map>
#include <variant>

namespace etl::facts::code_test {
namespace {

using Record = std::variant<KernelRecord, UserRecord, ClassRecord>;

constexpr std::uint32_t kettle = 1200;
constexpr std::uint64_t tea = 0x10000;
const Guid tea_pdb = *parse_guid("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee");
const Guid milk_pdb = *parse_guid("01020304-0506-0708-090a-0b0c0d0e0f10");

Facts facts_of_records(const std::vector<Record>& records) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const Record& record : records) {
        std::visit([&](const auto& any) { any.add_to(buffer); }, record);
    }
    return facts_of(*open(trace.build()));
}

KernelRecord tea_record(std::int64_t time, Life life) {
    return image_record(time, life, kettle, tea, 0x5000, u"\\Device\\HarddiskVolume2\\tea.dll");
}

std::string name_of_code(const Facts& facts, std::uint64_t address, std::int64_t time,
                         bool is_return_address = false, FrameNames names = FrameNames()) {
    std::string text;
    const bool is_named = names.append(text, facts, {kettle, address, time, is_return_address});
    EXPECT_EQ(is_named, !text.empty());
    return text;
}

TEST(Images, HaveTheIdentityThatTheMergeRecorded) {
    const Facts facts =
        facts_of_records({tea_record(10, Life::rundown_at_start),
                          image_pdb_record(10, 36, kettle, tea, tea_pdb, 2, "C:\\build\\tea.pdb"),
                          image_pdb_record(10, 37, kettle, tea, milk_pdb, 3, "milk.pdb"),
                          image_info_record(10, kettle, tea, 0x5F001122, u"TEA.DLL"),
                          image_pdb_record(10, 36, 1300, tea, milk_pdb, 9, "of another process")});
    const auto image = facts.image(kettle, tea, 20);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->pdb, (PdbIdentity{tea_pdb, 2, "C:\\build\\tea.pdb"}));
    EXPECT_EQ(image->il_pdb, (PdbIdentity{milk_pdb, 3, "milk.pdb"}));
    EXPECT_EQ(image->time_date_stamp, 0x5F001122U);
    EXPECT_EQ(image->original_name, "TEA.DLL");
}

TEST(Images, WithoutAMergeHaveTheTimeStampOfTheirOwnRecords) {
    const Facts facts = facts_of_records({tea_record(10, Life::rundown_at_start)});
    const auto image = facts.image(kettle, tea, 20);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->time_date_stamp, 0x5F000000U);
    EXPECT_EQ(image->original_name, "");
    EXPECT_FALSE(image->pdb);
}

TEST(Images, AtOneAddressHaveTheirOwnIdentities) {
    const Facts facts = facts_of_records(
        {tea_record(10, Life::start), image_pdb_record(10, 36, kettle, tea, tea_pdb, 2, "tea.pdb"),
         tea_record(50, Life::end), image_pdb_record(50, 36, kettle, tea, tea_pdb, 2, "tea.pdb"),
         image_record(60, Life::start, kettle, tea, 0x1000, u"\\D\\milk.dll"),
         image_pdb_record(60, 36, kettle, tea, milk_pdb, 1, "milk.pdb")});
    const std::vector<Image> images = facts.images();
    ASSERT_EQ(images.size(), 2U);
    EXPECT_EQ(images[0].name(), "tea.dll");
    EXPECT_EQ(images[0].begin, 10);
    EXPECT_EQ(images[0].end, 50);
    EXPECT_EQ(images[0].pdb->guid, tea_pdb);
    EXPECT_EQ(images[1].pdb->guid, milk_pdb);
}

TEST(Images, OnlyUnloadedHaveTheIdentityRecordedThen) {
    const Facts facts = facts_of_records(
        {tea_record(50, Life::end), image_pdb_record(50, 36, kettle, tea, tea_pdb, 2, "tea.pdb")});
    ASSERT_TRUE(facts.image(kettle, tea, 20));
    EXPECT_EQ(facts.image(kettle, tea, 20)->pdb->guid, tea_pdb);
}

TEST(Images, GoWithTheirProcess) {
    const Facts facts = facts_of_records({process_record(5, Life::start, kettle, "kettle.exe"),
                                          tea_record(10, Life::start),
                                          process_record(50, Life::end, kettle, "kettle.exe"),
                                          process_record(60, Life::start, kettle, "cup.exe")});
    EXPECT_TRUE(facts.image(kettle, tea, 49));
    EXPECT_FALSE(facts.image(kettle, tea, 70));
}

TEST(Images, PathsGetTheirDriveLetters) {
    const Facts facts =
        facts_of_records({volume_record(10, u"\\Device\\HarddiskVolume2\\", u"C:\\"),
                          volume_record(10, u"\\", u"?:\\"),
                          volume_record(10, u"\\SystemRoot\\", u"C:\\Windows\\")});
    EXPECT_EQ(facts.dos_path("\\Device\\HarddiskVolume2\\tea.dll"), "C:\\tea.dll");
    EXPECT_EQ(facts.dos_path("\\systemroot\\nt.exe"), "C:\\Windows\\nt.exe");
    EXPECT_EQ(facts.dos_path("\\x"), "?:\\x") << "the longest path counts";
    EXPECT_EQ(facts.dos_path("tea.dll"), "tea.dll");
}

TEST(Methods, AreNamedWithTheirModule) {
    for (const std::uint8_t version : std::to_array<std::uint8_t>({0, 1, 2})) {
        const Facts facts = facts_of_records(
            {module_record(5, 152, kettle, 0x7000, u"C:\\Kitchen\\pots.dll", tea_pdb),
             method_record(10, MethodMoment::load, kettle, 0x90000, 0x100, {.flags = 8 | 4U << 7U},
                           version),
             method_record(50, MethodMoment::unload, kettle, 0x90000, 0x100,
                           {.flags = 8 | 4U << 7U}, version)});
        EXPECT_EQ(name_of_code(facts, 0x90010, 20), "pots.dll!Kitchen.Kettle.Boil(int32)+0x10");
        EXPECT_EQ(name_of_code(facts, 0x90010, 9), "");
        EXPECT_EQ(name_of_code(facts, 0x90010, 50), "");
        const auto method = facts.method(kettle, 0x90010, 20);
        ASSERT_TRUE(method);
        EXPECT_EQ(method->tier(), Method::Tier::tier1);
        EXPECT_FALSE(method->is_dynamic());
        EXPECT_EQ(method->start, 0x90000U);
        EXPECT_EQ(method->size, 0x100U);
        EXPECT_EQ(method->token, 0x06000001U);
        EXPECT_EQ(method->module, "C:\\Kitchen\\pots.dll");
        ASSERT_EQ(facts.managed_modules().size(), 1U);
        EXPECT_EQ(facts.managed_modules()[0].native_pdb,
                  (PdbIdentity{tea_pdb, 3, "kitchen.ni.pdb"}));
        EXPECT_EQ(facts.managed_modules()[0].pdb->name, "kitchen.pdb");
    }
}

TEST(Methods, OfARundownAtTheEndAreThereFromTheBeginning) {
    const Facts facts = facts_of_records(
        {method_record(900, MethodMoment::rundown_at_end, kettle, 0x90000, 0x100, {}, 1)});
    EXPECT_EQ(name_of_code(facts, 0x90000, 1), "Kitchen.Kettle.Boil(int32)");
}

TEST(Methods, OfOneIdAreToldApartByTheirRanges) {
    const Facts facts = facts_of_records(
        {method_record(10, MethodMoment::load, kettle, 0x90000, 0x100, {.flags = 8 | 3U << 7U}),
         method_record(20, MethodMoment::load, kettle, 0xA0000, 0x80, {.flags = 8 | 4U << 7U})});
    ASSERT_TRUE(facts.method(kettle, 0x90010, 30) && facts.method(kettle, 0xA0010, 30));
    EXPECT_EQ(facts.method(kettle, 0x90010, 30)->tier(), Method::Tier::quick);
    EXPECT_EQ(facts.method(kettle, 0xA0010, 30)->tier(), Method::Tier::tier1);
}

TEST(Methods, CreatedAtRunTimeReuseMemory) {
    const auto dynamic = [](std::int64_t time, MethodMoment moment, std::u16string_view name) {
        return method_record(time, moment, kettle, 0x90000, 0x40,
                             {.type = u"dynamicClass", .name = name, .flags = 9});
    };
    const Facts facts = facts_of_records({dynamic(10, MethodMoment::load, u"Stir"),
                                          dynamic(20, MethodMoment::unload, u"Stir"),
                                          dynamic(20, MethodMoment::load, u"Sip"),
                                          dynamic(90, MethodMoment::rundown_at_end, u"Sip")});
    EXPECT_EQ(name_of_code(facts, 0x90004, 15), "dynamicClass.Stir(int32)+0x4");
    EXPECT_EQ(name_of_code(facts, 0x90004, 20), "dynamicClass.Sip(int32)+0x4");
    EXPECT_TRUE(facts.method(kettle, 0x90004, 20)->is_dynamic());
}

TEST(Methods, GoWithTheirProcess) {
    const Facts facts =
        facts_of_records({process_record(5, Life::start, kettle, "kettle.exe"),
                          method_record(10, MethodMoment::load, kettle, 0x90000, 0x100, {}),
                          process_record(50, Life::end, kettle, "kettle.exe"),
                          process_record(60, Life::start, kettle, "cup.exe")});
    EXPECT_EQ(name_of_code(facts, 0x90010, 49), "Kitchen.Kettle.Boil(int32)+0x10");
    EXPECT_EQ(name_of_code(facts, 0x90010, 70), "");
}

TEST(Methods, WithAbsurdRangesAreIgnored) {
    const Facts facts = facts_of_records(
        {method_record(10, MethodMoment::load, kettle, 0x90000, 0, {}),
         method_record(10, MethodMoment::load, kettle, 0xFFFFFFFFFFFFFFF0, 0x100, {}),
         script_method_record(10, 9, kettle, 0x1000, 0x100000000, 1, 1, u"f")});
    EXPECT_EQ(facts.counts().methods, 0U);
}

TEST(Methods, HaveTheArgumentsOfTheirSignature) {
    const std::map<std::string_view, std::string> expected{
        {"void  ()", "f()"},
        {"instance !!0  (class System.Func`2<!0,!!0>,int32)",
         "f(class System.Func`2<!0,!!0>,int32)"},
        {"method void *(int32)  (method int32 *(bool))", "f(method int32 *(bool))"},
        {"", "f"},
        {"int32", "f"},
        {")", "f"},
        {"))(", "f"},
    };
    for (const auto& [signature, text] : expected) {
        std::string name;
        append_method_name(name, {.name = "f", .signature = signature});
        EXPECT_EQ(name, text) << signature;
    }
}

TEST(Methods, OfScriptsHaveTheirFileAndLine) {
    const Facts facts =
        facts_of_records({script_source_record(5, 41, kettle, 77, u"https://kitchen/js/tea.js?v=2"),
                          script_method_record(10, 9, kettle, 0x90000, 0x100, 77, 12, u"boil"),
                          script_method_record(50, 10, kettle, 0x90000, 0x100, 77, 12, u"boil"),
                          script_method_record(60, 6, kettle, 0xA0000, 0x100, 78, 3, u"stir")});
    EXPECT_EQ(name_of_code(facts, 0x90008, 20), "tea.js!boil:12+0x8");
    EXPECT_EQ(name_of_code(facts, 0x90008, 55), "");
    EXPECT_EQ(name_of_code(facts, 0xA0000, 20), "stir:3");
    ASSERT_TRUE(facts.method(kettle, 0x90008, 20));
    EXPECT_TRUE(facts.method(kettle, 0x90008, 20)->is_script);
    EXPECT_EQ(facts.method(kettle, 0x90008, 20)->module, "https://kitchen/js/tea.js?v=2");
}

TEST(FrameNames, AReturnAddressBelongsToTheCallBeforeIt) {
    const Facts facts = facts_of_records(
        {method_record(10, MethodMoment::load, kettle, 0x90000, 0x100, {.name = u"First"}),
         method_record(10, MethodMoment::load, kettle, 0x90200, 0x100, {.name = u"Second"})});
    EXPECT_EQ(name_of_code(facts, 0x90100, 20, true), "Kitchen.Kettle.First(int32)+0x100");
    EXPECT_EQ(name_of_code(facts, 0x90100, 20, false), "");
    EXPECT_EQ(name_of_code(facts, 0x90200, 20, true), "Kitchen.Kettle.Second(int32)")
        << "the first byte of a function is where an interrupt returns to";
}

TEST(FrameNames, CodeWithoutMethodIsAnOffsetInItsImage) {
    const Facts facts = facts_of_records({tea_record(10, Life::rundown_at_start)});
    EXPECT_EQ(name_of_code(facts, tea + 0x1234, 20), "tea.dll!0x1234");
    EXPECT_EQ(name_of_code(facts, tea + 0x5000, 20, true), "tea.dll!0x5000");
    EXPECT_EQ(name_of_code(facts, tea + 0x5000, 20, false), "");
    EXPECT_EQ(name_of_code(facts, 0, 20, true), "");
}

/// Functions of 0x100 bytes from 0x1000 on.
class EvenFunctions final : public SymbolSource {
public:
    std::optional<Symbol> find(const Image& image, std::uint64_t rva) override {
        EXPECT_EQ(image.name(), "tea.dll");
        if (rva < 0x1000) {
            return std::nullopt;
        }
        name_ = "f" + std::to_string(rva >> 8U);
        return Symbol{name_, rva & ~std::uint64_t{0xFF}};
    }

private:
    std::string name_;
};

TEST(FrameNames, SymbolsOfImagesComeFromASource) {
    const Facts facts = facts_of_records({tea_record(10, Life::rundown_at_start)});
    const FrameNames names(std::make_shared<EvenFunctions>());
    EXPECT_EQ(name_of_code(facts, tea + 0x1234, 20, true, names), "tea.dll!f18+0x34");
    EXPECT_EQ(name_of_code(facts, tea + 0x1200, 20, true, names), "tea.dll!f18");
    EXPECT_EQ(name_of_code(facts, tea + 0xFFF, 20, true, names), "tea.dll!0xfff");
}

} // namespace
} // namespace etl::facts::code_test
