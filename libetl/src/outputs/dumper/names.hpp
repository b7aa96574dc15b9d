// Names of processes, files, and code, as cells of lines. Kept while they cannot change. Private to
// dumper.
#pragma once

#include "dumper/dumper.hpp"
#include "dumper/limits.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace etl::dumper {

class Names {
public:
    explicit Names(const Options& options)
        : facts_(options.facts), frames_(options.names), has_symbols_(options.has_symbols) {}

    /// Makes the facts that apply to an event those of the calls that follow.
    void use(const flow::Event& event);

    const facts::Facts& facts() const noexcept { return *here_; }

    /// The process of a thread; flow::no_id: unknown.
    std::uint32_t process_of(std::uint32_t thread, std::int64_t time) const noexcept {
        return thread == 0 || thread == flow::no_id ? thread
                                                    : here_->process_of_thread(thread, time);
    }

    /// Appends `kettle.exe (4242)`: the name in 16 columns, the ID in 4.
    void append_process(std::string& to, std::uint32_t process, std::int64_t time);

    /// Appends `image!function` or `image!0xaddress`: the image in 16 columns.
    void append_function(std::string& to, const facts::CodeAddress& code);

    /// Appends the path of a file by key or object in quotes; 0: not recorded.
    void append_file(std::string& to, std::uint64_t key, std::uint64_t object, std::int64_t time);

    /// Appends a path with a drive letter if known, in quotes.
    void append_path(std::string& to, std::string_view path);

    /// Appends an address, with as many digits as those of the trace have.
    void append_address(std::string& to, std::uint64_t address) const;

    bool is_64_bit() const noexcept { return is_64_bit_; }

    /// After an event that starts, ends, or lists processes.
    void forget_processes() { processes_.clear(); }

    /// After an event that loads or unloads code.
    void forget_code() { functions_.clear(); }

private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            return static_cast<std::size_t>((key.first * 0x9E3779B97F4A7C15U) ^ key.second);
        }
    };

    std::string function_text(const facts::CodeAddress& code) const;

    std::shared_ptr<const facts::FactsByTrace> facts_;
    facts::FrameNames frames_;
    bool has_symbols_;
    bool is_64_bit_ = true;
    facts::Facts none_;
    const facts::Facts* here_ = &none_;
    std::pair<std::uint32_t, std::uint16_t> place_{0xFFFFFFFF, 0}; // of here_: file, input
    std::unordered_map<std::uint32_t, std::string> processes_;     // by ID
    std::unordered_map<Key, std::string, KeyHash> functions_;      // by process and address
    std::unordered_map<std::string_view, std::string> paths_;      // by texts of the facts
};

} // namespace etl::dumper
