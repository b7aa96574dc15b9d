// The table of a window that begins with a state of the index is that of all events, whatever the
// trace and the window are. ETL_TEST_WINDOWS: windows of each trace and table (1 without it);
// ETL_TEST_WINDOW_TRACES: a folder of traces instead of corpus/.
#include "analysis/dataset_table.hpp"
#include "analysis/dataset_tracks.hpp"
#include "analysis/indexed/track_levels.hpp"
#include "analysis/stacks.hpp"
#include "analysis/states.hpp"
#include "gather/trace_index.hpp"
#include "io/find_files.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/indexes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace etl::windows_test {
namespace {

namespace fs = std::filesystem;
using analysis::TableForm;

std::string text_of(const analysis::Cell& cell) {
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        return std::to_string(*number);
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        std::string text = "[";
        std::ranges::for_each(*list, [&](std::uint64_t one) { text += std::to_string(one) + ' '; });
        return text + ']';
    }
    const auto* const text = std::get_if<std::string>(&cell);
    return text != nullptr ? '"' + *text + '"' : "null";
}

std::string line_of(const std::vector<analysis::Cell>& cells) {
    std::string line;
    std::ranges::for_each(cells, [&](const auto& cell) { line += text_of(cell) + ' '; });
    return line + '\n';
}

std::string text_of(const analysis::StackTree& tree) {
    std::string text;
    for (const analysis::StackNode& node : tree.nodes) {
        const analysis::StackFrame& frame = tree.frames[node.frame];
        text += std::to_string(node.parent) + ' ' + frame.module + '!' + frame.function + ' ' +
                std::to_string(node.weight) + ' ' + std::to_string(node.count) + '\n';
    }
    return text;
}

/// All that a table says.
std::string text_of(const analysis::Table& table) {
    std::string text;
    for (const analysis::Column& column : table.columns) {
        text += std::string(column.name) + ' ';
    }
    text += '\n';
    for (const analysis::Row& row : table.rows) {
        text += (row.in_total ? "" : "- ") + line_of(row.cells);
    }
    text += "total " + line_of(table.total);
    const analysis::Coverage& coverage = table.coverage;
    for (const std::uint64_t number :
         {coverage.duration_ns, std::uint64_t{coverage.processors}, coverage.events,
          coverage.used_events, coverage.lost_events.value_or(~0ULL),
          coverage.lost_buffers.value_or(~0ULL),
          static_cast<std::uint64_t>(coverage.begin.value_or(Filetime{}).ticks),
          static_cast<std::uint64_t>(coverage.end.value_or(Filetime{}).ticks)}) {
        text += std::to_string(number) + ' ';
    }
    text += '\n';
    for (const std::string& remark : remarks_of(coverage)) {
        text += remark + '\n';
    }
    for (const analysis::Remainder& one : coverage.remainders) {
        text += std::string(one.name) + ' ' + std::to_string(one.value) + '\n';
    }
    if (table.stacks != nullptr) {
        text += text_of(*table.stacks);
    }
    return text;
}

/// All that tracks say, a line for each piece.
std::string text_of(const std::vector<analysis::TrackBins>& all) {
    std::string text;
    for (const analysis::TrackBins& bins : all) {
        text += "bins of 2^" + std::to_string(bins.shift) + '\n';
        for (const analysis::TrackPiece& piece : bins.pieces) {
            const analysis::Track& track = bins.tracks[piece.track];
            text +=
                std::string(name(track.kind)) + ' ' + track.process + ' ' +
                std::to_string(track.pid.value_or(0)) + ' ' + std::to_string(track.id.value_or(0)) +
                ' ' + track.name + ' ' + state_name(bins, piece) + ' ' + std::to_string(piece.bin) +
                '+' + std::to_string(piece.bins) + ": " + std::to_string(piece.each.ticks) + ' ' +
                std::to_string(piece.each.count) + ' ' + std::to_string(piece.each.bytes) + '\n';
        }
    }
    return text;
}

/// A folder of its own, with a key for indexes.
class Scratch {
public:
    Scratch()
        : path_(fs::path(testing::TempDir()) /
                ("etl-windows-" + std::to_string(std::random_device{}()))),
          state_("XDG_STATE_HOME", (path_ / "state").string()) {
        fs::create_directories(path_);
    }

    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
    fs::path path_;
    test::Environment state_;
};

/// Windows of a trace, at random, as FILETIMEs.
class Windows {
public:
    Windows(const dataset::Dataset& traces, const std::string& name)
        : random_(static_cast<std::mt19937::result_type>(name.size() * 7 + 1)) {
        const trace::Reader& reader = *traces.readers().front();
        for (const trace::IndexedBuffer& one :
             gather::index_of(*traces.readers().front(), 1).index.buffers) {
            if (one.first_time <= one.last_time) {
                first_ = std::min(first_, reader.info().clock.to_filetime(one.first_time).ticks);
                last_ = std::max(last_, reader.info().clock.to_filetime(one.last_time).ticks);
            }
        }
    }

    bool has_any() const noexcept { return first_ < last_; }

    std::pair<std::string, std::string> next() {
        std::int64_t from = at_random(), to = at_random();
        if (from > to) {
            std::swap(from, to);
        }
        const bool is_open = random_() % 4 == 0; // up to the end
        const bool is_short = random_() % 2 == 0;
        to = is_short ? from + (to - from) / 50 : to;
        return {std::to_string(from), is_open ? std::string() : std::to_string(to + 1)};
    }

private:
    std::int64_t at_random() {
        return std::uniform_int_distribution<std::int64_t>(first_ - (last_ - first_) / 20,
                                                           last_ + (last_ - first_) / 20)(random_);
    }

    std::mt19937 random_;
    std::int64_t first_ = std::numeric_limits<std::int64_t>::max(),
                 last_ = std::numeric_limits<std::int64_t>::min();
};

/// Tables of one window, with or without an index. What is known about the trace is found once.
class TablesOfWindow {
public:
    TablesOfWindow(const std::string& path, const std::string& from, const std::string& to,
                   bool uses_index)
        : traces_(dataset::Dataset::open(
              {path}, {.from = from, .to = to, .threads = 1, .uses_indexes = uses_index})) {
        const auto filters = traces_.filters();
        EXPECT_TRUE(filters) << path;
        EXPECT_TRUE(traces_.context({.schemas = gather::SchemaScope::everything,
                                     .facts = facts::Scope::everything,
                                     .stacks = filters->window}))
            << path;
    }

    std::string text(const TableForm& form) const {
        auto again = traces_.again({}, {});
        const auto table =
            analysis::table_of(*again, form, {.table = {.slices = 7}, .processes = {}});
        return table ? text_of(*table) : "error: " + std::string(table.error().what);
    }

private:
    dataset::Dataset traces_;
};

std::vector<std::string> traces_of_test() {
    const char* const folder = std::getenv("ETL_TEST_WINDOW_TRACES");
    std::vector<std::string> all;
    for (const std::string& path :
         folder != nullptr ? std::vector<std::string>{folder}
                           : std::vector<std::string>{test::source_dir() + "/corpus/good",
                                                      test::source_dir() + "/corpus/damaged"}) {
        const auto files = io::find_files(
            path, io::Recursion::yes, [](std::string_view name) { return name.ends_with(".etl"); });
        if (files) {
            all.insert(all.end(), files->begin(), files->end());
        }
    }
    return all;
}

int windows_of_each() {
    const char* const number = std::getenv("ETL_TEST_WINDOWS");
    return number != nullptr ? std::atoi(number) : 1;
}

struct Compared {
    std::size_t tables = 0, after_states = 0, kept = 0;
    std::size_t tracks = 0; // pictures by levels of detail
};

/// Whether a window begins after a state of a form.
bool follows_state(const dataset::Dataset& traces, const TableForm& form, const std::string& from) {
    const auto index = gather::read_index(*traces.readers().front(), [](const gather::Remark&) {});
    const flow::Clock& clock = traces.readers().front()->info().clock;
    return index != nullptr &&
           analysis::state_before(*index, form, clock.to_raw(Filetime{std::stoll(from)}));
}

/// Tables of the whole trace, of which the index contains some.
void compare_kept(const std::string& path, Compared& compared) {
    for (const TableForm* const form : analysis::table_forms()) {
        auto traces = dataset::Dataset::open({path}, {.threads = 1, .uses_indexes = true});
        if (const auto kept = analysis::kept_table(traces, *form, {})) {
            ++compared.kept;
            auto all = dataset::Dataset::open({path}, {.threads = 1});
            auto whole = analysis::table_of(all, *form);
            auto table = analysis::table_of(traces, *form);
            ASSERT_TRUE(whole && table) << path;
            ASSERT_EQ(text_of(*table), text_of(*whole))
                << path << ": " << form->kind->name << " --by " << form->by;
        }
    }
}

/// Tracks by the levels of the index, and by the events.
void compare_tracks(const std::string& path, const std::string& from, const std::string& to,
                    Compared& compared) {
    const auto traces = dataset::Dataset::open(
        {path}, {.from = from, .to = to, .threads = 1, .uses_indexes = true});
    const auto index = gather::read_index(*traces.readers().front(), [](const gather::Remark&) {});
    if (index == nullptr || !analysis::levels_in(*index)) {
        return;
    }
    const auto unread = dataset::Dataset::open({path}, {.from = from, .to = to, .threads = 1});
    for (const std::uint64_t bins : {7U, 300U, 5000U}) {
        ++compared.tracks;
        auto with_levels = traces.again({}, {}), without = unread.again({}, {});
        const auto by_levels = analysis::tracks_of(*with_levels, {.bins = bins});
        const auto by_events =
            analysis::tracks_of(*without, {.bins = bins, .ignores_levels = true});
        ASSERT_TRUE(by_levels && by_events) << path;
        ASSERT_EQ(text_of(*by_levels), text_of(*by_events))
            << path << ": " << bins << " bins --from " << from << " --to " << to;
    }
}

/// Windows that begin in the last span of levels, whose end is that of the trace: what is open then
/// can have begun long before.
void compare_last_tracks(const std::string& path, Compared& compared) {
    const auto traces = dataset::Dataset::open({path}, {.threads = 1});
    const trace::Reader& reader = *traces.readers().front();
    const auto index = gather::read_index(reader, [](const gather::Remark&) {});
    const auto levels =
        index != nullptr ? analysis::levels_in(*index) : fail(ErrorCode::not_found, "an index");
    if (!levels) {
        return;
    }
    const std::int64_t last = reader.info().clock.to_filetime(levels->range().to).ticks;
    for (const std::int64_t before : {0, 10, 100, 10'000}) {
        compare_tracks(path, std::to_string(last - before), {}, compared);
    }
}

void compare_windows(const std::string& original, const Scratch& scratch, Compared& compared) {
    const std::string path = scratch.path(fs::path(original).filename().string());
    fs::copy_file(original, path, fs::copy_options::overwrite_existing);
    if (!test::write_index(path, 20)) {
        return;
    }
    compare_kept(path, compared);
    compare_tracks(path, {}, {}, compared);
    compare_last_tracks(path, compared);
    const auto traces = dataset::Dataset::open({path}, {.threads = 1});
    Windows windows(traces, path);
    for (int i = 0; i < windows_of_each() && windows.has_any(); ++i) {
        const auto [from, to] = windows.next();
        compare_tracks(path, from, to, compared);
        const TablesOfWindow indexed(path, from, to, true), read(path, from, to, false);
        for (const TableForm* const form : analysis::table_forms()) {
            ++compared.tables;
            compared.after_states += follows_state(traces, *form, from) ? 1U : 0U;
            ASSERT_EQ(indexed.text(*form), read.text(*form))
                << original << ": " << form->kind->name << " --by " << form->by << " --from "
                << from << " --to " << to;
        }
    }
    fs::remove(path);
}

TEST(WindowsOfTables, AreThoseOfAllEvents) {
    const Scratch scratch;
    Compared compared;
    for (const std::string& trace : traces_of_test()) {
        compare_windows(trace, scratch, compared);
    }
    // Of other traces than ours, it is not known how many can be divided.
    const bool are_ours = std::getenv("ETL_TEST_WINDOW_TRACES") == nullptr;
    EXPECT_GT(compared.tables, 100U);
    EXPECT_GT(compared.after_states, are_ours ? compared.tables / 4 : 100U);
    EXPECT_GT(compared.kept, are_ours ? 100U : 10U);
    EXPECT_GT(compared.tracks, are_ours ? 50U : 10U);
    RecordProperty("tracks", std::to_string(compared.tracks));
    RecordProperty("tables", std::to_string(compared.tables));
    RecordProperty("kept", std::to_string(compared.kept));
    RecordProperty("after_states", std::to_string(compared.after_states));
}

} // namespace
} // namespace etl::windows_test
