// What is intact of a damaged, cut or unfinished trace, as a whole one; and what was lost.
// docs/repair.md
#pragma once

#include <etl/io/writable_file.hpp>
#include <etl/trace/reader.hpp>
#include <etl/trace/recording.hpp>

#include <optional>
#include <string>
#include <vector>

namespace etl::repair {

/// Something that is not there any more. Times are raw; the loss lies between the two.
struct Loss {
    enum class What : std::uint8_t {
        missing_buffers, // numbers that no buffer has
        damaged_buffer,  // its end, or all of it
        cut_buffer,      // the file ends inside
        told_by_trace, // lost while it was recorded: BufferFlag EVENTS_LOST, or the header's counts
    };

    What what = What::damaged_buffer;
    std::optional<std::uint16_t> processor;    // none: not known
    std::uint64_t buffers = 0;                 // that are missing
    std::uint64_t bytes = 0;                   // that were skipped
    FileOffset where{};                        // in the plain trace
    std::optional<std::int64_t> after, before; // none: from the beginning, to the end
};

struct Report {
    std::vector<Loss> losses;        // in the order of time, at most limits::repair_losses
    std::uint64_t more_losses = 0;   // beyond those
    std::uint64_t records = 0;       // that are in the output
    std::uint64_t buffers = 0;       // likewise, header buffer included
    std::vector<std::string> mended; // what of the header was set right, for people
    std::int64_t end_time = 0;       // FILETIME, as it was set
};

struct Options {
    io::FileMaker* files = nullptr; // null: io::disk()
    /// In place of the trace's own, where it has none or a wrong one: of another file of the same
    /// session.
    std::optional<trace::Recording> recording;
    unsigned threads = 1;
};

/// Writes to `path` what is intact in `file`: the buffers with their numbers, processors and
/// stamps, each with the records that are whole. Compressed buffers and containers are unpacked.
/// Errors: those of Reader::open, those of LogFile.
Result<Report> run(const std::shared_ptr<const io::InputFile>& file, const std::string& path,
                   const Options& options = {});

} // namespace etl::repair
