#include "verbs/tracerpt/options.hpp"

#include "base/text.hpp"
#include "inputs/image_databases.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/output_guard.hpp"

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

/// Symbol stores are not schema files.
bool is_store(const std::string& path) {
    return etl::to_lower_ascii(path).starts_with("srv*") || path.contains("://");
}

std::vector<std::string> elements_of(const std::vector<std::string>& lists) {
    std::vector<std::string> all;
    for (const std::string& list : lists) {
        const std::vector<std::string> elements = split_list(list);
        all.insert(all.end(), elements.begin(), elements.end());
    }
    return all;
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
    if (!is_confirmed(path)) {
        say(fmt::format("{}: not replaced; nothing is written", printable(path)));
        return false;
    }
    return true;
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

TraceOptions traces_of(const TracerptOptions& options) {
    TraceOptions traces;
    traces.arguments = options.files;
    traces.arguments.insert(traces.arguments.end(), options.listed.begin(), options.listed.end());
    traces.threads = options.threads;
    return traces;
}

SchemaOptions schemas_of(const TracerptOptions& options) {
    SchemaOptions schemas;
    schemas.paths = options.schema_paths;
    const auto add = [&](const std::vector<std::string>& paths) {
        schemas.paths.insert(schemas.paths.end(), paths.begin(), paths.end());
    };
    const std::vector<std::string> images = elements_of(options.images);
    std::vector<std::string> databases = elements_of(options.pdb_paths);
    add(options.manifests);
    add(options.tmf_files);
    add(elements_of(options.tmf_paths));
    add(images);
    if (!images.empty()) {
        add(databases_of(images, options.pdb_paths));
    }
    std::erase_if(databases, is_store);
    add(databases);
    return schemas;
}

bool permits(const TracerptOptions& options, const TraceOptions& traces,
             const SchemaOptions& schemas, const TracerptFiles& files) {
    OutputGuard guard("-y");
    guard.reads(traces);
    guard.reads(schemas);
    return guard.permits(files.all(), OutputGuard::Existing::replace) &&
           (options.yes || std::ranges::all_of(files.all(), is_replaceable));
}

} // namespace cli
