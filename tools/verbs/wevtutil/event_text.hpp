// Events as the text of `wevtutil qe /f:text`.
#pragma once

#include "flow/sink.hpp"
#include "sink/options.hpp"

#include <memory>
#include <string>

namespace cli {

/// Stands for the number of an event, which sink::RecordNumbers fills in. Uses of Options: schemas,
/// conditions, and texts.
class WevtutilText final : public etl::flow::Encoder {
public:
    WevtutilText(etl::sink::Options options, std::string computer);
    ~WevtutilText() override;

    std::unique_ptr<etl::flow::Encoder> clone() const override;
    bool encode(const etl::flow::Event& event, std::string& to) override;
    etl::flow::DecodeCounts decode_counts() const override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

} // namespace cli
