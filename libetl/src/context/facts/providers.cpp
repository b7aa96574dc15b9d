#include "facts/owner_fields.hpp"
#include "facts/relevance.hpp"
#include "facts/subject.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <iterator>

namespace etl::facts {

std::vector<Guid> providers_of_facts() {
    std::vector<Guid> all{format::image_id_guid, format::system_config_ex_guid};
    for (std::size_t group = 0; group < format::class_names().size(); ++group) {
        all.push_back(format::class_of_hook(static_cast<std::uint16_t>(group << 8U)));
    }
    std::ranges::copy(subject_providers(), std::back_inserter(all));
    std::ranges::copy(owner_providers(), std::back_inserter(all));
    return all;
}

} // namespace etl::facts
