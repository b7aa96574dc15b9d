#include "trace/loading/no_record.hpp"

namespace etl::trace {

using format::NoRecord;

const char* describe(NoRecord why) noexcept {
    switch (why) {
    case NoRecord::truncated:
        return "the record exceeds the valid bytes of its buffer";
    case NoRecord::bad_marker:
        return "unknown record marker";
    case NoRecord::bad_size:
        return "the record is smaller than its header";
    case NoRecord::end:
        return "an end marker in front of valid bytes";
    case NoRecord::none:
        break;
    }
    return "";
}

} // namespace etl::trace
