// etl_report, of all calls that write files. Private to capi.
#pragma once

#include <etl/etl.h>
#include <etl/rewrite.hpp>

#include <string>
#include <vector>

struct etl_report {
    etl_report_counts counts{};
    std::vector<std::string> remarks{};
    std::vector<etl::rewrite::SplitPart> parts{};
};
