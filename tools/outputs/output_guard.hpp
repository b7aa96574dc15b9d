// Prevents outputs from replacing inputs, whatever their paths are. docs/files.md
#pragma once

#include <etl/log_file.hpp>

#include "catalog/catalog.hpp"
#include "io/find_files.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

struct TraceOptions;
struct SchemaOptions;
struct SourceOptions;

/// New files also get no more permissions than the inputs have: permits() applies
/// etl::io::inherit_rights to them.
///
/// Files are compared by identity (device and inode, or volume and file ID), so that other
/// spellings, symbolic links, and hard links of an input count as the input. Inputs are looked up
/// by permits(), so they may be registered before they are opened. One thread.
class OutputGuard {
public:
    /// `replace_option`: what the user gives to replace a file, for messages.
    explicit OutputGuard(std::string_view replace_option = "--force")
        : replace_option_(replace_option) {}

    /// Registers an input: a path, `-` for standard input.
    void reads(std::string path);
    void reads(const std::vector<std::string>& paths);
    /// Registers the traces that the options name, including members of directories and globs.
    void reads(const TraceOptions& traces);
    /// Registers schema files, including those of the environment. Outputs do not inherit their
    /// permissions.
    void reads(const SchemaOptions& schemas);
    void reads(etl::catalog::Options schemas);
    /// Registers a file whose content is not in the output, which does not inherit its permissions.
    void consults(std::string path);
    /// Registers the sources of a verb of `etl schema`.
    void reads(const SourceOptions& sources);

    /// Outputs do not inherit the permissions of all inputs: each is made of one input, and the
    /// verb calls etl::io::inherit_rights by itself.
    void leaves_rights() noexcept { gives_rights_ = false; }

    /// Registers another output of the same run, which must not be replaced either.
    void writes(std::string path);

    /// Of files that exist and are neither an input nor another output.
    using Existing = etl::Existing;

    /// Returns whether the verb may write to `output`; `-` is standard output. If not, prints why.
    /// If it may, files that are created from now on inherit the permissions of the inputs.
    bool permits(const std::string& output, Existing existing) const;
    /// The same for several outputs at once.
    bool permits(std::span<const std::string> outputs, Existing existing) const;

    /// Returns whether neither standard output nor standard error is redirected to an input. If
    /// standard output is, prints which; if standard error is, prints nothing there, because the
    /// message would go into the input.
    bool permits_standard_streams() const;

private:
    using List = std::function<std::vector<std::string>()>;

    std::string_view replace_option_;
    std::vector<List> sources_;   // of the content of the outputs
    std::vector<List> consulted_; // also read
    std::vector<std::string> outputs_;
    bool gives_rights_ = true;
};

/// A guard with all sources as inputs.
OutputGuard guard_of(const SourceOptions& sources);

/// The policy for --force.
constexpr OutputGuard::Existing existing_files(bool force) noexcept {
    return force ? OutputGuard::Existing::replace : OutputGuard::Existing::keep;
}

} // namespace cli
