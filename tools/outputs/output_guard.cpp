#include "outputs/output_guard.hpp"

#include "cli/console.hpp"
#include "inputs/schema_sources.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "io/inherit_rights.hpp"
#include "io/output_file.hpp"
#include "trace/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace cli {

namespace {

using etl::io::FileId;
using etl::io::StandardStream;

constexpr const char* standard_stream = "-";

/// A regular file that the same run reads or writes.
struct Taken {
    FileId id;
    std::string name;
};

std::optional<FileId> input_id(const std::string& path) {
    if (path == standard_stream) {
        return etl::io::file_id(StandardStream::input);
    }
    // Devices and pipes have no contents to replace.
    return etl::io::is_regular_file(path) ? etl::io::file_id(path) : std::nullopt;
}

std::vector<Taken> taken_by(const std::vector<std::string>& paths) {
    std::vector<Taken> taken;
    for (const std::string& path : paths) {
        if (const auto id = input_id(path)) {
            taken.push_back({*id, path == standard_stream ? "standard input" : path});
        }
    }
    return taken;
}

/// If the file is one of `taken`, prints which and returns false.
bool is_free(std::string_view output, FileId id, std::span<const Taken> taken, const char* role) {
    const auto same = std::ranges::find(taken, id, &Taken::id);
    if (same != taken.end()) {
        say(fmt::format("{}: same file as the {} {}; name another output", printable(output), role,
                        printable(same->name)));
    }
    return same == taken.end();
}

/// The files of all lists.
template <typename Lists>
std::vector<std::string> files_of(const Lists& lists) {
    std::vector<std::string> files;
    for (const auto& list : lists) {
        std::ranges::move(list(), std::back_inserter(files));
    }
    return files;
}

template <typename Lists>
std::vector<Taken> taken_inputs(const Lists& sources, const Lists& consulted) {
    std::vector<Taken> taken = taken_by(files_of(sources));
    std::ranges::move(taken_by(files_of(consulted)), std::back_inserter(taken));
    return taken;
}

} // namespace

void OutputGuard::reads(std::string path) {
    sources_.emplace_back([path = std::move(path)] { return std::vector{path}; });
}

void OutputGuard::consults(std::string path) {
    consulted_.emplace_back([path = std::move(path)] { return std::vector{path}; });
}

void OutputGuard::reads(const std::vector<std::string>& paths) {
    sources_.emplace_back([paths] { return paths; });
}

void OutputGuard::reads(const TraceOptions& traces) {
    const auto descend = traces.recursive ? etl::io::Recursion::yes : etl::io::Recursion::no;
    sources_.emplace_back([arguments = traces.arguments, descend] {
        std::vector<std::string> files;
        for (const std::string& argument : arguments) {
            // An argument that cannot be listed cannot be opened, which is reported then.
            if (auto found = etl::trace::find_inputs(argument, descend)) {
                std::ranges::move(*found, std::back_inserter(files));
            }
        }
        return files;
    });
}

void OutputGuard::reads(const SchemaOptions& schemas) {
    reads(etl::catalog::Options{.paths = schemas.paths});
}

void OutputGuard::reads(etl::catalog::Options schemas) {
    consulted_.emplace_back(
        [schemas = std::move(schemas)] { return etl::catalog::schema_files(schemas); });
}

void OutputGuard::reads(const SourceOptions& sources) {
    sources_.emplace_back(
        [schemas = sources.schema_files()] { return etl::catalog::schema_files(schemas); });
    reads(TraceOptions(sources.traces));
}

OutputGuard guard_of(const SourceOptions& sources) {
    OutputGuard guard;
    guard.reads(sources);
    return guard;
}

void OutputGuard::writes(std::string path) {
    if (path != standard_stream) {
        outputs_.push_back(std::move(path));
    }
}

bool OutputGuard::permits_standard_streams() const {
    const auto output = etl::io::file_id(StandardStream::output);
    const auto error = etl::io::file_id(StandardStream::error);
    if (!output && !error) {
        return true;
    }
    const std::vector<Taken> inputs = taken_inputs(sources_, consulted_);
    if (error && std::ranges::find(inputs, *error, &Taken::id) != inputs.end()) {
        if (!output || std::ranges::find(inputs, *output, &Taken::id) == inputs.end()) {
            // Print to standard output: a message to standard error would go into the input.
            static_cast<void>(etl::io::StandardOutput().write(
                "etl: standard error: same file as an input; redirect it elsewhere\n"));
        }
        return false;
    }
    return !output || is_free("standard output", *output, inputs, "input");
}

bool OutputGuard::permits(const std::string& output, Existing existing) const {
    return permits(std::span(&output, 1), existing);
}

bool OutputGuard::permits(std::span<const std::string> outputs, Existing existing) const {
    if (!permits_standard_streams()) {
        return false;
    }
    std::optional<std::vector<Taken>> inputs; // listing them can take long: only if needed
    for (const std::string& output : outputs) {
        if (output == standard_stream) {
            continue;
        }
        // Two outputs that do not exist yet have no ID.
        const std::string path = etl::io::real_path(output);
        const auto other = std::ranges::find(outputs_, path, etl::io::real_path);
        if (other != outputs_.end()) {
            say(fmt::format("{}: same file as the output {}; name another output",
                            printable(output), printable(*other)));
            return false;
        }
        const auto id = etl::io::is_regular_file(output) ? etl::io::file_id(output) : std::nullopt;
        if (!id) {
            continue;
        }
        if (!inputs) {
            inputs = taken_inputs(sources_, consulted_);
        }
        if (!is_free(output, *id, *inputs, "input") ||
            !is_free(output, *id, taken_by(outputs_), "output")) {
            return false;
        }
        if (existing == Existing::keep) {
            say(fmt::format("{}: already exists; use {} to replace it", printable(output),
                            replace_option_));
            return false;
        }
    }
    // Of a series of files, none need exist yet.
    if (gives_rights_ && (outputs.empty() || std::ranges::any_of(outputs, [](const auto& one) {
                              return one != standard_stream;
                          }))) {
        etl::io::inherit_rights(files_of(sources_));
    }
    return true;
}

} // namespace cli
