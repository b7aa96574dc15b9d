#include "anonymize/anonymize.hpp"
#include "anonymize/event_rewriter.hpp"

#include <algorithm>
#include <tuple>

namespace etl::anonymize {

std::string_view name(Kind kind) noexcept {
    switch (kind) {
    case Kind::user:
        return "user name";
    case Kind::computer:
        return "computer name";
    case Kind::sid:
        return "SID";
    case Kind::ip_address:
        return "IP address";
    case Kind::mac_address:
        return "MAC address";
    case Kind::command_line:
        return "command line";
    case Kind::path:
        return "path";
    case Kind::secret:
        return "secret";
    case Kind::account_number:
        return "account number";
    case Kind::phone_number:
        return "phone number";
    case Kind::window_title:
        return "window title";
    case Kind::redacted:
        return "redacted";
    }
    return {};
}

Key key_of(Bytes secret) noexcept {
    Key key{};
    for (std::uint8_t half = 0; half < 2; ++half) {
        Key which{};
        which[0] = half;
        std::array<std::byte, 8> hash;
        store_le(hash.data(), SipHash(which)(secret));
        std::ranges::transform(hash, key.begin() + 8 * half,
                               [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    }
    return key;
}

namespace {

template <typename Counted>
void add(Counted& to, const Counted& more) {
    to.values += more.values;
}

void add(Report::Kept& to, const Report::Kept& more) {
    to.values += more.values;
    to.partly += more.partly;
    if (to.shape.empty()) {
        to.shape = more.shape;
    }
}

} // namespace

struct Anonymizer::State {
    State(schema::SchemasByTrace schemas, Options given)
        : options(std::move(given)), decoder(std::move(schemas), options.decoder),
          pseudonyms(options.key), names(options.names), rewriter(pseudonyms, names),
          events(options, pseudonyms, rewriter) {}

    KindPlan& plan_of(const decode::DecodedEvent& event) {
        if (generation != decoder.generation()) {
            for (const auto& plan : plans) {
                if (plan) {
                    settle(*plan, settled);
                }
            }
            plans.clear();
            generation = decoder.generation();
        }
        const std::size_t number = event.kind->number;
        if (number >= plans.size()) {
            plans.resize(number + 1);
        }
        auto& plan = plans[number];
        if (!plan) {
            plan = std::make_unique<KindPlan>(make_plan(event, options));
        }
        return *plan;
    }

    Options options;
    decode::Decoder decoder;
    Pseudonyms pseudonyms;
    NameIndex names;
    Rewriter rewriter;
    EventRewriter events;
    std::vector<std::unique_ptr<KindPlan>> plans; // by number of the kind
    std::uint32_t generation = 0;
    Report settled; // of earlier generations
};

Anonymizer::Anonymizer(schema::SchemasByTrace schemas, Options options)
    : state_(std::make_unique<State>(std::move(schemas), std::move(options))) {}

Anonymizer::~Anonymizer() = default;

void Anonymizer::edit(const flow::Event& event, relog::Output& to) {
    State& state = *state_;
    Report& report = state.settled;
    ++report.events;
    const decode::DecodedEvent& decoded = state.decoder.decode(event);
    KindPlan& plan = state.plan_of(decoded);
    const EventRewriter::Result result = state.events.rewrite(decoded, plan);
    if (result.undecodable) {
        ++report.undecodable;
        if (state.options.undecodable == Undecodable::drop) {
            ++report.dropped;
            return;
        }
        report.cleared += state.options.undecodable == Undecodable::clear ? 1U : 0U;
    }
    if (result.draft == nullptr) {
        to.pass();
        return;
    }
    ++report.changed;
    to.emit(*result.draft);
}

void Anonymizer::anonymize(format::LogfileHeader& header) const {
    if (state_->options.scope == Scope::everything) {
        Rewriter rewriter(state_->pseudonyms, state_->names);
        rewrite_header(header, rewriter);
    }
}

void Anonymizer::scrub_packet(MutableBytes packet, std::optional<Link> link) {
    State& state = *state_;
    if (state.options.scope != Scope::everything) {
        return;
    }
    KindSet changed = 0;
    if (link) {
        changed = scrub_frame(packet, *link, state.pseudonyms);
    } else {
        Scrubbing scrubbing(state.pseudonyms);
        scrubbing.wipe(packet);
        changed = scrubbing.changed();
    }
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        state.settled.values[kind] += changed >> kind & 1U;
    }
}

Report Anonymizer::report() const {
    Report report = state_->settled;
    for (const auto& plan : state_->plans) {
        if (plan) {
            KindPlan copy = *plan;
            settle(copy, report);
        }
    }
    const auto same_place = [](const auto& a, const auto& b) {
        return std::tie(a.provider, a.event, a.field) == std::tie(b.provider, b.event, b.field);
    };
    const auto merge = [](auto& list, auto less, auto same) {
        std::ranges::sort(list, less);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (kept > 0 && same(list[kept - 1], list[i])) {
                add(list[kept - 1], list[i]);
            } else if (kept++ != i) {
                list[kept - 1] = std::move(list[i]);
            }
        }
        list.resize(kept);
    };
    merge(
        report.fields,
        [](const Report::Field& a, const Report::Field& b) {
            return std::tie(a.provider, a.event, a.field, a.kind) <
                   std::tie(b.provider, b.event, b.field, b.kind);
        },
        [&](const Report::Field& a, const Report::Field& b) {
            return a.kind == b.kind && same_place(a, b);
        });
    merge(
        report.binary,
        [](const Report::Binary& a, const Report::Binary& b) {
            return std::tie(a.provider, a.event, a.field) < std::tie(b.provider, b.event, b.field);
        },
        same_place);
    merge(
        report.kept,
        [](const Report::Kept& a, const Report::Kept& b) {
            return std::tie(a.provider, a.event, a.field) < std::tie(b.provider, b.event, b.field);
        },
        same_place);
    return report;
}

} // namespace etl::anonymize
