// Windows code pages of 8-bit text. Made once, then immutable: any number of threads.
// docs/format/decoding.md#code-pages
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

class CodePage {
public:
    /// By Windows' number: 1252, 932, 65001 ... Errors: unsupported when it is none that contains
    /// ASCII, keeps no state between characters and is known to ICU.
    static Result<std::shared_ptr<const CodePage>> open(unsigned number);

    /// By name: a number, `cp932`, `windows-1252`, `shift_jis`, `utf-8` ... Errors: as above.
    static Result<std::shared_ptr<const CodePage>> open(std::string_view name);

    ~CodePage();
    CodePage(const CodePage&) = delete;
    CodePage& operator=(const CodePage&) = delete;
    CodePage(CodePage&&) = delete;
    CodePage& operator=(CodePage&&) = delete;

    /// Appends `text` as UTF-8; what the page does not define becomes U+FFFD. No allocation but the
    /// growth of `to`, unless characters have more than two bytes (GB 18030, EUC-JP).
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
    std::array<char16_t, 256> singles_{};   // of one byte
    std::array<std::uint8_t, 256> leads_{}; // 0: a byte stands alone; else which block of pairs_
    std::vector<char16_t> pairs_;           // 256 for each lead byte, by the second one
    std::unique_ptr<Converter> converter_;  // cloned for each text
};

/// Appends 8-bit text as UTF-8: of `page`; null: as append_ansi does.
void append_narrow(std::string& to, Bytes text, const CodePage* page);

} // namespace etl
