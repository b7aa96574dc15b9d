#include "verbs/generate/captured/kinds.hpp"

namespace cli::generate {

std::span<const ConversationKind> conversation_kinds() noexcept {
    using What = CaptureKind;
    using enum Protocol;
    constexpr bool ipv4 = false, ipv6 = true;
    static constexpr std::array<ConversationKind, 34> all{{
        {What::ndis, Way::ndis, tcp, ipv4},
        {What::pktmon, Way::stack, tcp, ipv6},
        {What::wifi, Way::wifi, udp, ipv4},
        {What::mobile, Way::mobile, icmp, ipv4},
        {What::vm_switch, Way::vm_switch, tcp, ipv6},
        {What::ras, Way::remote, tcp, ipv4},
        {What::fragments, Way::fragments, udp, ipv4},
        {What::ndis, Way::ndis, tcp, ipv6},
        {What::pktmon, Way::stack, tcp, ipv4},
        {What::wifi, Way::wifi, tcp, ipv4},
        {What::mobile, Way::mobile, udp, ipv6},
        {What::vm_switch, Way::vm_switch, icmp, ipv4},
        {What::ras, Way::remote, tcp, ipv4},
        {What::fragments, Way::fragments, tcp, ipv6},
        {What::pktmon_wifi, Way::wifi_stack, tcp, ipv4},
        {What::pktmon_wifi, Way::wifi_stack, udp, ipv6},
        {What::pktmon_24h2, Way::newer_stack, tcp, ipv4},
        {What::pktmon_24h2, Way::newer_stack, icmp, ipv4},
        {What::vlan, Way::tagged, tcp, ipv4},
        {What::vlan, Way::twice_tagged, udp, ipv6},
        {What::vlan, Way::tagged_switch, tcp, ipv6},
        {What::segmentation, Way::segmented, tcp, ipv4, Content::large_without_length},
        {What::segmentation, Way::segmented_switch, tcp, ipv6, Content::large},
        {What::segmentation, Way::newer_stack, tcp, ipv6, Content::large_without_length},
        {What::segmentation, Way::fragments, tcp, ipv4, Content::large_without_length},
        {What::ras_users, Way::remote, tcp, ipv4},
        {What::ras_users, Way::other_user, tcp, ipv4},
        {What::ras_users, Way::other_domain, udp, ipv6},
        {What::layers, Way::layers, tcp, ipv4},
        {What::layers, Way::layers, icmp, ipv4},
        {What::dns, Way::ndis, udp, ipv4, Content::dns},
        {What::dns, Way::wifi_stack, udp, ipv6, Content::dns},
        {What::http, Way::ndis, tcp, ipv4, Content::http},
        {What::http, Way::newer_stack, tcp, ipv6, Content::http},
    }};
    return all;
}

} // namespace cli::generate
