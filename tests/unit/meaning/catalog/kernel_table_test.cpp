// The table of docs/format/kernel-classes.md: every hook ID, as the classes and the names have it.
#include "format/kernel_group.hpp"
#include "tests/unit/meaning/catalog/kernel_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace etl::catalog::kernel_table_test {
namespace {

/// A row without its blanks and backquotes.
struct HookRow {
    std::string type, event, versions, source, certainty, symbol;
};

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells = split(line, '|');
    for (std::string& cell : cells) {
        std::erase(cell, '`');
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
    }
    return cells;
}

/// By hook ID.
std::map<std::uint16_t, HookRow> documented_hooks() {
    std::map<std::uint16_t, HookRow> rows;
    std::ifstream page(std::string(ETL_SOURCE_DIR) + "/docs/format/kernel-classes.md");
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| `0x")) {
            continue;
        }
        const auto cells = cells_of(line);
        EXPECT_EQ(cells.size(), 9U) << line;
        const auto hook = static_cast<std::uint16_t>(std::stoul(cells.at(1), nullptr, 16));
        const HookRow row{cells.at(2), cells.at(3), cells.at(4),
                          cells.at(5), cells.at(6), cells.at(7)};
        EXPECT_TRUE(rows.emplace(hook, row).second) << line;
    }
    return rows;
}

/// `0 to 2, 4, any`, as the page writes them.
std::string text_of(const std::set<unsigned>& versions, bool any) {
    std::string text;
    const auto add = [&text](const std::string& part) {
        text += (text.empty() ? "" : ", ") + part;
    };
    for (auto first = versions.begin(); first != versions.end();) {
        auto last = first;
        for (auto next = std::next(first); next != versions.end() && *next == *last + 1; ++next) {
            last = next;
        }
        const bool is_span = *last > *first + 1;
        add(std::to_string(*first));
        if (is_span) {
            text += " to " + std::to_string(*last);
        } else if (last != first) {
            add(std::to_string(*last));
        }
        first = std::next(last);
    }
    if (any) {
        add("any");
    }
    return text;
}

/// The versions that classes describe, by hook ID.
std::map<std::uint16_t, std::string> versions_of_classes() {
    const KernelClasses classes = load_kernel_classes();
    std::map<std::uint16_t, std::set<unsigned>> versions;
    std::set<std::uint16_t> any;
    for (const auto& event : classes.store.schemas()) {
        const auto hook =
            format::hook_of_class(event->provider->guid, static_cast<std::uint8_t>(event->id));
        if (hook && event->any_version) {
            any.insert(*hook);
            versions[*hook];
        } else if (hook) {
            versions[*hook].insert(event->version);
        }
    }
    std::map<std::uint16_t, std::string> texts;
    for (const auto& [hook, numbers] : versions) {
        texts[hook] = text_of(numbers, any.contains(hook));
    }
    // The type 10 of the group of processes and of the group of images are the same event.
    texts[0x140A] = texts.at(0x030A);
    return texts;
}

TEST(KernelTable, HasTheVersionsOfTheClasses) {
    const auto rows = documented_hooks();
    auto versions = versions_of_classes();
    EXPECT_GE(rows.size(), 595U);
    std::size_t decodable = 0;
    for (const auto& [hook, row] : rows) {
        const auto known = versions.extract(hook);
        EXPECT_EQ(row.versions, known ? known.mapped() : "layout not public") << hook;
        EXPECT_EQ(row.type, std::to_string(hook & 0xFFU));
        EXPECT_EQ(row.certainty.empty(), known.empty()) << hook;
        EXPECT_EQ(row.source.empty(), known.empty()) << hook;
        decodable += known.empty() ? 0U : 1U;
    }
    EXPECT_TRUE(versions.empty()) << versions.begin()->first << " is not in the table";
    EXPECT_GE(decodable, 460U);
}

TEST(KernelTable, HasTheNamesOfTheHooks) {
    const auto rows = documented_hooks();
    std::size_t compared = 0;
    for (const auto& hook : read_csv(std::string(ETL_SOURCE_DIR) + "/schemas/kernel-hooks.csv")) {
        const auto row = rows.find(static_cast<std::uint16_t>(std::stoul(hook.at(0), nullptr, 16)));
        ASSERT_NE(row, rows.end()) << hook.at(0);
        EXPECT_EQ(row->second.symbol, hook.at(1)) << hook.at(0);
        EXPECT_EQ(row->second.event, hook.at(2)) << hook.at(0);
        ++compared;
    }
    EXPECT_GE(compared, 595U);
}

TEST(KernelTable, StatesTheCertaintyOfEachSource) {
    std::set<std::string> sources;
    for (const auto& [hook, row] : documented_hooks()) {
        const bool is_guess = row.source == "header";
        EXPECT_EQ(row.certainty == "inferred", is_guess) << hook;
        EXPECT_EQ(row.certainty == "observed", row.source == "traces") << hook;
        sources.insert(row.source);
    }
    EXPECT_EQ(sources, (std::set<std::string>{"", "classes", "classes, header", "header", "parsers",
                                              "traces"}));
}

} // namespace
} // namespace etl::catalog::kernel_table_test
