// The files that arguments name, without opening them: for verbs that handle each by itself, so
// that few are open at a time.
#pragma once

#include "inputs/traces.hpp"
#include "trace/inputs.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// Lists directories and globs. An argument without files is kept: opening it reports why.
inline std::vector<std::string> list_inputs(const TraceOptions& options) {
    const auto descend = options.recursive ? etl::io::Recursion::yes : etl::io::Recursion::no;
    std::vector<std::string> files;
    for (const std::string& argument : options.arguments) {
        auto found = etl::trace::find_inputs(argument, descend);
        if (found && !found->empty()) {
            std::ranges::move(*found, std::back_inserter(files));
        } else {
            files.push_back(argument);
        }
    }
    return files;
}

/// The options with other arguments, of which `jobs` are read at the same time.
inline TraceOptions with_inputs(TraceOptions options, std::vector<std::string> files,
                                unsigned jobs) {
    options.arguments = std::move(files);
    options.threads = std::max(1U, options.worker_threads() / jobs);
    return options;
}

} // namespace cli
