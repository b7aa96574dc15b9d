// Resolution of user arguments to trace files: paths, directories, globs, compressed files,
// archives, standard input.
#pragma once

#include "io/find_files.hpp"
#include "io/input_file.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::trace {

class StreamInput;

struct InputOptions {
    io::Recursion recursion = io::Recursion::no;
    /// Maximum decompressed size of each stream and each compressed input, except containers, which
    /// are decompressed frame by frame. Not set: io::spool_allowance() for streams,
    /// io::unpack_allowance() for compressed inputs.
    std::optional<std::uint64_t> max_unpacked{};
    /// Called with the name of a pipe or device before it is spooled to a temporary file.
    std::function<void(std::string_view name)> spooling{};
    /// An already open stream among the arguments. It is read to its end.
    std::shared_ptr<StreamInput> opened{};
};

/// An input that could not be opened, or could be decompressed only in part.
struct InputProblem {
    enum class Extent : std::uint8_t {
        all,  // not among the files
        part, // the decompressed part is among the files
    };

    std::string name;
    Error error;
    Extent extent = Extent::all;
};

struct Inputs {
    /// Files in the order given; files in a directory are sorted by name.
    std::vector<std::shared_ptr<const io::InputFile>> files;
    std::vector<InputProblem> problems;
};

/// Opens one file without examining its content. A pipe or device is spooled to a temporary file,
/// unless its first bytes show that it is neither a trace nor compressed. Errors: not_found,
/// io_failure; for a stream also empty_file, not_a_trace, limit.
Result<std::shared_ptr<const io::InputFile>> open_input(const std::string& path,
                                                        const InputOptions& options = {});

/// Lists the files that one argument of open_inputs refers to, without opening them: a file
/// regardless of its name; in a directory, only files for which is_trace_name is true; `-`
/// unchanged. Errors: those of io::find_files.
Result<std::vector<std::string>> find_inputs(const std::string& argument, io::Recursion recursion);

/// Opens all files that the arguments refer to. Named files are opened regardless of their name; in
/// directories and archives, only likely traces. Containers whose frames contain one buffer each
/// are not decompressed: Reader reads them in place.
Inputs open_inputs(const std::vector<std::string>& arguments, const InputOptions& options = {});

/// Returns whether a name is that of a trace: `x.etl`, `x.etl.001`, `x.etlgz`, `x.etl.zst`,
/// `x.diagsession`, ...
bool is_trace_name(std::string_view file_name) noexcept;

/// Returns whether the content is likely a trace, using the fast test of
/// docs/format/buffer.md#sniff.
bool looks_like_trace(Bytes head) noexcept;

/// Returns whether a file is a trace rather than a schema file: by content or, if compressed, by
/// name. False if it cannot be opened.
bool is_trace_file(const std::string& path);

} // namespace etl::trace
