// Windows code pages of 8-bit text. Immutable; thread-safe. docs/format/decoding.md#code-pages
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

class CodePage {
public:
    /// Opens a code page by its Windows number: 1252, 932, 65001, ... Errors: unsupported (not an
    /// ASCII-compatible stateless code page known to ICU).
    static Result<std::shared_ptr<const CodePage>> open(unsigned number);

    /// Opens a code page by name: a number, `cp932`, `windows-1252`, `shift_jis`, `utf-8`, ...
    /// Errors: as above.
    static Result<std::shared_ptr<const CodePage>> open(std::string_view name);

    ~CodePage();
    CodePage(const CodePage&) = delete;
    CodePage& operator=(const CodePage&) = delete;
    CodePage(CodePage&&) = delete;
    CodePage& operator=(CodePage&&) = delete;

    /// Appends `text` as UTF-8; undefined characters become U+FFFD. Allocates only to grow `to`,
    /// unless characters have more than two bytes (GB 18030, EUC-JP).
    void append(std::string& to, Bytes text) const;

private:
    struct Converter; // ICU's

    enum class Kind : std::uint8_t { utf8, table, converter };

    CodePage();

    static Result<std::shared_ptr<const CodePage>> open_converter(const std::string& name);
    bool fill_table();
    void append_by_table(std::string& to, Bytes text) const;
    void append_by_converter(std::string& to, Bytes text) const;

    Kind kind_ = Kind::table;
    std::array<char16_t, 256> singles_{};   // single-byte characters
    std::array<std::uint8_t, 256> leads_{}; // 0: single byte; otherwise block number in pairs_
    std::vector<char16_t> pairs_;           // 256 entries per lead byte, indexed by the second byte
    std::unique_ptr<Converter> converter_;  // cloned for each call
};

/// Appends 8-bit text in code page `page` as UTF-8; null: like append_ansi.
void append_narrow(std::string& to, Bytes text, const CodePage* page);

} // namespace etl
