// make_symbol_seeds FOLDER: writes the seeds of the doors stream_file and symbol_file, all
// invented, into FOLDER/DOOR/. Run by hand; what it wrote is committed.
#include "tests/support/codecs/packed_bytes.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/code_image_builder.hpp"
#include "tests/support/images/database_builder.hpp"
#include "tests/support/images/portable_builder.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace etl;
using namespace etl::test;

namespace {

void write(const std::filesystem::path& path, Bytes bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    for (const std::byte byte : bytes) {
        out.put(static_cast<char>(byte));
    }
}

/// Procedures, nested inlined calls, lines, publics, jumps, cold code, a managed method.
DatabaseBuilder everything() {
    DatabaseBuilder pdb;
    pdb.section(0x1000, 0x1000);
    const std::size_t a = pdb.file("a.cpp");
    const std::size_t b = pdb.file("b.h");
    const std::uint32_t helper = pdb.function_item("helper", "util");
    const std::uint32_t inner = pdb.member_item("inner", "util::Box<int>");
    pdb.begin_module();
    pdb.inlinee(helper, b, 100).inlinee(inner, b, 200);
    pdb.begin_procedure("outer", 0, 0x40);
    pdb.begin_site(helper, Annotations().advance(8).advance_and_line(8, 1).length(8).file(8));
    pdb.begin_site(inner, Annotations().line(-3).length_and_advance(4, 0xC), true);
    pdb.end_site().end_site().end_procedure();
    pdb.lines(0, 0x40, {{0, 10, a}, {8, 11, b}, {0x18, 12, a}, {0x20, 0xF00F00, a}});
    pdb.begin_module();
    pdb.begin_procedure("pump::stop", 0x140, 0x20).end_procedure();
    pdb.begin_procedure("Main", 0x180, 0x20, 0x112A, 0x06000002).end_procedure();
    pdb.lines(0x180, 0x20, {{0, 7, a}, {4, 0xFEEFEE, a}});
    pdb.thunk("adjust", 0x100, 8).trampoline(0x108, 5, 0).separated(0x120, 0x10, 0x140);
    pdb.contribution(0x1C0, 0x20);
    pdb.public_symbol("?stop@pump@@YAXXZ", 0x140).public_symbol("stop", 0x140);
    pdb.public_symbol("_load@4", 0x1C4);
    return pdb;
}

DatabaseBuilder moved() {
    DatabaseBuilder pdb = everything();
    pdb.original_section(0x1000, 0x1000)
        .moved(0x1000, 0x1100)
        .moved(0x1010, 0)
        .moved(0x5000, 0x1000);
    return pdb;
}

/// A native image: a section map instead of section headers.
DatabaseBuilder native() {
    DatabaseBuilder pdb;
    pdb.mapped_section(0x20).mapped_section(0x1000).mapped_section(0x10);
    pdb.begin_module();
    pdb.contribution(0, 0x20, 1).contribution(0, 0x1000, 2).contribution(0, 0x10, 3);
    pdb.public_symbol("Kitchen.Pot.Fill(int32)$##6000001", 0, 0, 1);
    pdb.public_symbol("Kitchen.Pot.Empty()$##6000002", 0x180, 0, 2);
    return pdb;
}

PortableBuilder portable() {
    PortableBuilder pdb;
    pdb.document({"C:", "src", "Program.cs"});
    pdb.document({"Generated.cs"});
    pdb.method({{0, 1000}, {3, 0}, {9, 998}, {200, 90'000}});
    pdb.method({});
    pdb.method({{2, 4, 2}, {6, 5, 1}, {8, 6, 2}}, true);
    return pdb;
}

void write_images(const std::filesystem::path& folder) {
    const Image embedded = portable().build();
    write(folder / "executable", CodeImageBuilder()
                                     .exported("start", 0x1100)
                                     .exported_by_ordinal(0x1010)
                                     .forwarded("malloc", "ucrt.malloc")
                                     .function(0x1100, 0x1140)
                                     .part(0x1180, 0x11A0, 0x1100, 0x1140)
                                     .database(PortableBuilder::guid, 1, "Program.pdb", true)
                                     .embedded(deflate_of(embedded), embedded.size())
                                     .build());
    write(folder / "executable_arm", CodeImageBuilder(0xAA64)
                                         .exported("start", 0x1100)
                                         .arm_function(0x1100, 0x20, true)
                                         .arm_function(0x1140, 0x10, false)
                                         .build());
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: make_symbol_seeds FOLDER\n", stderr);
        return 64;
    }
    const std::filesystem::path root = arguments[1];
    const MsfzPacking zstd{1, zstd_of};
    const MsfzPacking deflate{2, deflate_of};
    const std::filesystem::path files = root / "symbol_file";
    write(files / "database", everything().build());
    write(files / "database_moved", moved().build());
    write(files / "database_native", native().build());
    write(files / "database_zstd", msfz_of(everything().streams(), zstd, 512));
    write(files / "portable", portable().build());
    write_images(files);
    const std::string_view map = "FFFFFFFF 00 00112233445566778899AABBCCDDEEFF\r\nFFFFFFFE 00 1\r\n"
                                 "00001010 20 A::B(System.Int32)\r\n";
    write(files / "native_map", std::as_bytes(std::span(map)));
    const std::filesystem::path containers = root / "stream_file";
    const std::vector<Image> streams{{}, noise(700), noise(40), {}, noise(1200)};
    write(containers / "msf", msf_of(streams));
    write(containers / "msfz", msfz_of(streams, {}));
    write(containers / "msfz_zstd", msfz_of(streams, zstd));
    write(containers / "msfz_deflate", msfz_of(streams, deflate, 1000));
    return 0;
}
