// What the opaque handle of a table contains. Private to capi.
#pragma once

#include <etl/etl.h>
#include <etl/table.hpp>

#include "analysis/table.hpp"
#include "view/field_table.hpp"

struct etl_table {
    etl::Table table;

    const etl::analysis::Table& contents() const noexcept { return etl::Access::table(table); }
};
