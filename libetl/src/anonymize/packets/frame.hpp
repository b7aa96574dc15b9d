// A captured packet as an adapter sees it. Private to anonymize. docs/anonymize.md#packets
#pragma once

#include "anonymize/packets/scrubbing.hpp"

namespace etl::anonymize {

/// What a captured packet begins with.
enum class Link : std::uint8_t {
    unknown, // Ethernet if it looks so, else nothing of it is kept
    ethernet,
    wifi, // 802.11, already decrypted; Ethernet where it looks so
    ip,
};

/// In place, of any size, cut or not: MAC and IP addresses become pseudonyms, headers stay, all
/// that may be payload or that is not known becomes zeros. Returns the kinds of what changed.
KindSet scrub_frame(MutableBytes frame, Link link, const Pseudonyms& pseudonyms);

} // namespace etl::anonymize
