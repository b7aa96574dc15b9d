// bench_explore FILE: how long questions about moments of an opened trace take, each of windows and
// rows all over the trace: lines of the name, the median, and the longest, in seconds. The first
// line is the first question, which finds what all need.
#include "best_seconds.hpp"

#include <etl/explorer.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 21;

using etl::explore::Selection;

/// A window of 0.1 s.
Selection window(double begin) {
    return {.from = "+" + std::to_string(begin) + "s",
            .to = "+" + std::to_string(begin + 0.1) + "s"};
}

/// Asks about moments that are spread over the trace: `ask(from 0 to 1)`.
template <typename Ask>
void measure(const char* name, Ask&& ask) {
    std::vector<double> seconds;
    for (int i = 0; i < rounds; ++i) {
        const double part = static_cast<double>(i * 8 % rounds) / rounds + 0.02;
        seconds.push_back(etl::bench::seconds([&] {
            if (!ask(part)) {
                std::fprintf(stderr, "%s: no answer\n", name);
                std::exit(1);
            }
        }));
    }
    std::ranges::sort(seconds);
    std::printf("%s %.6f %.6f\n", name, seconds[rounds / 2], seconds.back());
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: bench_explore FILE\n");
        return 64;
    }
    std::expected<etl::Explorer, etl::TraceError> opened = std::unexpected(etl::TraceError{});
    const double open = etl::bench::seconds([&] { opened = etl::Explorer::open({arguments[1]}); });
    if (!opened) {
        std::fprintf(stderr, "%s\n", etl::describe(opened.error()).c_str());
        return 1;
    }
    const etl::Explorer& explorer = *opened;
    std::printf("open %.6f %.6f\n", open, open);
    std::uint64_t rows = 0;
    const double first = etl::bench::seconds([&] { rows = explorer.events({})->rows.value_or(1); });
    std::printf("first %.6f %.6f\n", first, first);
    const auto last = explorer.events({{}, {.first = rows - 1, .count = 1}});
    const auto begin = explorer.events({{}, {.first = 0, .count = 1}});
    const double length = last && last->table.row_count() == 1
                              ? static_cast<double>(*last->table.cell(0, 1).number -
                                                    *begin->table.cell(0, 1).number) /
                                    1e7
                              : 1.0;
    const auto moment = [&](double part) { return window(part * length * 0.97); };
    for (const char* const name : {"cpu", "waits", "disk", "slowest", "stats"}) {
        measure(name, [&](double part) {
            return explorer.table({.name = name, .selection = moment(part)}).has_value();
        });
    }
    measure("flame",
            [&](double part) { return explorer.flame({.selection = moment(part)}).has_value(); });
    measure("flame.wait", [&](double part) {
        return explorer.flame({.kind = "wait", .selection = moment(part)}).has_value();
    });
    measure("flame.patterns", [&](double part) {
        return explorer
            .flame({.selection = moment(part),
                    .grouping = "os-clr",
                    .exclude = "^Process% Idle",
                    .fold_percent = 1,
                    .is_inverted = true})
            .has_value();
    });
    // Of the thread that waited longest, at a time, and the paths of windows.
    const auto waits = explorer.table({.name = "waits", .by = "thread", .rows = {.count = 1}});
    const auto tid = static_cast<std::uint32_t>(*waits->table.cell(0, 2).number);
    measure("follow", [&](double part) {
        return explorer.follow({.tid = tid, .at = moment(part).from}).has_value();
    });
    measure("follow.path", [&](double part) {
        const Selection selection = moment(part);
        return explorer.follow({.tid = tid, .from = selection.from, .to = selection.to})
            .has_value();
    });
    measure("follow.all", [&](double part) {
        return part > 0.1 || explorer.follow({.tid = tid, .from = "+0s"}).has_value();
    });
    // Pictures with a thousand columns: of threads and processors, and of all tracks.
    for (const int share : {1, 3, 10, 100, 1000}) {
        const std::string name = "lod." + std::to_string(share);
        measure(name.c_str(), [&](double part) {
            const double from = part * length * (1.0 - 1.0 / share);
            return explorer
                .lod({.selection = {.from = "+" + std::to_string(from) + "s",
                                    .to = "+" + std::to_string(from + length / share) + "s"},
                      .kinds = {"processor", "thread"}})
                .has_value();
        });
    }
    measure("lod.all", [&](double) { return explorer.lod({}).has_value(); });
    const auto row = [&](double part) {
        return static_cast<std::uint64_t>(part * 0.97 * static_cast<double>(rows));
    };
    measure("events.row", [&](double part) {
        return explorer.events({{}, {.first = row(part), .count = 100}}).has_value();
    });
    measure("events.window", [&](double part) {
        return explorer.events({moment(part), {.first = 0, .count = 100}}).has_value();
    });
    measure("events.filter", [&](double part) {
        Selection selection = moment(part);
        selection.to.clear();
        selection.where = "event == DiskIo/Read";
        return explorer.events({selection, {.first = 0, .count = 100}}).has_value();
    });
    measure("search", [&](double part) {
        return explorer.search({.text = "diskio", .from_row = row(part), .count = 20}).has_value();
    });
    measure("event", [&](double part) {
        const auto page = explorer.events({{}, {.first = row(part), .count = 1}});
        const auto number = [&](std::size_t column) { return *page->table.cell(0, column).number; };
        return page && explorer
                           .event({.input = static_cast<std::uint32_t>(number(10)),
                                   .buffer = number(11),
                                   .offset = static_cast<std::uint32_t>(number(12))})
                           .has_value();
    });
    return 0;
}
