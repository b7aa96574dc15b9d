#include "fromjson/class_names.hpp"

#include "base/text.hpp"
#include "format/kernel_group.hpp"

#include <algorithm>

namespace etl::fromjson {

std::optional<std::string_view> kernel_class_in(std::string_view provider) {
    // Windows lists the same provider by these names.
    constexpr std::string_view others[] = {"Windows Kernel Trace", "NT Kernel Logger"};
    constexpr std::string_view own = etl::format::system_trace_name;
    const bool is_other = std::ranges::any_of(
        others, [&](std::string_view name) { return etl::equals_ignoring_case(provider, name); });
    if (is_other || etl::equals_ignoring_case(provider, own)) {
        return std::string_view();
    }
    const bool has_class = provider.size() > own.size() && provider[own.size()] == '/' &&
                           etl::equals_ignoring_case(provider.substr(0, own.size()), own);
    return has_class ? std::optional(provider.substr(own.size() + 1)) : std::nullopt;
}

std::optional<std::string> class_event_name(const EventLine& line) {
    if (!line.event) {
        return std::nullopt;
    }
    std::string name(*line.event);
    const std::string_view kernel_class =
        line.provider ? kernel_class_in(*line.provider).value_or("") : "";
    if (kernel_class.empty()) {
        return name;
    }
    const std::string prefix = std::string(kernel_class) + "/";
    if (!name.contains('/')) {
        return name.insert(0, prefix);
    }
    return etl::equals_ignoring_case(name.substr(0, prefix.size()), prefix) ? std::optional(name)
                                                                            : std::nullopt;
}

} // namespace etl::fromjson
