// Why the bytes of an encoded payload differ from those of the original: what JSON does not tell.
#pragma once

#include "decode/field_walker.hpp"

#include <string>

namespace etl::test {

/// The reasons, one for each field that differs, by their names in docs/write.md#lossy. A name
/// that begins with `?` is none of them: the form of the field, and a mistake of ours.
std::vector<std::string> differences(const decode::Plan& plan, Bytes original, Bytes encoded);

} // namespace etl::test
