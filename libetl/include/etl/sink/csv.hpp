// Events as rows: CSV after RFC 4180, or values separated by tabs. docs/output.md#csv
// One thread each; clone() gives another of the same settings.
#pragma once

#include <etl/flow/sink.hpp>
#include <etl/sink/options.hpp>

#include <memory>

namespace etl::sink {

struct CsvOptions {
    enum class Style : std::uint8_t {
        csv, // comma, quotes, CR LF
        tsv, // tab, backslash escapes, LF
    };

    Style style = Style::csv;
    /// Each field of `data` in a column of its own behind the others, as `name=value`, instead of
    /// one column of JSON.
    bool wide = false;
};

class Csv final : public flow::Encoder {
public:
    Csv(Options options, CsvOptions csv);
    ~Csv() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    std::string_view head() const override; // the row of column names
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

} // namespace etl::sink
