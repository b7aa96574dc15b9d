// Files that appear in their directory when all of them are complete.
#pragma once

#include <etl/error.hpp>

#include "sink/event_kinds.hpp"

#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Until commit(), the files are in a hidden directory in the directory: without it, nothing
/// remains. No file stays open. Errors are io_failure. One thread.
class StagedFolder {
public:
    /// Creates the directory if it does not exist.
    static etl::Result<std::unique_ptr<StagedFolder>> create(const std::string& folder);
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;
    ~StagedFolder();

    /// Appends to a file, which is created if it does not exist. `name`: in the directory.
    etl::Result<void> append(const std::string& name, std::string_view bytes);

    /// Moves files to their places, in this order, where they replace others. If a directory has
    /// one of the names, none is moved. Do not append afterwards.
    etl::Result<void> commit(std::span<const std::string> names);

    /// After commit(): removes files that none of `names` replaced.
    etl::Result<void> remove_outdated(std::span<const std::string> outdated,
                                      std::span<const std::string> names);

private:
    StagedFolder(std::filesystem::path folder, std::filesystem::path stage, bool is_new);

    std::filesystem::path folder_, stage_;
    bool is_new_folder_;
};

// Names of files that contain the events of one kind.

/// Finds file names without a directory, distinct even if case is ignored:
/// `Contoso-Kitchen.Brewing-Start.12.v1.csv`. A repeated name becomes `....v1.2.csv`.
class KindFileNames {
public:
    /// `ending`: of all names, such as `.csv`.
    explicit KindFileNames(std::string_view ending) : ending_(ending) {}

    std::string name_of(const etl::sink::EventKind& kind);

    /// The same for a table that is not of one kind.
    std::string name_of(const std::string& text);

private:
    std::string ending_;
    std::set<std::string> taken_;
};

} // namespace cli
