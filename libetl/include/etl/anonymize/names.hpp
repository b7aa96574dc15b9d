// The users and computers that a trace names, learned in a first pass: so that they are found
// wherever else they stand. docs/anonymize.md#names
#pragma once

#include <etl/decode/decoder.hpp>
#include <etl/flow/source.hpp>
#include <etl/format/logfile_header.hpp>

#include <memory>
#include <set>
#include <string>

namespace etl::anonymize {

/// Goes by the names in lower case, whatever the case of what is looked for.
struct CaseInsensitiveLess {
    using is_transparent = void;
    bool operator()(std::u16string_view a, std::u16string_view b) const noexcept;
};

/// Names in lower case. Those that say nothing about anybody (SYSTEM, Public, localhost, ...) or
/// that are too short are not among them. At most limits::private_names each.
class Names {
public:
    void add_user(std::u16string_view name);
    void add_computer(std::u16string_view name);
    /// Without its extension. Stays wherever it stands: it is Windows' own.
    void add_windows_file(std::u16string_view name);
    void combine(const Names& other);

    const std::set<std::u16string, std::less<>>& users() const noexcept { return users_; }

    const std::set<std::u16string, std::less<>>& computers() const noexcept { return computers_; }

    const std::set<std::u16string, CaseInsensitiveLess>& windows_files() const noexcept {
        return windows_files_;
    }

private:
    std::set<std::u16string, std::less<>> users_;
    std::set<std::u16string, std::less<>> computers_;
    std::set<std::u16string, CaseInsensitiveLess> windows_files_;
};

/// One per thread.
class NameCollector {
public:
    explicit NameCollector(schema::SchemasByTrace schemas, decode::DecoderOptions options = {});
    ~NameCollector();
    NameCollector(NameCollector&&) noexcept;
    NameCollector& operator=(NameCollector&&) noexcept;

    /// The events of one buffer, in any order of buffers.
    void add(flow::Run events);

    /// Where the trace was recorded to.
    void add(const format::LogfileHeader& header);

    Names take();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::anonymize
