// The files that a trace names: the PDB files of images and providers, and the executables that
// registered providers. One NamedFiles per thread; combine() joins them.
// docs/info-and-check.md#needs
#pragma once

#include <etl/flow/event.hpp>

#include <compare>
#include <map>
#include <set>
#include <string>

namespace etl::facts {

/// As a symbol server identifies it.
struct PdbFile {
    std::string name; // as the linker wrote it, perhaps with its path
    Guid guid;
    std::uint32_t age = 0;

    auto operator<=>(const PdbFile&) const = default;
};

class NamedFiles {
public:
    /// Looks at the header, and at the payloads of the few records that name files.
    void add(const flow::EventHeader& header);

    void combine(const NamedFiles& other);

    /// At most limits::named_files.
    const std::set<PdbFile>& pdbs() const noexcept { return pdbs_; }

    /// By provider (of WPP: the control GUID), at most limits::named_files.
    const std::map<Guid, std::set<std::string>>& executables() const noexcept {
        return executables_;
    }

private:
    void add_pdb(PdbFile pdb);
    void add_executable(const Guid& provider, const std::string& path);
    void read_executable(Bytes payload);

    std::set<PdbFile> pdbs_;
    std::map<Guid, std::set<std::string>> executables_;
    std::size_t paths_ = 0; // in executables_
};

} // namespace etl::facts
