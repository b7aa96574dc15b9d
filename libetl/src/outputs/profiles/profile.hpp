// Files of profilers, written from what happened on a machine. Not thread-safe.
// docs/profilers.md
//
//     auto writer = profiles::find_format("pprof")->make(output, {.exporter = "app 1.0"});
//     auto activity = analysis::make_activity(*writer);
//     auto table = analysis::run(reader, reader.info(), *activity, options);
//     if (writer->error() != nullptr) ...
#pragma once

#include "analysis/activity.hpp"
#include "base/output.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::profiles {

struct ProfileOptions {
    std::string exporter; // program and version, UTF-8
    std::string title;    // of the profile, UTF-8: the name of the trace
};

/// What a file does not contain because of limits (profiles/limits.hpp).
struct Omission {
    std::string_view what; // plural: "samples"
    std::uint64_t count = 0;
};

/// Writes one profile. Nothing is written if nothing happened that the format can contain.
class ProfileWriter : public analysis::ActivitySink {
public:
    /// The first error of the output, after which nothing more is written; null: none.
    virtual const Error* error() const noexcept = 0;

    /// Known when the pass is over.
    virtual std::vector<Omission> omissions() const = 0;
};

/// A format of a profiler.
struct Format {
    std::string_view name;      // `pprof`
    std::string_view extension; // of files, lowercase: `.pb.gz`
    bool is_samples_only = false;
    /// The output must outlive the writer.
    std::unique_ptr<ProfileWriter> (*make)(Output& output, ProfileOptions options) = nullptr;
};

std::span<const Format> formats() noexcept;

/// Null if there is none of that name.
const Format* find_format(std::string_view name) noexcept;

} // namespace etl::profiles
