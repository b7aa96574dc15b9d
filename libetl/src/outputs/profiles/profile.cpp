#include "profiles/profile.hpp"

#include "profiles/writers.hpp"

#include <algorithm>

namespace etl::profiles {

namespace {

constexpr Format all[] = {
    {"pprof", ".pb.gz", true, make_pprof},
    {"speedscope", ".speedscope.json", true, make_speedscope},
    {"firefox", ".firefox.json", false, make_firefox},
    {"chrome", ".chrome.json", false, make_chrome},
    {"perfetto", ".perfetto-trace", false, make_perfetto},
};

} // namespace

std::span<const Format> formats() noexcept {
    return all;
}

const Format* find_format(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(all, name, &Format::name);
    return found == std::end(all) ? nullptr : found;
}

} // namespace etl::profiles
