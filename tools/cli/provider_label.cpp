#include "cli/provider_label.hpp"

#include "decode/known_names.hpp"
#include "format/kernel_group.hpp"

#include <fmt/format.h>

namespace cli {

std::string label_of(const etl::Guid& provider, std::string_view name) {
    const auto grouped = etl::format::class_name(provider);
    const auto kernel = grouped.empty() ? etl::decode::ungrouped_class_name(provider) : grouped;
    return kernel.empty() ? std::string(name)
                          : fmt::format("{}/{}", etl::format::system_trace_name, kernel);
}

std::string label_of(const etl::Guid& provider, const etl::schema::SchemaStore* store) {
    const auto* names = store != nullptr ? store->provider(provider) : nullptr;
    return label_of(provider, names != nullptr ? std::string_view(names->name)
                                               : etl::decode::known_provider_name(provider));
}

} // namespace cli
