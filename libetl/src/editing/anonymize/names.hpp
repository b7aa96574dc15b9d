// Names of users and computers in a trace, collected in a first pass so that all other occurrences
// are found. docs/anonymize.md#names
#pragma once

#include "decode/decoder.hpp"
#include "flow/source.hpp"
#include "format/logfile_header.hpp"

#include <memory>
#include <set>
#include <string>

namespace etl::anonymize {

/// Compares with lowercase names, ignoring the case of the searched name.
struct CaseInsensitiveLess {
    using is_transparent = void;
    bool operator()(std::u16string_view a, std::u16string_view b) const noexcept;
};

/// Lowercase names. Generic names (SYSTEM, Public, localhost, ...) and short names are ignored. At
/// most limits::private_names of each kind: see has_omitted().
class Names {
public:
    void add_user(std::u16string_view name);
    void add_computer(std::u16string_view name);
    /// Adds the name of a Windows file, without its extension, which is never replaced.
    void add_windows_file(std::u16string_view name);
    void combine(const Names& other);

    const std::set<std::u16string, std::less<>>& users() const noexcept { return users_; }

    const std::set<std::u16string, std::less<>>& computers() const noexcept { return computers_; }

    const std::set<std::u16string, CaseInsensitiveLess>& windows_files() const noexcept {
        return windows_files_;
    }

    /// Whether there were more users or computers than the limit, so that some would stay in texts.
    bool has_omitted() const noexcept { return has_omitted_; }

private:
    std::set<std::u16string, std::less<>> users_;
    std::set<std::u16string, std::less<>> computers_;
    std::set<std::u16string, CaseInsensitiveLess> windows_files_;
    bool has_omitted_ = false;
};

/// Collects names from events. One per thread.
class NameCollector {
public:
    explicit NameCollector(schema::SchemasByTrace schemas, decode::DecoderOptions options = {});
    ~NameCollector();
    NameCollector(NameCollector&&) noexcept;
    NameCollector& operator=(NameCollector&&) noexcept;

    /// Adds the events of one buffer; buffers may come in any order.
    void add(flow::Run events);

    /// Adds the names in the path of the log file.
    void add(const format::LogfileHeader& header);

    Names take();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::anonymize
