// A damaged trace repaired into a file. docs/repair.md
#pragma once

#include "dataset/inputs.hpp"
#include "merge/correlate.hpp"
#include "repair/repair.hpp"
#include "rewrite/output.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::rewrite {

/// The file with the buffers of a killed session: `named`, else `INPUT.buffers`, which need not
/// exist.
std::string live_buffers_path(const std::string& input, const std::string& named);

/// Opens it. Null: it does not exist, and is not named. Errors: those of io::InputFile::map.
std::expected<std::shared_ptr<const io::InputFile>, TraceError>
find_live_buffers(const std::string& input, const std::string& named);

/// Returns how the header of another trace contradicts that of `file`: of another boot or clock, it
/// would make all times wrong. Empty: it can be used, or the file has none.
std::vector<merge::Mismatch> mismatches_of(const std::shared_ptr<const io::InputFile>& file,
                                           const flow::TraceInfo& header);

struct Repairing {
    OutputOptions output{};                              // appears on completion
    std::optional<trace::Recording> header{};            // instead of that of the trace
    std::shared_ptr<const io::InputFile> live_buffers{}; // of the session; null: none
    unsigned threads = 1;
    std::function<void(double done)> progress{}; // may be empty
};

/// Errors: those of repair::run, about the input or the output.
std::expected<repair::Report, TraceError> repair(const dataset::Input& input, const Repairing& how);

} // namespace etl::rewrite
