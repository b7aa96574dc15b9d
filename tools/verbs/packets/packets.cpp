// etl packets: a line for each packet, like those of tcpdump, or a row with its headers.
#include "captures/capture.hpp"
#include "captures/packet_output.hpp"
#include "cli/json_object.hpp"
#include "cli/print.hpp"
#include "cli/table_cells.hpp"
#include "packets/dissect.hpp"
#include "packets/packet_rows.hpp"
#include "sink/csv.hpp"
#include "verbs/packets/listing.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::analysis::Cell;
using etl::packets::Direction;
using etl::packets::Dissection;
using etl::packets::Packet;

bool has_columns(TableFormat format) {
    return format == TableFormat::csv || format == TableFormat::tsv;
}

template <typename CellOf>
void append_row(std::string& to, TableFormat format, CellOf cell_of) {
    using Style = etl::sink::CsvOptions::Style;
    const Style style = format == TableFormat::csv ? Style::csv : Style::tsv;
    for (std::size_t i = 0; i < etl::packets::packet_columns().size(); ++i) {
        if (i != 0) {
            to += style == Style::csv ? ',' : '\t';
        }
        etl::sink::append_cell(to, style, cell_of(i));
    }
    to += style == Style::csv ? "\r\n" : "\n";
}

void append_header(std::string& to, TableFormat format) {
    append_row(to, format,
               [](std::size_t i) { return std::string(etl::packets::packet_columns()[i].name); });
}

/// The result without packets: an empty list, or a table with its header.
std::string empty_list(TableFormat format) {
    std::string text = format == TableFormat::json ? "[\n]\n" : "";
    if (has_columns(format)) {
        append_header(text, format);
    }
    return text;
}

/// One pass from packets to text.
class Listing {
public:
    Listing(Capture& capture, TableFormat format, BigNumbers big_numbers, PacketOutput& output)
        : format_(format), big_numbers_(big_numbers), output_(&output), pass_(capture),
          rows_(pass_.extractor(), capture.labels, capture.schemas) {}

    ExitCode run() {
        const ExitCode exit = pass_.run(
            [&](const Packet& packet) {
                add(packet);
                return output_->write_batch();
            },
            [&] { return output_->flush(); });
        end_list();
        return worst(exit, output_->finish());
    }

    ExitCode report() const { return pass_.report(); }

private:
    void end_list() {
        if (pass_.packets() == 0) {
            output_->text() += empty_list(format_);
        } else if (format_ == TableFormat::json) {
            output_->text() += "\n]\n";
        }
    }

    void add(const Packet& packet) {
        const Dissection headers = etl::packets::dissect(packet);
        if (format_ == TableFormat::text) {
            add_line(packet, headers);
            return;
        }
        cells_ = rows_.cells_of(packet, headers);
        const bool is_first = pass_.packets() == 1;
        if (has_columns(format_)) {
            add_cells(is_first);
        } else {
            add_object(is_first);
        }
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

    void add_cells(bool is_first) {
        if (is_first) {
            append_header(output_->text(), format_);
        }
        append_row(output_->text(), format_, [&](std::size_t i) {
            return csv_of(cells_[i], etl::packets::packet_columns()[i].unit);
        });
    }

    void add_object(bool is_first) {
        JsonObject json;
        for (std::size_t i = 0; i < etl::packets::packet_columns().size(); ++i) {
            json.raw(etl::packets::packet_columns()[i].name,
                     json_of(cells_[i], etl::packets::packet_columns()[i].unit));
        }
        const bool is_array = format_ == TableFormat::json;
        std::string& to = output_->text();
        to += !is_array ? "" : is_first ? "[\n" : ",\n";
        to += with_big_numbers(json.take(), big_numbers_);
        to += is_array ? "" : "\n";
    }

    TableFormat format_;
    BigNumbers big_numbers_;
    PacketOutput* output_;
    PacketPass pass_;
    etl::packets::PacketRows rows_;
    etl::packets::PacketCells cells_; // of the current packet
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
