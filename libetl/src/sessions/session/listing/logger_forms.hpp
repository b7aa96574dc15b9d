// One session as Windows' tools show it.
#pragma once

#include "session/listing.hpp"

namespace etl::session {

/// As xperf does; `has_hex`: with its mode as a number, too.
void append_as_xperf(std::string& to, const SessionState& session, const NameLookup& name_of,
                     bool has_hex);

void append_as_tracelog(std::string& to, const SessionState& session, const NameLookup& name_of);

void append_as_logman(std::string& to, const SessionState& session, const NameLookup& name_of,
                      const KeywordLookup& keywords_of);

/// What `name_of` says; empty: there is none.
std::string name_or_empty(const NameLookup& name_of, const Guid& guid);

} // namespace etl::session
