// From what a user typed to the trace files meant: paths, folders, globs, packed files, archives,
// standard input.
#pragma once

#include <etl/io/find_files.hpp>
#include <etl/io/input_file.hpp>

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
    /// Bytes for each packed input, but for containers, which the reader unpacks frame by frame,
    /// and for each stream. Not set: io::spool_allowance().
    std::optional<std::uint64_t> max_unpacked{};
    /// Called with the name of a pipe or device before it is read to its end into a temporary file.
    std::function<void(std::string_view name)> spooling{};
    /// A stream among the arguments that is open already. It is read to its end.
    std::shared_ptr<StreamInput> opened{};
};

/// Something that could not be opened at all, or of which only a part could be unpacked.
struct InputProblem {
    enum class Extent : std::uint8_t {
        all,  // nothing of it is among the files
        part, // what could be unpacked is
    };

    std::string name;
    Error error;
    Extent extent = Extent::all;
};

struct Inputs {
    /// In the order given; folders sorted by name.
    std::vector<std::shared_ptr<const io::InputFile>> files;
    std::vector<InputProblem> problems;
};

/// Opens one file without looking into it. A pipe or device is read to its end into a temporary
/// file, unless its first bytes show that it is neither a trace nor packed. Errors: not_found,
/// io_failure; of a stream also empty_file, not_a_trace, limit.
Result<std::shared_ptr<const io::InputFile>> open_input(const std::string& path,
                                                        const InputOptions& options = {});

/// Lists the files that one argument of open_inputs names, without opening them: a file itself,
/// whatever its name; of a directory only those for which is_trace_name holds; `-` as it is.
/// Errors: those of io::find_files.
Result<std::vector<std::string>> find_inputs(const std::string& argument, io::Recursion recursion);

/// Opens everything that the arguments mean. Files that the user named are opened whatever their
/// name; of folders and archives only what looks like a trace. Containers whose frames hold one
/// buffer each stay packed: Reader reads them in place.
Inputs open_inputs(const std::vector<std::string>& arguments, const InputOptions& options = {});

/// By name: `x.etl`, `x.etl.001`, `x.etlgz`, `x.etl.zst`, `x.diagsession`, ...
bool is_trace_name(std::string_view file_name) noexcept;

/// By content: the cheap test of docs/format/buffer.md#sniff.
bool looks_like_trace(Bytes head) noexcept;

/// Whether a file is a trace rather than a description of events: by content, or packed and by
/// name. False if it cannot be opened.
bool is_trace_file(const std::string& path);

} // namespace etl::trace
