#include "schema/image.hpp"

#include "schema/image/resource_bytes.hpp"

#include <algorithm>
#include <utility>

namespace etl::schema {

bool ResourceName::operator==(std::u16string_view name) const noexcept {
    if (text.size() != name.size() * 2) {
        return false;
    }
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (load_at<std::uint16_t>(text, i * 2) != name[i]) {
            return false;
        }
    }
    return true;
}

bool PeImage::is_likely(Bytes file) noexcept {
    return symbols::is_image(file);
}

Result<PeImage> PeImage::parse(Bytes file) {
    auto opened = symbols::PeFile::open(file);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    return PeImage(std::move(*opened));
}

std::optional<Error> find_truncation(Bytes file) {
    const auto if_truncated = [](const Error& error) {
        return error.code == ErrorCode::truncated ? std::optional(error) : std::nullopt;
    };
    const auto image = PeImage::parse(file);
    if (!image) {
        return if_truncated(image.error());
    }
    std::optional<Error> first;
    const auto note = [&](const Error& error) {
        first = !first || error.where.value < first->where.value ? error : *first;
    };
    for (const ResourceType& type : {wevt_template_type, message_table_type}) {
        const auto resources = image->resources(type);
        if (!resources) {
            if (const auto error = if_truncated(resources.error())) {
                note(*error);
            }
            continue;
        }
        for (const Resource& resource : *resources) {
            if (resource.bytes.size() < resource.size &&
                resource.where.value + resource.size > file.size()) {
                note({ErrorCode::truncated,
                      type.number == 0 ? "WEVT_TEMPLATE resource" : "message table", resource.where,
                      resource.size, resource.bytes.size()});
            }
        }
    }
    return first;
}

void sort_by_language(std::vector<Resource>& resources, const CultureChain& cultures) {
    std::vector<std::pair<std::size_t, std::size_t>> order; // rank, place
    order.reserve(resources.size());
    for (std::size_t i = 0; i < resources.size(); ++i) {
        order.emplace_back(cultures.rank(resources[i].language), i);
    }
    std::ranges::sort(order);
    std::vector<Resource> sorted;
    sorted.reserve(resources.size());
    for (const auto& [rank, place] : order) {
        sorted.push_back(resources[place]);
    }
    resources = std::move(sorted);
}

} // namespace etl::schema
