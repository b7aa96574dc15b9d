#include "session/crashed_files.hpp"

#include "format/live_buffers.hpp"
#include "host/memory.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "io/writable_file.hpp"
#include "session/logging/log_path.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

namespace etl::session {

namespace {

#ifdef _WIN32
constexpr std::string_view separators = "/\\";
#else
constexpr std::string_view separators = "/";
#endif

/// With its last separator.
std::string_view directory_of(std::string_view path) {
    return path.substr(0, path.find_last_of(separators) + 1);
}

/// The file that the session wrote last, by its name only: the directory may have been moved.
std::string last_file(const std::string& buffers) {
    const auto mapped = io::InputFile::map(buffers);
    if (!mapped) {
        return {};
    }
    const auto live = format::parse_live_buffers((*mapped)->bytes());
    return live ? std::string(live->log_file.substr(directory_of(live->log_file).size()))
                : std::string();
}

/// What a session that writes `file` would replace; first the one that the buffers belong to.
std::vector<std::string> files_of(const std::string& file, const std::string& buffers) {
    std::vector<std::string> files;
    const std::string directory(directory_of(file));
    for (const std::string& name : io::names_in(directory)) {
        std::string path = directory + name;
        if (path == file || is_one_of_series(path, file)) {
            files.push_back(std::move(path));
        }
    }
    const std::string last = directory + last_file(buffers);
    std::ranges::sort(files, std::greater(), [&](const std::string& one) {
        // Of a series, the one with the highest number, unless the buffers tell.
        return std::tuple(one == last, one.size(), one);
    });
    return files;
}

/// Errors: bad_pathname (in use), access_denied.
Outcome<void> check_unused(const std::vector<std::string>& files, const std::string& buffers) {
    if (host::Memory::is_file_in_use(buffers)) {
        return refuse(Status::bad_pathname, "another session is writing this file");
    }
    for (const std::string& file : files) {
        const auto opened = io::disk().open(file, io::FileFactory::Open::existing);
        if (!opened && io::is_in_use(opened.error())) {
            return std::unexpected(failure_of(opened.error()));
        }
    }
    return {};
}

constexpr std::string_view moved_suffix = ".crashed-", repaired_suffix = ".repaired-";

std::string aside(const std::string& file, unsigned number) {
    return file + std::string(moved_suffix) + std::to_string(number);
}

/// FILE.repaired-N for FILE.crashed-N.
std::string repaired_name(const std::string& moved) {
    std::string name = moved;
    const auto at = name.rfind(moved_suffix);
    return name.replace(at, moved_suffix.size(), repaired_suffix);
}

/// The first number with which no name is taken; 0: none.
unsigned free_number(const std::vector<std::string>& files) {
    constexpr unsigned max = 100'000;
    for (unsigned number = 1; number <= max; ++number) {
        const bool is_taken = std::ranges::any_of(files, [&](const std::string& file) {
            const std::string to = aside(file, number);
            return io::exists(to) || io::exists(buffers_path(to)) || io::exists(repaired_name(to));
        });
        if (!is_taken) {
            return number;
        }
    }
    return 0;
}

} // namespace

Outcome<std::vector<MovedFile>> move_crashed_files(const std::string& given) {
    const std::string file = full_path(given, nullptr);
    const std::string buffers = buffers_path(file);
    std::vector<MovedFile> moved;
    if (file.empty() || !io::exists(buffers)) {
        return moved;
    }
    std::vector<std::string> files = files_of(file, buffers);
    if (auto unused = check_unused(files, buffers); !unused) {
        return std::unexpected(unused.error());
    }
    if (files.empty()) { // somebody has moved the trace: its buffers keep its name
        files.push_back(file);
    }
    const unsigned number = free_number(files);
    if (number == 0) {
        return refuse(Status::already_exists, "too many files of killed sessions (.crashed-N)");
    }
    for (const std::string& one : files) {
        if (io::exists(one)) {
            moved.push_back({one, aside(one, number)});
        }
    }
    moved.push_back({buffers, buffers_path(aside(files.front(), number))});
    for (const MovedFile& one : moved) {
        if (const auto renamed = io::rename_file(one.from, one.to); !renamed) {
            Failure failure = failure_of(renamed.error());
            failure.file = one.from;
            return std::unexpected(failure);
        }
    }
    return moved;
}

namespace {

/// The trace of which the log file and its buffers are parts. A log file that is gone is empty.
Result<repair::Report> repair_pair(const std::string& log, const std::string& buffers,
                                   const std::string& to) {
    auto live = io::InputFile::map(buffers);
    if (!live) {
        return std::unexpected(live.error());
    }
    std::shared_ptr<const io::InputFile> file = io::InputFile::from_memory({}, log);
    if (io::exists(log)) {
        auto mapped = io::InputFile::map(log);
        if (!mapped && mapped.error().code != ErrorCode::empty_file) {
            return std::unexpected(mapped.error());
        }
        file = mapped ? std::move(*mapped) : file;
    }
    io::AtomicFiles files;
    repair::Options options;
    options.files = &files;
    options.live_buffers = *live;
    auto report = repair::run(file, to, options);
    if (report) {
        if (const auto committed = files.commit(); !committed) {
            return std::unexpected(committed.error());
        }
    }
    return report;
}

/// The log file, if there is one, and its buffers.
void remove_pair(std::vector<MovedFile>& moved, const std::string& log) {
    std::erase_if(moved, [&](const MovedFile& one) {
        const bool is_of_pair = one.to == log || one.to == buffers_path(log);
        return is_of_pair && io::disk().remove(one.to).has_value();
    });
}

} // namespace

Outcome<CrashedFiles> clear_crashed_files(const std::string& file, AfterCrash how) {
    CrashedFiles cleared;
    if (how == AfterCrash::refuse) {
        return cleared;
    }
    auto moved = move_crashed_files(file);
    if (!moved) {
        return std::unexpected(moved.error());
    }
    cleared.moved = std::move(*moved);
    if (how == AfterCrash::move_aside || cleared.moved.empty()) {
        return cleared;
    }
    const std::string buffers = cleared.moved.back().to;
    const std::string log = buffers.substr(0, buffers.size() - buffers_path("").size());
    const std::string to = repaired_name(log);
    auto report = repair_pair(log, buffers, to);
    if (!report) {
        cleared.failure = report.error();
        return cleared;
    }
    cleared.repaired = to;
    cleared.report = std::move(*report);
    if (cleared.report.is_complete && cleared.report.live.is_identified) {
        remove_pair(cleared.moved, log);
    }
    return cleared;
}

} // namespace etl::session
