// What the opaque handles of tables and reports contain. Private to capi.
#pragma once

#include <etl/etl.h>
#include <etl/rewrite.hpp>
#include <etl/table.hpp>

#include "analysis/table.hpp"
#include "view/field_table.hpp"

#include <string>
#include <vector>

struct etl_table {
    etl::Table table;

    const etl::analysis::Table& contents() const noexcept { return etl::Access::table(table); }
};

struct etl_report {
    etl_report_counts counts{};
    std::vector<std::string> remarks{};
    std::vector<etl::rewrite::SplitPart> parts{};
};
