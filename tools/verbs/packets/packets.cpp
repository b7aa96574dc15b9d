// etl packets: a line for each packet, like those of tcpdump, or a row with its headers.
#include "captures/capture.hpp"
#include "captures/packet_output.hpp"
#include "cli/print.hpp"
#include "packets/dissect.hpp"
#include "packets/packet_rows.hpp"
#include "rows/writer.hpp"
#include "verbs/packets/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace cli {

namespace {

using etl::packets::Direction;
using etl::packets::Dissection;
using etl::packets::Packet;

std::vector<etl::rows::Column> columns_of_rows() {
    std::vector<etl::rows::Column> columns;
    for (const etl::analysis::Column& column : etl::packets::packet_columns()) {
        columns.push_back({.name = std::string(column.name), .unit = column.unit});
    }
    return columns;
}

/// Writes rows; null: lines of text.
std::unique_ptr<etl::rows::Writer> writer_for(TableFormat format, BigNumbers big_numbers,
                                              std::string& to) {
    return format == TableFormat::text
               ? nullptr
               : etl::rows::make_writer(columns_of_rows(),
                                        {.format = format, .max_number = largest_of(big_numbers)},
                                        to);
}

/// The result without packets: an empty list, or a table with its header.
std::string empty_list(TableFormat format) {
    std::string text;
    if (const auto writer = writer_for(format, BigNumbers::number, text)) {
        writer->begin();
        writer->end();
    }
    return text;
}

/// One pass from packets to text.
class Listing {
public:
    Listing(Capture& capture, TableFormat format, BigNumbers big_numbers, PacketOutput& output)
        : output_(&output), writer_(writer_for(format, big_numbers, output.text())), pass_(capture),
          rows_(pass_.extractor(), capture.labels, capture.schemas) {}

    ExitCode run() {
        const ExitCode exit = pass_.run(
            [&](const Packet& packet) {
                add(packet);
                return output_->write_batch();
            },
            [&] { return output_->flush(); });
        if (writer_ != nullptr) {
            begin_rows();
            writer_->end();
        }
        return worst(exit, output_->finish());
    }

    ExitCode report() const { return pass_.report(); }

private:
    void begin_rows() {
        if (!std::exchange(has_begun_, true)) {
            writer_->begin();
        }
    }

    void add(const Packet& packet) {
        const Dissection headers = etl::packets::dissect(packet);
        if (writer_ == nullptr) {
            add_line(packet, headers);
            return;
        }
        begin_rows();
        const etl::packets::PacketCells cells = rows_.cells_of(packet, headers);
        std::array<etl::rows::Value, std::tuple_size_v<etl::packets::PacketCells>> values;
        std::ranges::transform(cells, values.begin(), etl::rows::value_of);
        writer_->add(values);
    }

    void add_line(const Packet& packet, const Dissection& headers) {
        std::string& to = output_->text();
        etl::append_rfc3339(to, packet.time);
        to += ' ';
        to += printable(rows_.interface_of(packet));
        to += packet.direction == Direction::sent       ? " > "
              : packet.direction == Direction::received ? " < "
                                                        : " - ";
        append_packet_text(to, packet, headers);
        if (packet.data.size() < packet.original_size) {
            to +=
                fmt::format(" [captured {} of {} bytes]", packet.data.size(), packet.original_size);
        }
        if (packet.is_incomplete) {
            to += " [incomplete]";
        }
        if (packet.drop) {
            to += " drop: ";
            to += printable(rows_.drop_of(packet));
        }
        to += '\n';
    }

    PacketOutput* output_;
    std::unique_ptr<etl::rows::Writer> writer_; // null: lines of text
    bool has_begun_ = false;
    PacketPass pass_;
    etl::packets::PacketRows rows_;
};

} // namespace

ExitCode list_packets(const ListingOptions& options) {
    if (!options.capture.permits(options.output, options.force)) {
        return ExitCode::failed;
    }
    const auto format = table_format_of(options.format, options.output);
    if (!format) {
        return format.error();
    }
    const auto print = [&](Capture& capture) {
        PacketOutput output(options.output);
        if (!output.open()) {
            return ExitCode::failed;
        }
        Listing listing(capture, *format, options.big_numbers, output);
        const ExitCode listed = listing.run();
        return listed == ExitCode::failed ? listed : worst(listed, listing.report());
    };
    const auto print_none = [&] {
        const std::string empty = empty_list(*format);
        return empty.empty() ? ExitCode::well : write_file(options.output, empty);
    };
    return read_capture(options.capture, print, print_none);
}

} // namespace cli
