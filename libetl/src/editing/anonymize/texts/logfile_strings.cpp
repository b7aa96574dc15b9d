#include "anonymize/texts/logfile_strings.hpp"

#include <algorithm>

namespace etl::anonymize {

KindSet rewrite_strings(format::LogfileHeader& header, Rewriter& rewriter) {
    return static_cast<KindSet>(rewriter.rewrite(header.session_name, Role::text) |
                                rewriter.rewrite(header.log_file_name, Role::path));
}

void rewrite_header(format::LogfileHeader& header, Rewriter& rewriter) {
    rewrite_strings(header, rewriter);
    rewriter.rewrite(header.time_zone.standard_name, Role::text);
    rewriter.rewrite(header.time_zone.daylight_name, Role::text);
    if (header.log_file_name.empty()) {
        header.log_file_name = u"trace.etl"; // a writer would store the path of its file
    }
    header.logger_name_pointer = 0;
    header.log_file_name_pointer = 0;
}

// The strings end the payload, one behind the other.
KindSet rewrite_logfile_payload(MutableBytes payload, unsigned pointer_size, Rewriter& rewriter) {
    auto header = format::parse_logfile_header(payload, pointer_size, {});
    if (!header) {
        return 0;
    }
    const std::size_t session = 2 * header->session_name.size();
    const std::size_t file = 2 * header->log_file_name.size();
    constexpr std::size_t terminator = 2;
    format::LogfileHeader bare = *header;
    bare.session_name.clear();
    bare.log_file_name.clear();
    const std::size_t fixed =
        format::encode_logfile_header(bare, pointer_size).size() - 2 * terminator;
    if (!has_range(payload, fixed, session)) {
        return 0;
    }
    const KindSet changed = rewrite_strings(*header, rewriter);
    store_units(header->session_name, UnitSize::two, payload.subspan(fixed, session));
    const std::size_t file_at = fixed + session + terminator;
    if (has_range(payload, file_at, file)) {
        store_units(header->log_file_name, UnitSize::two, payload.subspan(file_at, file));
    }
    return changed;
}

} // namespace etl::anonymize
