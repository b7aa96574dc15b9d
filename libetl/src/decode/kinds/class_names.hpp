// What records of classes are called where no class definition is at hand. Private to decode.
#pragma once

#include <etl/decode/decoder.hpp>

namespace etl::decode {

/// One of the classes that the kernel, or a merge, writes.
bool is_kernel_class(const Guid& guid);

/// Records of the kernel and of its helpers, whatever header they have, go by the name of one
/// provider.
void name_class(const flow::EventHeader& header, EventKind& kind);

} // namespace etl::decode
