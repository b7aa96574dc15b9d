// Files named in a trace: the PDB files of images and providers, and the executables that
// registered providers. One NamedFiles per thread; combine() joins them.
// docs/info-and-check.md#needs
#pragma once

#include "flow/event.hpp"

#include <compare>
#include <map>
#include <set>
#include <string>

namespace etl::facts {

/// A PDB file, identified as on a symbol server.
struct PdbFile {
    std::string name; // as written by the linker, possibly with a path
    Guid guid;
    std::uint32_t age = 0;

    auto operator<=>(const PdbFile&) const = default;
};

class NamedFiles {
public:
    /// Examines the header, and the payload of the few records that name files.
    void add(const flow::EventHeader& header);

    void combine(const NamedFiles& other);

    /// Returns at most limits::named_files PDB files.
    const std::set<PdbFile>& pdbs() const noexcept { return pdbs_; }

    /// Returns executables by provider (for WPP, the control GUID), at most limits::named_files.
    const std::map<Guid, std::set<std::string>>& executables() const noexcept {
        return executables_;
    }

private:
    void add_pdb(PdbFile pdb);
    void add_executable(const Guid& provider, const std::string& path);
    void read_executable(Bytes payload);

    std::set<PdbFile> pdbs_;
    std::map<Guid, std::set<std::string>> executables_;
    std::size_t paths_ = 0; // number of paths in executables_
};

} // namespace etl::facts
