// What records of classes are called. Private to decode.
#pragma once

#include "decode/decoder.hpp"

namespace etl::decode {

/// One of the classes that the kernel, or a merge, writes.
bool is_kernel_class(const Guid& guid);

/// Records of the kernel and of its helpers, whatever header they have, go by the name of one
/// provider.
void name_class(const flow::EventHeader& header, EventKind& kind);

/// The same for a class that is described: what its definition says comes first, but all that the
/// kernel logs goes by one provider. Classic records have neither channel nor keywords, and most
/// leave their level 0.
void name_described_class(const flow::EventHeader& header, EventKind& kind);

} // namespace etl::decode
