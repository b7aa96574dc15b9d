// etl packets: a line for each packet, like those of tcpdump, or a row with its headers.
#include <etl/packets/dissect.hpp>
#include <etl/packets/drop_names.hpp>
#include <etl/packets/flows.hpp>
#include <etl/packets/interface_names.hpp>
#include <etl/sink/csv.hpp>

#include "captures/capture.hpp"
#include "captures/packet_output.hpp"
#include "cli/json_object.hpp"
#include "cli/table_cells.hpp"
#include "verbs/packets/listing.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace cli {

namespace {

using etl::analysis::Cell;
using etl::analysis::Unit;
using etl::packets::Direction;
using etl::packets::Dissection;
using etl::packets::Packet;

constexpr std::array<std::pair<std::string_view, Unit>, 19> packet_columns{
    {{"time", Unit::time},
     {"interface", Unit::text},
     {"direction", Unit::text},
     {"link", Unit::text},
     {"vlan", Unit::id},
     {"protocol", Unit::text},
     {"source", Unit::text},
     {"source_port", Unit::id},
     {"destination", Unit::text},
     {"destination_port", Unit::id},
     {"tcp_flags", Unit::text},
     {"sequence", Unit::id},
     {"acknowledgment", Unit::id},
     {"payload_bytes", Unit::bytes},
     {"bytes", Unit::bytes},
     {"captured_bytes", Unit::bytes},
     {"drop_reason", Unit::text},
     {"drop_location", Unit::text},
     {"summary", Unit::text}}};

template <typename T>
Cell number_cell(const std::optional<T>& value) {
    return value ? Cell(std::uint64_t{*value}) : Cell();
}

Cell text_cell(std::string text) {
    return text.empty() ? Cell() : Cell(std::move(text));
}

Cell address_cell(etl::Bytes address) {
    std::string text;
    etl::packets::append_address(text, address);
    return text_cell(std::move(text));
}

std::string protocol_of(const Packet& packet, const Dissection& headers) {
    if (headers.arp_operation) {
        return "ARP";
    }
    if (headers.protocol) {
        return etl::packets::protocol_name(*headers.protocol);
    }
    return headers.ether_type ? fmt::format("{:#06x}", *headers.ether_type)
                              : std::string(name(packet.link));
}

Cell direction_cell(Direction direction) {
    return direction == Direction::unknown
               ? Cell()
               : Cell(std::string(direction == Direction::sent ? "sent" : "received"));
}

/// One pass from packets to text.
class Listing {
public:
    Listing(Capture& capture, TableFormat format, PacketOutput& output)
        : format_(format), output_(&output), pass_(capture),
          names_(pass_.extractor(), capture.labels), drops_(capture.schemas) {}

    ExitCode run() {
        const ExitCode exit = pass_.run(
            [&](const Packet& packet) {
                add(packet);
                return output_->write_batch();
            },
            [&] { return output_->flush(); });
        if (format_ == TableFormat::json && pass_.packets() > 0) {
            output_->text() += "\n]\n";
        }
        return worst(exit, output_->finish());
    }

    ExitCode report() const { return pass_.report(); }

private:
    void add(const Packet& packet) {
        const Dissection headers = etl::packets::dissect(packet.data, packet.link);
        if (format_ == TableFormat::text) {
            add_line(packet, headers);
            return;
        }
        fill(packet, headers);
        const bool is_first = pass_.packets() == 1;
        if (format_ == TableFormat::csv || format_ == TableFormat::tsv) {
            add_cells(is_first);
        } else {
            add_object(is_first);
        }
    }

    void add_line(const Packet& packet, const Dissection& headers) {
        std::string& to = output_->text();
        etl::append_rfc3339(to, packet.time);
        to += ' ';
        to += printable(names_.of(packet));
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
            std::string text;
            drops_.append(text, *packet.drop, packet.place.trace);
            to += printable(text);
        }
        to += '\n';
    }

    void fill(const Packet& packet, const Dissection& headers) {
        std::string summary;
        append_packet_text(summary, packet, headers);
        std::string flags;
        if (headers.tcp_flags) {
            etl::packets::append_tcp_flags(flags, *headers.tcp_flags);
        }
        const auto with_flag = [&](bool has_it, std::uint32_t value) {
            return has_it ? Cell(std::uint64_t{value}) : Cell();
        };
        const bool is_ack = (headers.tcp_flags.value_or(0) & etl::packets::tcp_flag::ack) != 0;
        const auto drop = [&](auto text) { return packet.drop ? Cell(text()) : Cell(); };
        cells_ = {Cell(static_cast<std::uint64_t>(packet.time.ticks)),
                  Cell(names_.of(packet)),
                  direction_cell(packet.direction),
                  Cell(std::string(name(packet.link))),
                  number_cell(headers.vlan),
                  Cell(protocol_of(packet, headers)),
                  address_cell(headers.source),
                  number_cell(headers.source_port),
                  address_cell(headers.destination),
                  number_cell(headers.destination_port),
                  text_cell(std::move(flags)),
                  with_flag(headers.tcp_flags.has_value(), headers.sequence),
                  with_flag(is_ack, headers.acknowledgment),
                  number_cell(headers.payload_size),
                  Cell(std::uint64_t{packet.original_size}),
                  Cell(std::uint64_t{packet.data.size()}),
                  drop([&] { return drops_.reason(*packet.drop, packet.place.trace); }),
                  drop([&] { return fmt::format("{:#x}", packet.drop->location); }),
                  Cell(std::move(summary))};
    }

    void add_cells(bool is_first) {
        using Style = etl::sink::CsvOptions::Style;
        const Style style = format_ == TableFormat::csv ? Style::csv : Style::tsv;
        const char separator = style == Style::csv ? ',' : '\t';
        const char* const line_end = style == Style::csv ? "\r\n" : "\n";
        std::string& to = output_->text();
        const auto add_row = [&](auto cell_of) {
            for (std::size_t i = 0; i < packet_columns.size(); ++i) {
                if (i != 0) {
                    to += separator;
                }
                etl::sink::append_cell(to, style, cell_of(i));
            }
            to += line_end;
        };
        if (is_first) {
            add_row([](std::size_t i) { return std::string(packet_columns[i].first); });
        }
        add_row([&](std::size_t i) { return csv_of(cells_[i], packet_columns[i].second); });
    }

    void add_object(bool is_first) {
        JsonObject json;
        for (std::size_t i = 0; i < packet_columns.size(); ++i) {
            json.raw(packet_columns[i].first, json_of(cells_[i], packet_columns[i].second));
        }
        const bool is_array = format_ == TableFormat::json;
        std::string& to = output_->text();
        to += !is_array ? "" : is_first ? "[\n" : ",\n";
        to += json.take();
        to += is_array ? "" : "\n";
    }

    TableFormat format_;
    PacketOutput* output_;
    PacketPass pass_;
    etl::packets::InterfaceNames names_;
    etl::packets::DropNames drops_;
    std::array<Cell, packet_columns.size()> cells_; // of the current packet
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
    return read_capture(options.capture, [&](Capture& capture) {
        PacketOutput output(options.output);
        if (!output.open()) {
            return ExitCode::failed;
        }
        Listing listing(capture, *format, output);
        const ExitCode exit = listing.run();
        return exit == ExitCode::failed ? exit : worst(exit, listing.report());
    });
}

} // namespace cli
