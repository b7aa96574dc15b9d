#include "format/kernel_group.hpp"

#include "format/known_guids.hpp"

#include <algorithm>
#include <array>

namespace etl::format {

namespace {

using namespace literals;

struct Group {
    Guid guid;
    std::string_view name;
};

// By group number; the class names are those of the MOF classes.
constexpr std::array<Group, 31> groups{{
    {event_trace_guid, "EventTrace"},
    {"3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c"_guid, "DiskIo"},
    {"3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c"_guid, "PageFault"},
    {process_class_guid, "Process"},
    {"90cbdc39-4a3e-11d1-84f4-0000f80464e3"_guid, "FileIo"},
    {thread_class_guid, "Thread"},
    {"9a280ac0-c8e0-11d1-84e2-00c04fb998a2"_guid, "TcpIp"},
    {"3282fc76-feed-498e-8aa7-e70f459d430e"_guid, "Job"},
    {"bf3a50c5-a9c9-4988-a005-2df0b7c80f80"_guid, "UdpIp"},
    {"ae53722e-c863-11d2-8659-00c04fa321a1"_guid, "Registry"},
    {"13976d09-a327-438c-950b-7f03192815c7"_guid, "DbgPrint"},
    {system_config_guid, "SystemConfig"},
    {"99134383-5248-43fc-834b-529454e75df3"_guid, "LBR"},
    {"42695762-ea50-497a-9068-5cbbb35e0b95"_guid, "Wnf"},
    {"0268a8b6-74fd-4302-9dd0-6e8f1795c0cf"_guid, "Pool"},
    {"ce1dbfb4-137e-4da6-87b0-3f59aa102cbc"_guid, "PerfInfo"},
    {"222962ab-6180-4b88-a825-346b75f2a24a"_guid, "Heap"},
    {"89497f50-effe-4440-8cf2-ce6b1cdcaca7"_guid, "Object"},
    {"e43445e0-0903-48c3-b878-ff0fccebdd04"_guid, "Power"},
    {"a9152f00-3f58-4bee-92a1-70c7d079d5dd"_guid, "ModBound"},
    {image_class_guid, "Image"},
    {"b2d14872-7c5b-463d-8419-ee9bf7d23e04"_guid, "Dpc"},
    {"7687a439-f752-45b8-b741-321aec0f8df9"_guid, "Cc"},
    {"3ac66736-cc59-4cff-8115-8df50e39816b"_guid, "CritSec"},
    {"def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"_guid, "StackWalk"},
    {"9aec974b-5b8e-4118-9b92-3186d8002ce5"_guid, "Ums"},
    {"45d8cccd-539f-4b72-a8b7-5c683142609a"_guid, "ALPC"},
    {"d837ca92-12b9-44a5-ad6a-3a65b3578aa8"_guid, "SplitIo"},
    {"c861d0e2-a2c1-4d36-9f9c-970bab943a12"_guid, "ThreadPool"},
    {"7f2a405c-69b5-4bf9-a1f5-30e8f1afab5e"_guid, "Hypervisor"},
    {"2ce9a149-effe-42f0-a635-a1d39e26c8f2"_guid, "HypervisorX"},
}};

// Filters ask about every classic event: the first four bytes tell that it is of none of these.
constexpr auto heads = [] {
    std::array<std::uint32_t, groups.size()> made{};
    std::ranges::transform(groups, made.begin(), head_of, &Group::guid);
    return made;
}();

constexpr std::uint16_t image_load_hook = 0x030A;
constexpr std::size_t image_group = 0x14;

} // namespace

Guid class_of_hook(std::uint16_t hook_id) noexcept {
    const std::size_t group = hook_id == image_load_hook ? image_group : hook_id >> 8U;
    return group < groups.size() ? groups[group].guid : Guid{};
}

std::optional<std::uint16_t> hook_of_class(const Guid& class_guid, std::uint8_t type) noexcept {
    const std::uint32_t head = head_of(class_guid);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        if (heads[group] == head && groups[group].guid == class_guid) {
            const bool is_load = group == image_group && type == (image_load_hook & 0xFFU);
            return is_load ? image_load_hook : static_cast<std::uint16_t>(group << 8U | type);
        }
    }
    return std::nullopt;
}

std::string_view class_name(const Guid& class_guid) noexcept {
    const auto group = std::ranges::find(groups, class_guid, &Group::guid);
    return group != groups.end() ? group->name : std::string_view{};
}

std::span<const std::string_view> class_names() noexcept {
    static constexpr auto names = [] {
        std::array<std::string_view, groups.size()> made{};
        std::ranges::transform(groups, made.begin(), &Group::name);
        return made;
    }();
    return names;
}

} // namespace etl::format
