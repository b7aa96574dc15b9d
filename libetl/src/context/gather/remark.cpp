#include "gather/remark.hpp"

#include <fmt/format.h>

namespace etl::gather {

std::string describe(const Remark& remark) {
    std::string text = remark.severity == Remark::Severity::note      ? "note: "
                       : remark.severity == Remark::Severity::warning ? "warning: "
                                                                      : "";
    text += remark.file;
    for (const std::size_t number : {remark.line, remark.column}) {
        if (number != 0) {
            text += fmt::format(":{}", number);
        }
    }
    return text + (remark.file.empty() ? "" : ": ") + remark.text;
}

} // namespace etl::gather
