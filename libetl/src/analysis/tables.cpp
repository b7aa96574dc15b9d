#include <etl/analysis/tables.hpp>

#include "analysis/makers.hpp"

namespace etl::analysis {

namespace {

template <auto make, auto by>
std::unique_ptr<Analyzer> made(const TableOptions& /*options*/) {
    return make(by);
}

constexpr TableKind of_processes(std::string_view name, std::string_view by,
                                 std::unique_ptr<Analyzer> (*make)(const TableOptions&)) {
    return {.name = name, .by = by, .make = make};
}

constexpr TableKind all_tables[] = {
    of_processes("cpu", "process", made<make_cpu, CpuBy::process>),
    of_processes("cpu", "thread", made<make_cpu, CpuBy::thread>),
    of_processes("cpu", "processor", made<make_cpu, CpuBy::processor>),
};

} // namespace

std::span<const TableKind> tables() noexcept {
    return all_tables;
}

const TableKind* find_table(std::string_view name, std::string_view by) noexcept {
    for (const TableKind& table : all_tables) {
        if (table.name == name && (by.empty() || table.by == by)) {
            return &table;
        }
    }
    return nullptr;
}

} // namespace etl::analysis
