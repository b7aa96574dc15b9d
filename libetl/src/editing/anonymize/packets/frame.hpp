// A captured packet as an adapter sees it. Private to anonymize. docs/anonymize.md#packets
#pragma once

#include "anonymize/anonymize.hpp"
#include "anonymize/packets/scrubbing.hpp"

namespace etl::anonymize {

/// In place, of any size, cut or not: MAC and IP addresses become pseudonyms, headers stay, all
/// that may be payload or that is not known becomes zeros. Returns the kinds of what changed.
KindSet scrub_frame(MutableBytes frame, Link link, const Pseudonyms& pseudonyms);

} // namespace etl::anonymize
