#include "facts/named_files.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "facts/limits.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"

namespace etl::facts {

namespace {

constexpr std::uint16_t header_rsds_hook = 0x0040; // of group 0, class EventTrace
constexpr std::uint8_t header_rsds = 64;
constexpr std::uint8_t header_executable = 67;
constexpr std::uint8_t image_rsds = 36;
constexpr std::uint8_t image_il_rsds = 37;

/// What the GUID, the age, and the name of a PDB file begin at. An empty name: it is cut short.
PdbFile read_pdb(Cursor in) {
    PdbFile pdb{.name = {}, .guid = in.guid("GUID"), .age = in.u32("age")};
    const Bytes name = in.zero_terminated8("name");
    if (in) {
        append_utf8(pdb.name, name);
    }
    return pdb;
}

} // namespace

void NamedFiles::add_pdb(PdbFile pdb) {
    if (!pdb.name.empty() && pdbs_.size() < limits::named_files) {
        pdbs_.insert(std::move(pdb));
    }
}

void NamedFiles::add_executable(const Guid& provider, const std::string& path) {
    if (paths_ < limits::named_files && executables_[provider].insert(path).second) {
        ++paths_;
    }
}

void NamedFiles::read_executable(Bytes payload) {
    Cursor in(payload);
    const std::uint32_t count = in.u32("count");
    const Bytes providers = in.bytes("GUIDs", std::size_t{count} * sizeof(Guid));
    const Bytes path = in.zero_terminated16("path");
    if (!in) {
        return;
    }
    std::string text;
    append_utf16le(text, path);
    Cursor guids(providers);
    for (std::uint32_t i = 0; i < count; ++i) {
        add_executable(guids.guid("GUID"), text);
    }
}

void NamedFiles::add(const flow::EventHeader& header) {
    if (header.provider == format::image_id_guid &&
        (header.opcode == image_rsds || header.opcode == image_il_rsds)) {
        Cursor in(header.payload);
        in.pointer("image base", header.pointer_size);
        in.u32("process ID");
        add_pdb(read_pdb(in));
    } else if (header.provider == format::class_of_hook(header_rsds_hook)) {
        if (header.opcode == header_rsds) {
            add_pdb(read_pdb(Cursor(header.payload)));
        } else if (header.opcode == header_executable) {
            read_executable(header.payload);
        }
    }
}

void NamedFiles::combine(const NamedFiles& other) {
    for (const PdbFile& pdb : other.pdbs_) {
        add_pdb(pdb);
    }
    for (const auto& [provider, paths] : other.executables_) {
        for (const std::string& path : paths) {
            add_executable(provider, path);
        }
    }
}

} // namespace etl::facts
