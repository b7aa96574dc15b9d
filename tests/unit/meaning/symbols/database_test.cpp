#include "symbols/limits.hpp"
#include "symbols/symbol_file.hpp"
#include "tests/support/codecs/packed_bytes.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/database_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace etl::symbols::database_test {
namespace {

using test::Annotations;
using test::DatabaseBuilder;
using test::Image;
using testing::ElementsAre;

constexpr std::uint32_t code = 0x1000; // where the section of code is

std::shared_ptr<const SymbolFile> opened(const Image& file) {
    auto result = SymbolFile::open(io::InputFile::from_memory(file, "test"));
    if (!result) {
        ADD_FAILURE() << describe(result.error());
        return nullptr;
    }
    return *result;
}

std::string described(std::span<const Frame> frames) {
    std::string text;
    for (const Frame& frame : frames) {
        text += text.empty() ? "" : " < ";
        text += frame.function;
        text += frame.is_approximate ? "~" : "";
        text += frame.file.empty() ? "" : " " + std::string(frame.file);
        text += frame.line == 0 ? "" : ":" + std::to_string(frame.line);
    }
    return text;
}

std::string at(const Image& file, std::uint32_t rva, Detail detail = Detail::lines) {
    return described(Resolver(opened(file)).resolve(rva, detail));
}

DatabaseBuilder two_functions() {
    DatabaseBuilder pdb;
    pdb.section(code, 0x1000);
    const std::size_t file = pdb.file("C:\\src\\pump.cpp");
    pdb.begin_module();
    pdb.begin_procedure("pump::start", 0x100, 0x40).end_procedure();
    pdb.lines(0x100, 0x40, {{0, 10, file}, {8, 12, file}, {0x20, 0xF00F00, file}});
    pdb.begin_module();
    pdb.begin_procedure("pump::stop", 0x140, 0x20).end_procedure();
    pdb.public_symbol("?start@pump@@YAXXZ", 0x100);
    pdb.public_symbol("?stop@pump@@YAXXZ", 0x140);
    return pdb;
}

TEST(Database, FindsFunctionAndLine) {
    const Image file = two_functions().build();
    EXPECT_EQ(at(file, code + 0xFF), "");
    EXPECT_EQ(at(file, code + 0x100), "pump::start C:\\src\\pump.cpp:10");
    EXPECT_EQ(at(file, code + 0x107), "pump::start C:\\src\\pump.cpp:10");
    EXPECT_EQ(at(file, code + 0x108), "pump::start C:\\src\\pump.cpp:12");
    EXPECT_EQ(at(file, code + 0x120), "pump::start") << "marked as without a line";
    EXPECT_EQ(at(file, code + 0x13F), "pump::start");
    EXPECT_EQ(at(file, code + 0x140), "pump::stop");
    EXPECT_EQ(at(file, code + 0x160), "");
    EXPECT_EQ(at(file, 0), "");
    EXPECT_EQ(at(file, 0xFFFFFFFF), "");
}

TEST(Database, HasTheAgeOfItsDebugInformation) {
    const auto file = opened(two_functions().build());
    EXPECT_EQ(file->kind(), FileKind::program_database);
    EXPECT_EQ(file->identity(), (Identity{DatabaseBuilder::guid, 3}));
    EXPECT_EQ(file->identity().key(), "0F1E2D3C4B5A69788796A5B4C3D2E1F03");
}

TEST(Database, FindsAsMuchAsAsked) {
    Resolver resolver(opened(two_functions().build()));
    const Frame function = resolver.resolve(code + 0x109, Detail::function)[0];
    EXPECT_EQ(function.function, "pump::start");
    EXPECT_EQ(function.offset, 9U);
    EXPECT_EQ(function.linkage_name, "");
    const Frame linkage = resolver.resolve(code + 0x109, Detail::linkage)[0];
    EXPECT_EQ(linkage.linkage_name, "?start@pump@@YAXXZ");
    EXPECT_EQ(linkage.line, 0U);
}

TEST(Database, ReadsTheSameFromCompressedContainers) {
    const auto streams = two_functions().streams();
    for (const auto& packing :
         {test::MsfzPacking{1, test::zstd_of}, test::MsfzPacking{2, test::deflate_of}}) {
        EXPECT_EQ(at(test::msfz_of(streams, packing), code + 0x108),
                  "pump::start C:\\src\\pump.cpp:12");
    }
}

TEST(Database, IsFoundInACompressedFile) {
    EXPECT_EQ(at(test::gzip_of(two_functions().build()), code + 0x140), "pump::stop");
    const auto text = SymbolFile::open(
        io::InputFile::from_memory(test::gzip_of(Image(100, std::byte{'x'})), "test.gz"));
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::unsupported);
}

// outer [0, 0x40): helper [8, 0x18) line 100, 101; inside it inner [0xC, 0x10); then helper again.
DatabaseBuilder inlined() {
    DatabaseBuilder pdb;
    pdb.section(code, 0x1000);
    const std::size_t a = pdb.file("a.cpp");
    const std::size_t b = pdb.file("b.h");
    const std::uint32_t helper = pdb.function_item("helper", "util");
    const std::uint32_t inner = pdb.member_item("inner", "util::Box<int>");
    pdb.begin_module();
    pdb.inlinee(helper, b, 100).inlinee(inner, b, 200);
    pdb.begin_procedure("outer", 0, 0x40);
    pdb.begin_site(
        helper,
        Annotations().advance(8).advance_and_line(8, 1).length(8).line(-1).length_and_advance(
            4, 0x18));
    pdb.begin_site(inner, Annotations().line(3).length_and_advance(4, 0xC), true);
    pdb.end_site().end_site().end_procedure();
    pdb.lines(0, 0x40, {{0, 10, a}, {8, 11, a}, {0x18, 12, a}});
    return pdb;
}

TEST(Database, FindsInlinedFunctionsInnermostFirst) {
    const Image file = inlined().build();
    EXPECT_EQ(at(file, code + 7), "outer a.cpp:10");
    EXPECT_EQ(at(file, code + 8), "util::helper b.h:100 < outer a.cpp:11");
    EXPECT_EQ(at(file, code + 0xC),
              "util::Box<int>::inner b.h:203 < util::helper b.h:100 < outer a.cpp:11");
    EXPECT_EQ(at(file, code + 0xF),
              "util::Box<int>::inner b.h:203 < util::helper b.h:100 < outer a.cpp:11");
    EXPECT_EQ(at(file, code + 0x10), "util::helper b.h:101 < outer a.cpp:11");
    EXPECT_EQ(at(file, code + 0x17), "util::helper b.h:101 < outer a.cpp:11");
    EXPECT_EQ(at(file, code + 0x18), "outer a.cpp:12") << "between two rows";
    EXPECT_EQ(at(file, code + 0x30), "util::helper b.h:100 < outer a.cpp:12");
    EXPECT_EQ(at(file, code + 0x34), "outer a.cpp:12");
}

TEST(Database, BoundsNamesThatShareALongScope) {
    constexpr std::size_t scope_size = 60'000;
    DatabaseBuilder pdb;
    pdb.section(code, 0x10000);
    const std::uint32_t scope = pdb.scope_item(std::string(scope_size, 'x'));
    const std::size_t sites = limits::inlined_name_bytes / scope_size + 10;
    std::vector<std::uint32_t> items;
    for (std::size_t i = 0; i < sites; ++i) {
        items.push_back(pdb.function_item("f", scope));
    }
    pdb.begin_module().begin_procedure("outer", 0, 0x10000);
    for (std::size_t i = 0; i < sites; ++i) {
        const auto at = static_cast<std::uint32_t>(4 * i);
        pdb.begin_site(items[i], Annotations().length_and_advance(1, at));
        pdb.end_site();
    }
    pdb.end_procedure();
    const Image file = pdb.build();
    EXPECT_LT(file.size(), 1U << 20U);
    Resolver resolver(opened(file));
    EXPECT_EQ(resolver.resolve(code)[0].function.size(), scope_size + 3);
    const auto last = resolver.resolve(code + 4 * (static_cast<std::uint32_t>(sites) - 1));
    ASSERT_EQ(last.size(), 2U);
    EXPECT_EQ(last[0].function, "");
}

TEST(Database, NamesOnlyTheProcedureIfLinesAreNotAsked) {
    EXPECT_EQ(at(inlined().build(), code + 0xC, Detail::linkage), "outer");
}

TEST(Database, SwitchesFilesInsideAnInlinedFunction) {
    DatabaseBuilder pdb;
    pdb.section(code, 0x1000);
    pdb.file("a.cpp");
    const std::size_t b = pdb.file("b.h");
    const std::uint32_t helper = pdb.function_item("helper");
    pdb.begin_module().inlinee(helper, 0, 5);
    pdb.begin_procedure("outer", 0, 0x40);
    pdb.begin_site(helper, Annotations()
                               .code_offset(4)
                               .file(static_cast<std::uint32_t>(b) * DatabaseBuilder::checksum_size)
                               .advance(0)
                               .length(4));
    pdb.end_site().end_procedure();
    EXPECT_EQ(at(pdb.build(), code + 4), "helper b.h:5 < outer");
}

TEST(Database, FollowsTheMapOfARearrangedImage) {
    DatabaseBuilder pdb = two_functions();
    pdb.original_section(code, 0x1000);
    pdb.moved(0x5000, code + 0x140).moved(0x5010, 0).moved(0x5020, code + 0x108);
    const Image file = pdb.build();
    EXPECT_EQ(at(file, 0x5004), "pump::stop");
    EXPECT_EQ(at(file, 0x5010), "") << "no original code";
    EXPECT_EQ(at(file, 0x5024), "pump::start C:\\src\\pump.cpp:12");
    EXPECT_EQ(at(file, 0x4FFF), "");
}

TEST(Database, FallsBackToTheNearestPublicSymbolOfTheContribution) {
    DatabaseBuilder pdb;
    pdb.section(code, 0x1000);
    pdb.begin_module();
    pdb.contribution(0x100, 0x40).contribution(0x140, 0x10).contribution(0x200, 0x10);
    pdb.public_symbol("?load@@YAXXZ", 0x108).public_symbol("data", 0x110, 0);
    const Image file = pdb.build();
    EXPECT_EQ(at(file, code + 0x104), "");
    EXPECT_EQ(at(file, code + 0x13F), "?load@@YAXXZ~") << "data is no code";
    EXPECT_EQ(at(file, code + 0x140), "") << "another contribution";
    EXPECT_EQ(at(file, code + 0x180), "");
}

TEST(Database, ChoosesAmongFoldedFunctions) {
    DatabaseBuilder pdb;
    pdb.section(code, 0x1000);
    pdb.begin_module();
    pdb.begin_procedure("Queue::clear", 0x100, 0x10).end_procedure();
    pdb.public_symbol("?x@@YAXXZ", 0x100).public_symbol("?clear@Queue@@QEAAXXZ", 0x100);
    pdb.public_symbol("?reset@Pump@@QEAAXXZ", 0x100);
    Resolver resolver(opened(pdb.build()));
    const auto frames = resolver.resolve(code + 0x104);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].function, "Queue::clear");
    EXPECT_EQ(frames[0].linkage_name, "?clear@Queue@@QEAAXXZ");
    EXPECT_EQ(frames[0].others, 2U);
}

TEST(Database, NamesThunksJumpsAndColdCode) {
    DatabaseBuilder pdb = two_functions();
    pdb.thunk("adjust", 0x200, 8).trampoline(0x208, 5, 0x100).separated(0x300, 0x10, 0x140);
    const Image file = pdb.build();
    EXPECT_EQ(at(file, code + 0x207), "adjust");
    EXPECT_EQ(at(file, code + 0x208), "pump::start") << "in another module";
    EXPECT_EQ(at(file, code + 0x30F), "pump::stop");
}

// A database that the compiler of native images writes: no section headers, a contribution for each
// section, public symbols without flags.
DatabaseBuilder native_image() {
    DatabaseBuilder pdb;
    pdb.mapped_section(0x234).mapped_section(0x2000).mapped_section(0x10);
    pdb.begin_module();
    pdb.contribution(0, 0x234, 1).contribution(0, 0x2000, 2).contribution(0, 0x10, 3);
    pdb.public_symbol("Kitchen.Pot.Fill(int32)$##6000001", 0x100, 0, 2);
    pdb.public_symbol("Kitchen.Pot.Empty()$##6000002", 0x1F00, 0, 2);
    return pdb;
}

TEST(Database, PlacesSectionsOfNativeImagesByTheSectionMap) {
    const Image file = native_image().build();
    EXPECT_TRUE(opened(file)->names_functions());
    EXPECT_EQ(at(file, 0x2100, Detail::function), "Kitchen.Pot.Fill(int32)$##6000001~");
    EXPECT_EQ(at(file, 0x3EFF, Detail::function), "Kitchen.Pot.Fill(int32)$##6000001~");
    EXPECT_EQ(at(file, 0x3F00, Detail::function), "Kitchen.Pot.Empty()$##6000002~");
    EXPECT_EQ(at(file, 0x20FF, Detail::function), "");
    EXPECT_EQ(at(file, 0x1100, Detail::function), "") << "the section before it";
    EXPECT_EQ(at(file, 0x4000, Detail::function), "") << "the section after it";
}

TEST(Database, PrefersSectionHeadersToTheSectionMap) {
    const DatabaseBuilder plain = two_functions();
    std::vector<Image> streams = plain.streams();
    // The empty section map becomes one of a huge first section.
    constexpr std::size_t debug = 3, map_size = 32, after_header = 64;
    Image& stream = streams[debug];
    const auto number = [&](std::size_t offset) {
        return load_le<std::uint32_t>(stream.data() + offset);
    };
    ByteWriter map;
    map.u16(1).u16(1).u16(0x10D).u32(0).u16(1).u32(0xFFFFFFFF).u32(0).u32(0x900000);
    const std::size_t at_map = after_header + number(24) + number(28);
    stream.insert(stream.begin() + static_cast<std::ptrdiff_t>(at_map), map.view().begin(),
                  map.view().end());
    stream[map_size] = static_cast<std::byte>(map.size());
    EXPECT_EQ(at(test::msf_of(streams), code + 0x140), "pump::stop");
}

TEST(Database, EndsTheSectionMapWhereItContradicts) {
    const std::vector<Image> streams = native_image().streams();
    constexpr std::size_t debug = 3;
    const auto changed = [&](std::size_t offset, std::uint32_t value) {
        std::vector<Image> copy = streams;
        Image& stream = copy[debug];
        const std::size_t map = 64 + load_le<std::uint32_t>(stream.data() + 24) +
                                load_le<std::uint32_t>(stream.data() + 28);
        for (std::size_t i = 0; i < 4; ++i) {
            stream[map + offset + i] = static_cast<std::byte>(value >> (8 * i));
        }
        return test::msf_of(copy);
    };
    constexpr std::uint32_t rva = 0x2100;
    constexpr std::size_t first = 4, size = 16, number = 6;
    EXPECT_EQ(at(changed(first + size, 0x234), rva, Detail::function),
              "Kitchen.Pot.Fill(int32)$##6000001~");
    EXPECT_EQ(at(changed(first + size, 0xFFFFFFFF), rva, Detail::function), "") << "too large";
    EXPECT_EQ(at(changed(first + 20 + size, 0xFFFFF000), rva, Detail::function), "");
    EXPECT_EQ(at(changed(first + number, 0xFFFF0002), rva, Detail::function), "") << "out of order";
    EXPECT_EQ(at(changed(first, 0x30D), rva, Detail::function), "") << "an absolute section";
    EXPECT_FALSE(opened(changed(first, 0x30D))->names_functions());
}

TEST(Database, NamesNoAddressesByTheOffsetsOfManagedCode) {
    DatabaseBuilder pdb;
    pdb.section(0, 0x1000);
    pdb.begin_module();
    pdb.begin_procedure("Main", 0x10, 0x20, 0x112A, 0x06000002).end_procedure();
    const Image file = pdb.build();
    EXPECT_EQ(at(file, 0x10), "") << "an offset in the IL, not an address of an image";
    EXPECT_FALSE(opened(file)->names_functions());
}

TEST(Database, SaysWhetherItNamesAnything) {
    EXPECT_TRUE(opened(two_functions().build())->names_functions());
    DatabaseBuilder publics;
    publics.section(code, 0x1000).begin_module().public_symbol("?f@@YAXXZ", 0);
    EXPECT_TRUE(opened(publics.build())->names_functions());
    DatabaseBuilder elsewhere;
    elsewhere.section(code, 0x100).begin_module();
    elsewhere.begin_procedure("f", 0x100, 0x10).end_procedure();
    elsewhere.public_symbol("?f@@YAXXZ", 0x100);
    EXPECT_FALSE(opened(elsewhere.build())->names_functions()) << "outside of the sections";
    EXPECT_FALSE(opened(DatabaseBuilder().section(code, 0x1000).build())->names_functions());
}

TEST(Database, FindsLinesOfManagedCode) {
    DatabaseBuilder pdb;
    const std::size_t file = pdb.file("Program.cs");
    pdb.begin_module();
    pdb.begin_procedure("Main", 0x10, 0x20, 0x112A, 0x06000002).end_procedure();
    pdb.lines(0x10, 0x20, {{0, 7, file}, {4, 0xFEEFEE, file}, {9, 8, file}});
    const auto opened_file = opened(pdb.build());
    const auto line = [&](std::uint32_t token, std::uint32_t offset) {
        const auto found = opened_file->managed_line(token, offset);
        return found ? std::string(found->file) + ":" + std::to_string(found->line) : "";
    };
    EXPECT_EQ(line(0x06000002, 3), "Program.cs:7");
    EXPECT_EQ(line(0x06000002, 4), "") << "hidden";
    EXPECT_EQ(line(0x06000002, 9), "Program.cs:8");
    EXPECT_EQ(line(0x06000002, 0x20), "") << "beyond the method";
    EXPECT_EQ(line(0x06000001, 0), "");
}

TEST(Database, ServesSeveralThreads) {
    const auto file = opened(inlined().build());
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            Resolver resolver(file);
            for (int round = 0; round < 1000; ++round) {
                right +=
                    described(resolver.resolve(code + 8)) == "util::helper b.h:100 < outer a.cpp:11"
                        ? 1
                        : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(right, 4000);
}

TEST(Database, SurvivesAnyChangedByte) {
    const Image whole = inlined().build();
    std::size_t accepted = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const std::byte value : {std::byte{0xFF}, std::byte{0}, std::byte{0x41}}) {
            Image changed = whole;
            changed[i] = value;
            const auto file = SymbolFile::open(io::InputFile::from_memory(changed, "test"));
            if (file) {
                ++accepted;
                Resolver resolver(*file);
                for (std::uint32_t rva = code; rva < code + 0x40; rva += 4) {
                    for (const Frame& frame : resolver.resolve(rva)) {
                        EXPECT_LE(frame.function.size(), whole.size());
                    }
                }
            }
        }
    }
    EXPECT_GT(accepted, whole.size());
}

TEST(Database, RejectsOthers) {
    const auto open = [](std::string_view text) {
        const Bytes bytes = std::as_bytes(std::span(text));
        return SymbolFile::open(io::InputFile::from_memory({bytes.begin(), bytes.end()}, "x"));
    };
    EXPECT_EQ(open("").error().code, ErrorCode::unsupported);
    EXPECT_EQ(open("text").error().code, ErrorCode::unsupported);
    EXPECT_EQ(open("Microsoft C/C++ program database 2.00\r\n\x1AJG").error().code,
              ErrorCode::unsupported);
    const Image whole = two_functions().build();
    for (std::size_t size = 0; size + 512 < whole.size(); size += 100) {
        EXPECT_FALSE(SymbolFile::open(
            io::InputFile::from_memory(test::truncate_at(whole, size), "truncated")));
    }
}

} // namespace
} // namespace etl::symbols::database_test
