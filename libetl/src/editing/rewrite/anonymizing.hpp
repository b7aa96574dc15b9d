// Traces anonymized into a file. docs/anonymize.md
#pragma once

#include "anonymize/anonymize.hpp"
#include "rewrite/merging.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace etl::rewrite {

/// What the anonymizer does by a choice. If undecodable events are refused, they are dropped: what
/// is written until one is found has none.
anonymize::Undecodable undecodable_of(Undecodable choice, anonymize::Scope scope) noexcept;

/// Another one in each call.
anonymize::Key random_key();

/// The key that a secret stands for: the content of the file with this name, else the text itself.
/// Errors: those of reading a file; not_found also for a text that looks like a path;
/// invalid_option, about "key" or the file, if it is empty.
std::expected<anonymize::Key, TraceError> key_of(const std::string& file_or_text);

/// `PROVIDER/EVENT/FIELD`: events may have slashes in their names, fields and providers have none.
std::optional<anonymize::Redaction> parse_redaction(std::string_view text);

/// Reads all traces once for the names that anonymize::Scope::everything replaces. `threads` is at
/// least 1. Errors: limit (more names than can be kept; the rest would not be replaced).
std::expected<anonymize::Names, TraceError> names_of(const dataset::Dataset& traces,
                                                     const schema::SchemasByTrace& schemas,
                                                     const decode::DecoderOptions& decoder,
                                                     unsigned threads);

/// `40 of A, 6 of B`: the providers with the highest numbers of undecodable events.
std::string undecodable_providers(const anonymize::Report& report);

struct Anonymizing {
    anonymize::Options how{};                      // without names
    Undecodable undecodable = Undecodable::refuse; // takes the place of that in `how`
    OutputOptions output{};
    Progress progress{}; // may be empty
};

struct Anonymized {
    Written written{};
    anonymize::Report report{};
};

/// Merges the traces, with everything or the redactions alone replaced. Uses up the readers.
/// Errors: those of Joined, of schema files, and of Output; names_of(); unsupported, about the
/// output, if events cannot be decoded; reading.
std::expected<Anonymized, MergeError> anonymize(dataset::Dataset& traces, const Anonymizing& what);

} // namespace etl::rewrite
