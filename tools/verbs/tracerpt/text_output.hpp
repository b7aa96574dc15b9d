// Text in the encoding of -en.
#pragma once

#include "base/output.hpp"
#include "cli/exit_code.hpp"
#include "verbs/tracerpt/options.hpp"

#include <string>
#include <string_view>

namespace cli {

/// What characters become that Windows-1252 does not have.
enum class Unencodable : unsigned char { question_mark, xml_reference };

/// Returns UTF-8 text in another encoding, without a byte order mark.
std::string encoded(std::string_view text, TextEncoding encoding, Unencodable unencodable);

/// Returns the byte order mark of an encoding.
std::string_view byte_order_mark(TextEncoding encoding);

/// Converts what is written to it; each write must end with a complete character.
class TranscodedOutput final : public etl::Output {
public:
    /// `to` must outlive this object.
    TranscodedOutput(etl::Output& to, TextEncoding encoding, Unencodable unencodable)
        : to_(&to), encoding_(encoding), unencodable_(unencodable) {}

    /// Errors: those of the output.
    etl::Result<void> write(std::string_view text) override;

private:
    etl::Output* to_;
    TextEncoding encoding_;
    Unencodable unencodable_;
    bool is_started_ = false;
};

/// Writes a file that appears when complete; `-` is standard output. Prints errors.
ExitCode write_text(const std::string& path, std::string_view text, TextEncoding encoding,
                    Unencodable unencodable = Unencodable::question_mark);

} // namespace cli
