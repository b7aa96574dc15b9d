// What is intact of a damaged, cut or unfinished trace, as a whole one; and what was lost.
// docs/repair.md
#pragma once

#include <etl/io/writable_file.hpp>
#include <etl/trace/log_file.hpp>
#include <etl/trace/reader.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::repair {

/// Something that is not there any more. Times are raw; the loss lies between the two.
struct Loss {
    enum class Kind : std::uint8_t {
        missing_buffers,     // numbers that no buffer has
        damaged_buffer,      // a part of it, or all; or bytes that are no buffer at all
        truncated_buffer,    // the file ends inside
        reported_by_session, // lost while it was recorded: flags of buffers, or the header's counts
    };

    Kind kind = Kind::damaged_buffer;
    std::optional<std::uint16_t> processor{};      // none: not known
    std::uint64_t buffers = 0;                     // that are missing
    std::uint64_t events = 0;                      // likewise, where the trace tells
    std::uint64_t bytes = 0;                       // that were skipped or are gone; unpacked ones
                                                   // where the buffer is compressed
    std::optional<std::int64_t> sequence{};        // of the buffer, where it is there
    FileOffset where{};                            // in the plain trace
    std::optional<std::int64_t> after{}, before{}; // none: from the beginning, to the end

    bool operator==(const Loss&) const = default;
};

/// "missing", "damaged", "cut", "told".
std::string_view name(Loss::Kind what) noexcept;

/// What came from the buffers of a session that was killed. docs/repair.md#live
struct LiveReport {
    std::uint64_t buffers = 0, records = 0; // that were put in
    std::uint64_t incomplete = 0;           // records that were not all there, or given up
};

struct Report {
    std::vector<Loss> losses;             // in the order of time, at most limits::repair_losses
    std::uint64_t more_losses = 0;        // beyond those
    std::uint64_t records = 0;            // that are in the output, the log file header among them
    std::uint64_t buffers = 0;            // likewise, header buffer included
    std::vector<std::string> corrections; // what of the header was set right, for people
    LiveReport live;
    std::int64_t end_time = 0; // FILETIME, as it was set
    flow::Clock clock;         // of the output: what the raw times of losses mean
    /// False: something is missing or was damaged, if only the clock, which had to be guessed.
    /// What the trace itself told of as lost does not count.
    bool is_complete = true;
};

struct Options {
    /// Null: io::disk(); then `path` must not be the file that is read, which would be emptied.
    /// io::AtomicFiles replaces it in the end.
    io::FileFactory* files = nullptr;
    /// In place of the trace's own, where it has none or a wrong one: of another file of the same
    /// session.
    std::optional<trace::Recording> recording;
    /// The file of live buffers that the session left beside its log file; null: none. Where it is
    /// none, or that of another session, `mended` says so.
    std::shared_ptr<const io::InputFile> live_buffers;
    /// How the output is packed; its buffers are as large as those of the input.
    trace::LogFileOptions file;
    unsigned threads = 1;
    /// Told now and then how much of the input is done, in 0..1. May be empty.
    std::function<void(double done)> progress;
};

/// Writes to `path` what is intact in `file`: the buffers with their numbers, processors and
/// stamps, each with the records that are whole. Compressed buffers and containers are unpacked,
/// unless options.file says otherwise. The output has no finding of Severity::warning in
/// trace::check. Of a session that was killed, what its live buffers hold and the file does not
/// follows behind them. Errors: those of Reader::open (where there is no header in live buffers
/// either), those of LogFile; limit (the output would be larger
/// than limits::unpacked_bytes); the first failure of the disk.
Result<Report> run(const std::shared_ptr<const io::InputFile>& file, const std::string& path,
                   const Options& options = {});

} // namespace etl::repair
