// etl network. docs/analysis.md#network
#include "analysis/groups.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/parts/part_rows.hpp"
#include "analysis/table_list.hpp"
#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace etl::analysis {

namespace {

enum class NetworkBy : std::uint8_t { process, peer };

constexpr std::uint32_t manifest_tag = 0x10000;

enum NetworkField : unsigned { packet_pid, packet_size, packet_peer, packet_port };

enum NetworkValue : std::size_t {
    sends,
    sent,
    receives,
    received,
    connects,
    accepts,
    disconnects,
    retransmits,
    network_values,
};

enum class Protocol : std::uint8_t { tcp, udp };

/// What an event of a type is: counted in `value`, and its size in the next one if `has_size`.
struct Meaning {
    std::uint8_t type = 0; // of IPv4; that of IPv6 is 16 more
    NetworkValue value = sends;
    bool has_size = false;
};

constexpr Meaning meanings[] = {{10, sends, true},        {11, receives, true},
                                {12, connects, false},    {13, disconnects, false},
                                {14, retransmits, false}, {15, accepts, false}};

constexpr std::size_t udp_meanings = 2; // the first ones

/// The fields of one event.
struct Packet {
    std::uint32_t process = flow::no_id;
    std::uint64_t size = 0;
    Bytes address;
    std::uint16_t port = 0; // host order
    Protocol protocol = Protocol::tcp;
    const Meaning* meaning = nullptr;
};

const Meaning* meaning_of(std::uint32_t type, Protocol protocol) noexcept {
    constexpr std::uint32_t ipv6 = 16;
    const std::size_t count = protocol == Protocol::tcp ? std::size(meanings) : udp_meanings;
    for (std::size_t i = 0; i < count; ++i) {
        if (type == meanings[i].type || type == meanings[i].type + ipv6) {
            return &meanings[i];
        }
    }
    return nullptr;
}

// Addresses of UDP are those of the packet; TCP has the peer as destination, whatever happens.
bool is_from_source(Protocol protocol, const Meaning& meaning) noexcept {
    return protocol == Protocol::udp && meaning.value == receives;
}

std::uint16_t port_of(Bytes bytes) noexcept {
    return bytes.size() < 2
               ? std::uint16_t{0}
               : static_cast<std::uint16_t>((std::to_integer<unsigned>(bytes[0]) << 8U) |
                                            std::to_integer<unsigned>(bytes[1]));
}

std::string peer_of(const Packet& packet) {
    if (packet.address.empty()) {
        return {};
    }
    const bool is_v6 = packet.address.size() > 4;
    std::string text = is_v6 ? "[" : "";
    decode::append_display(
        text, {.bytes = packet.address, .form = is_v6 ? decode::Form::ipv6 : decode::Form::ipv4});
    text += is_v6 ? "]:" : ":";
    append_decimal(text, packet.port);
    return text;
}

class Network final : public Analyzer {
public:
    explicit Network(NetworkBy by) : by_(by) {}

    void subscribe(Subscriptions& subscriptions) override {
        for (const std::uint16_t group : std::initializer_list<std::uint16_t>{0x0600, 0x0800}) {
            for (std::uint16_t type = 10; type <= 31; ++type) {
                const auto hook = static_cast<std::uint16_t>(group | type);
                const Protocol protocol = group == 0x0600 ? Protocol::tcp : Protocol::udp;
                const Meaning* const meaning = meaning_of(type, protocol);
                if (meaning != nullptr && is_from_source(protocol, *meaning)) {
                    subscriptions.hook(hook, hook, {"PID", "size", "saddr", "sport"});
                } else if (meaning != nullptr) {
                    subscriptions.hook(hook, hook, {"PID", "size", "daddr", "dport"});
                }
            }
        }
        subscriptions.provider(format::kernel_network_guid, manifest_tag,
                               {10, 11, 12, 13, 14, 15, 26, 27, 28, 29, 30, 31, 42, 43, 58, 59});
    }

    void add(const Record& record) override {
        if (record.tag == manifest_tag) {
            add_manifest(record);
        } else {
            add_class(record);
        }
    }

    Table finish() override {
        // Of a part, whether another one contains classes is unknown: save() keeps the others.
        const bool is_of_manifest = !has_classes_ && !context().is_part;
        Table table = table_from(is_of_manifest ? manifest_ : classes_);
        if (is_of_manifest) {
            add_rows(table, std::move(manifest_rows_), false);
        }
        table.sort_column = *table.find("sent_bytes");
        table.second_sort_column = table.find("received_bytes");
        if (!has_classes_ && !has_manifest_) {
            set_missing(table, "TCP and UDP",
                        {"sends", "sent_bytes", "receives", "received_bytes", "connects", "accepts",
                         "disconnects", "retransmits"},
                        "xperf -on NETWORKTRACE, or wpr -start Network");
        }
        return table;
    }

    /// Events of the manifest count up to the first one of a class.
    bool adds_windows() const override { return !has_classes_ || !has_manifest_; }

    void save(Archive& to) override {
        to.number(has_classes_);
        to.number(has_manifest_);
        Table table = has_classes_ ? Table{} : table_from(manifest_);
        visit_rows(to, table.rows);
    }

    void stitch(Archive& from) override {
        bool has_classes = false, has_manifest = false;
        std::vector<Row> rows;
        from.number(has_classes);
        from.number(has_manifest);
        visit_rows(from, rows);
        if (!fit(table_from(manifest_), rows)) {
            from.fail();
            return;
        }
        has_classes_ = has_classes_ || has_classes;
        has_manifest_ = has_manifest_ || has_manifest;
        std::ranges::move(rows, std::back_inserter(manifest_rows_));
    }

private:
    Table table_from(const Groups& groups) const {
        const bool by_peer = by_ == NetworkBy::peer;
        const KeyColumn keys[] = {{by_peer ? KeyPart::text : KeyPart::owner, "protocol"},
                                  {KeyPart::text, "peer"}};
        const Column columns[] = {
            sum_column("sends"),       sum_column("sent_bytes", Unit::bytes),
            sum_column("receives"),    sum_column("received_bytes", Unit::bytes),
            sum_column("connects"),    sum_column("accepts"),
            sum_column("disconnects"), sum_column("retransmits")};
        return table_of("network", groups, *context().owners, texts_,
                        std::span(keys).first(by_peer ? 2 : 1), columns);
    }

    void add_class(const Record& record) {
        has_classes_ = true;
        Packet packet{.size = record.number(packet_size)};
        packet.protocol = (record.tag >> 8U) == 6 ? Protocol::tcp : Protocol::udp;
        packet.meaning = meaning_of(record.tag & 0xFFU, packet.protocol);
        packet.process = record.has(packet_pid) ? record.number32(packet_pid) : flow::no_id;
        const std::size_t size = record.has(packet_peer) ? record.places[packet_peer].size : 0;
        packet.address = clamped(record.payload, record.places[packet_peer].offset, size);
        packet.port = port_of(clamped(record.rest(packet_port), 0, 2));
        add_packet(record, packet, classes_);
    }

    void add_manifest(const Record& record) {
        constexpr std::uint16_t first_udp = 32; // 42 and 43, 58 and 59 are 10 and 11, 26 and 27
        Packet packet;
        packet.protocol = record.id < 42 ? Protocol::tcp : Protocol::udp;
        const auto type = static_cast<std::uint16_t>(
            record.id - (packet.protocol == Protocol::tcp ? 0 : first_udp));
        packet.meaning = meaning_of(type, packet.protocol);
        // PID, size, daddr, saddr, dport, sport
        const std::size_t address_size = type >= 26 ? 16 : 4;
        constexpr std::size_t address_at = 8;
        if (packet.meaning == nullptr ||
            !has_range(record.payload, 0, address_at + 2 * address_size + 4)) {
            return;
        }
        has_manifest_ = true;
        packet.process = load_le<std::uint32_t>(record.payload.data());
        packet.size = load_le<std::uint32_t>(record.payload.data() + 4);
        const std::size_t which = is_from_source(packet.protocol, *packet.meaning) ? 1 : 0;
        packet.address = record.payload.subspan(address_at + which * address_size, address_size);
        packet.port = port_of(record.payload.subspan(address_at + 2 * address_size + 2 * which));
        add_packet(record, packet, manifest_);
    }

    void add_packet(const Record& record, const Packet& packet, Groups& groups) {
        const OwnerRef owner = context().owners->process_now(packet.process, record.time);
        if (packet.meaning == nullptr || !record.in_range ||
            !(*context().owners)[owner].is_selected) {
            return;
        }
        GroupKey key{owner, 0, 0};
        if (by_ == NetworkBy::peer) {
            const std::string peer = peer_of(packet);
            key = {texts_.number_of(packet.protocol == Protocol::tcp ? "tcp" : "udp"),
                   peer.empty() ? 0 : texts_.number_of(peer), 0};
        }
        std::uint64_t* const row = groups.find(key);
        ++row[packet.meaning->value];
        if (packet.meaning->has_size) {
            row[packet.meaning->value + 1U] += packet.size;
        }
    }

    NetworkBy by_;
    Groups classes_{network_values}, manifest_{network_values};
    Texts texts_;
    std::vector<Row> manifest_rows_; // of parts
    bool has_classes_ = false, has_manifest_ = false;
};

constexpr std::string_view network_sums[] = {"sends",          "sent_bytes", "receives",
                                             "received_bytes", "connects",   "accepts",
                                             "disconnects",    "retransmits"};

constexpr auto network_forms =
    forms_of(network_table, {
                                {.by = "process",
                                 .needs = TableNeeds::processes,
                                 .make = make<Network, NetworkBy::process>,
                                 .parts = PartsOf::added,
                                 .state = "network",
                                 .window_sums = network_sums,
                                 .title = "Network by process",
                                 .events = "event in (TcpIp/*, UdpIp/*) && process == {process}",
                                 .places = {.report = 80, .brief = 60, .tracerpt = 13}},
                                {.by = "peer",
                                 .needs = TableNeeds::processes,
                                 .make = make<Network, NetworkBy::peer>,
                                 .parts = PartsOf::added,
                                 .state = "network",
                                 .window_sums = network_sums,
                                 .title = "Network by peer",
                                 .events = "daddr == {address} && dport == {port}",
                                 .places = {.report = 81, .top = 8, .tracerpt = 33}},
                            });

} // namespace

constinit const TableKind network_table{
    .name = "network",
    .summary = "Print TCP and UDP traffic",
    .question = "Which process sent how much to whom?",
    .examples = R"(  etl network trace.etl
  etl network --by peer --sort received_bytes trace.etl)",
    .is_compared = true,
    .forms = network_forms,
};

} // namespace etl::analysis
