#include "verbs/tracerpt/options.hpp"

#include <etl/io/find_files.hpp>

#include "cli/output_guard.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace cli {

namespace {

std::string file_of(const OptionalFile& option, std::string_view by_default) {
    return !option ? "" : option->empty() ? std::string(by_default) : option->front();
}

std::string default_dump(DumpKind kind) {
    return kind == DumpKind::csv    ? "dumpfile.csv"
           : kind == DumpKind::evtx ? "dumpfile.evtx"
                                    : "dumpfile.xml";
}

/// `C:\a;srv*C:\b*https://...`: the directories among them.
void add_paths(std::vector<std::string>& to, const std::vector<std::string>& lists) {
    for (std::string_view rest : lists) {
        while (!rest.empty()) {
            std::string_view one = rest.substr(0, rest.find(';'));
            rest.remove_prefix(std::min(rest.size(), one.size() + 1));
            if (one.starts_with("srv*") || one.starts_with("SRV*")) {
                one = one.substr(4);
                one = one.substr(0, one.find('*'));
            }
            if (!one.empty() && !one.contains("://")) {
                to.emplace_back(one);
            }
        }
    }
}

/// One line from the terminal; true if it starts with `y`.
bool is_confirmed(const std::string& path) {
    std::fprintf(stderr, "%s already exists. Replace it? [y/n] ", printable(path).c_str());
    const int answer = std::getchar();
    for (int c = answer; c != '\n' && c != EOF;) {
        c = std::getchar();
    }
    return answer == 'y' || answer == 'Y';
}

bool is_replaceable(const std::string& path) {
    if (path == "-" || !etl::io::is_regular_file(path)) {
        return true;
    }
    if (!etl::io::standard_input_is_terminal()) {
        say(fmt::format("{}: already exists; use -y to replace it", printable(path)));
        return false;
    }
    return is_confirmed(path);
}

} // namespace

std::vector<std::string> TracerptFiles::all() const {
    std::vector<std::string> list;
    for (const std::string* file : {&dump, &summary, &report, &schemas, &structure}) {
        if (!file->empty()) {
            list.push_back(*file);
        }
    }
    return list;
}

TracerptFiles files_of(const TracerptOptions& options) {
    TracerptFiles files{.dump = file_of(options.dump, default_dump(options.dump_kind)),
                        .summary = file_of(options.summary, "summary.txt"),
                        .report = file_of(options.report, options.report_format == ReportFormat::xml
                                                              ? "workload.xml"
                                                              : "workload.html"),
                        .schemas = file_of(options.schemas, "schema.man"),
                        .structure = options.structure};
    if (files.all().empty()) {
        files.dump = default_dump(options.dump_kind);
        files.summary = "summary.txt";
    }
    return files;
}

bool permits(const TracerptOptions& options, const EncodingOptions& inputs,
             const TracerptFiles& files) {
    OutputGuard guard;
    guard.reads(inputs.traces);
    guard.reads(inputs.schemas);
    return guard.permits(files.all(), OutputGuard::Existing::replace) &&
           (options.yes || std::ranges::all_of(files.all(), is_replaceable));
}

EncodingOptions encoding_options(const TracerptOptions& options) {
    EncodingOptions inputs;
    inputs.traces.arguments = options.files;
    inputs.traces.arguments.insert(inputs.traces.arguments.end(), options.listed.begin(),
                                   options.listed.end());
    inputs.traces.threads = options.threads;
    inputs.schemas.paths = options.schema_paths;
    for (const auto* paths : {&options.manifests, &options.tmf_files}) {
        inputs.schemas.paths.insert(inputs.schemas.paths.end(), paths->begin(), paths->end());
    }
    for (const auto* lists : {&options.tmf_paths, &options.images, &options.pdb_paths}) {
        add_paths(inputs.schemas.paths, *lists);
    }
    inputs.local = true;
    inputs.progress = options.progress;
    return inputs;
}

} // namespace cli
