#include "anonymize/names.hpp"

#include "anonymize/kind_plan.hpp"
#include "anonymize/limits.hpp"
#include "anonymize/names/units.hpp"
#include "anonymize/names/well_known.hpp"
#include "anonymize/packets/packet_events.hpp"
#include "anonymize/texts/rewriter.hpp"

#include <algorithm>
#include <variant>

namespace etl::anonymize {

namespace {

constexpr std::size_t min_size = 3; // shorter ones would be found in every other text
constexpr std::size_t max_size = 256;

Text trimmed(Text name) noexcept {
    const auto is_edge = [](char16_t c) { return !is_wordy(c); };
    while (!name.empty() && is_edge(name.front())) {
        name.remove_prefix(1);
    }
    while (!name.empty() && is_edge(name.back())) {
        name.remove_suffix(1);
    }
    return name;
}

bool is_worth(Text name) noexcept {
    return name.size() >= min_size && name.size() <= max_size &&
           std::ranges::any_of(name, [](char16_t c) { return is_ascii_letter(c) || c >= 0x80; }) &&
           !is_well_known_account(name) && !is_well_known_host(name) && !is_common_word(name);
}

/// False: it would be one too many.
bool add_to(std::set<std::u16string, std::less<>>& names, Text name) {
    name = trimmed(name);
    if (!is_worth(name)) {
        return true;
    }
    std::u16string lower = folded(name);
    if (names.size() >= limits::private_names && !names.contains(lower)) {
        return false;
    }
    names.insert(std::move(lower));
    return true;
}

} // namespace

void Names::add_user(std::u16string_view name) {
    if (is_shared_profile(name)) {
        return;
    }
    has_omitted_ |= !add_to(users_, name);
    // The person behind alice.smith: windows have the full name in their titles.
    const std::size_t mark = name.find_first_of(u"._");
    const Text first = name.substr(0, std::min(mark, name.size()));
    const Text last = mark == Text::npos ? Text() : name.substr(mark + 1);
    const auto is_name = [](Text part) {
        return part.size() >= min_size && std::ranges::all_of(part, [](char16_t c) {
                   return is_ascii_letter(c) || c >= 0x80;
               });
    };
    if (is_name(first) && is_name(last)) {
        std::u16string full(first);
        full += u' ';
        full += last;
        has_omitted_ |= !add_to(users_, full);
    }
}

void Names::add_computer(std::u16string_view name) {
    has_omitted_ |= !add_to(computers_, name);
}

bool CaseInsensitiveLess::operator()(std::u16string_view a, std::u16string_view b) const noexcept {
    return std::ranges::lexicographical_compare(
        a, b, {}, [](char16_t c) { return folded(c); }, [](char16_t c) { return folded(c); });
}

void Names::add_windows_file(std::u16string_view name) {
    if (!name.empty() && name.size() <= max_size && windows_files_.size() < limits::private_names) {
        if (!windows_files_.contains(name)) {
            windows_files_.insert(folded(name));
        }
    }
}

void Names::combine(const Names& other) {
    for (const std::u16string& name : other.users_) {
        has_omitted_ |= !add_to(users_, name);
    }
    for (const std::u16string& name : other.computers_) {
        has_omitted_ |= !add_to(computers_, name);
    }
    has_omitted_ |= other.has_omitted_;
    for (const std::u16string& name : other.windows_files_) {
        add_windows_file(name);
    }
}

namespace {

// Of pc.office.contoso.com: contoso.com, and contoso by itself.
void learn_domain(Text host, Names& names) {
    const std::size_t top = host.rfind(u'.');
    const std::size_t label = host.substr(0, top).rfind(u'.');
    if (label != Text::npos) {
        names.add_computer(host.substr(label + 1));
        const Text own = host.substr(label + 1, top - label - 1);
        if (own.size() > 3) { // co.uk
            names.add_computer(own);
        }
    }
}

// Whether the first of several labels names something by itself: www does not.
enum class FirstLabel : std::uint8_t { counts, stays };

void learn_host(Text host, FirstLabel first, Names& names) {
    while (!host.empty() && is_slash(host.front())) {
        host.remove_prefix(1);
    }
    const std::size_t end = std::min(host.find_first_of(u":/\\ ;,"), host.size());
    host = host.substr(0, end);
    const bool is_address =
        std::ranges::none_of(host, [](char16_t c) { return is_ascii_letter(c) || c >= 0x80; });
    if (is_address) {
        return;
    }
    names.add_computer(host);
    const std::size_t dot = host.find(u'.');
    if (first == FirstLabel::counts || dot == Text::npos) {
        names.add_computer(host.substr(0, dot));
    }
    if (dot != Text::npos) {
        learn_domain(host, names);
    }
}

void learn_host(Text host, Names& names) {
    learn_host(host, FirstLabel::counts, names);
}

// https://somebody@web.contoso.com:8080/x
void learn_url(Text url, Names& names) {
    const std::size_t scheme = url.find(u"://");
    if (scheme != Text::npos) {
        const Text rest = url.substr(scheme + 3);
        const Text place = rest.substr(0, std::min(rest.find_first_of(u"/?#"), rest.size()));
        const Text host = place.substr(place.rfind(u'@') + 1);
        learn_host(host.substr(0, host.find(u':')), FirstLabel::stays, names);
    }
}

void learn_account(Text account, Names& names) {
    const std::size_t slash = account.find_first_of(u"\\/");
    const std::size_t at = account.find(u'@');
    if (slash != Text::npos) {
        learn_host(account.substr(0, slash), names);
        account = account.substr(slash + 1);
    } else if (at != Text::npos) {
        learn_host(account.substr(at + 1), names);
        account = account.substr(0, at);
    }
    names.add_user(account);
}

} // namespace

void learn_profiles(Text text, Names& names) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_slash(text[i])) {
            if (const Range profile = profile_after(text, i);
                !profile.empty() && profile.end < text.size() && is_slash(text[profile.end])) {
                names.add_user(text.substr(profile.begin, profile.end - profile.begin));
            }
        }
    }
}

void learn_names(Text text, Role role, KeyRoles& keys, Names& names) {
    if (role == Role::user) {
        learn_account(text, names);
    } else if (role == Role::computer) {
        learn_host(text, names);
    } else if (role == Role::url) {
        learn_url(text, names);
    }
    std::vector<Finding> found;
    find_private(text, Search::text, keys, found);
    for (const Finding& one : found) {
        const Text name = text.substr(one.where.begin, one.where.end - one.where.begin);
        if (one.role == Role::user) {
            learn_account(name, names);
        } else if (one.role == Role::computer) {
            learn_host(name, names);
        }
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == u'@') {
            if (const Range mail = mail_around(text, i); !mail.empty()) {
                learn_account(text.substr(mail.begin, mail.end - mail.begin), names);
            }
        } else if (is_slash(text[i])) {
            if (const Range file = role == Role::path ? windows_file_after(text, i) : Range{};
                !file.empty()) {
                names.add_windows_file(text.substr(file.begin, file.end - file.begin));
            }
            if (const Range server = server_after(text, i); !server.empty()) {
                learn_host(text.substr(server.begin, server.end - server.begin), names);
            }
            if (const Range profile = profile_after(text, i); !profile.empty()) {
                names.add_user(text.substr(profile.begin, profile.end - profile.begin));
            }
        }
    }
}

struct NameCollector::State {
    State(schema::SchemasByTrace schemas, decode::DecoderOptions how)
        : decoder(std::move(schemas), how) {}

    KindPlan& plan_of(const decode::DecodedEvent& event) {
        if (generation != decoder.generation()) {
            plans.clear();
            generation = decoder.generation();
        }
        const std::size_t number = event.kind->number;
        if (number >= plans.size()) {
            plans.resize(number + 1);
        }
        if (!plans[number]) {
            plans[number] = std::make_unique<KindPlan>(make_plan(event, options));
            if (event.kind->log) {
                learn_computer(event.kind->log->computer);
            }
        }
        return *plans[number];
    }

    void learn(Bytes bytes, const FieldTask& task) {
        if (is_text(task.role) && !bytes.empty()) {
            load_units(bytes, task.unit, units);
            if (recent.find(units, task.role) == nullptr) {
                learn_names(units, task.role, keys, names);
                recent.keep(units, task.role);
            }
        }
    }

    void learn_computer(std::string_view name) {
        load_units(std::as_bytes(std::span(name)), UnitSize::one, units);
        learn_names(units, Role::computer, keys, names);
    }

    // As 8-bit text and as UTF-16 at either place.
    void learn_opaque(Bytes bytes) {
        for (const UnitSize unit : {UnitSize::one, UnitSize::two}) {
            load_units(bytes, unit, units);
            learn_profiles(units, names);
        }
        if (!bytes.empty()) {
            load_units(bytes.subspan(1), UnitSize::two, units);
            learn_profiles(units, names);
        }
    }

    /// Whose it is: what packets hold is wiped.
    void learn_packet(const flow::EventHeader& header) {
        find_packet_parts(header, parts);
        for (const PacketPart& part : parts) {
            if (part.holds == PacketPart::Holds::user) {
                load_units(header.payload.subspan(part.at, part.size), UnitSize::two, units);
                learn_names(units, Role::user, keys, names);
            }
        }
    }

    void add(const flow::Event& event) {
        using decode::Step;
        const decode::DecodedEvent& decoded = decoder.decode(event);
        const KindPlan& plan = plan_of(decoded);
        if (plan.has_packet) {
            learn_packet(decoded.header);
            return;
        }
        if (plan.is_opaque) {
            learn_opaque(decoded.header.payload);
        }
        if (plan.is_idle || plan.carries_schema) {
            return;
        }
        Bytes pieces;
        walker.start(decoded.kind->plan, decoded.body);
        for (Step step = walker.next(); step != Step::end; step = walker.next()) {
            const FieldTask& task = plan.tasks[walker.field()];
            if (step == Step::value && task.in_pieces) {
                const Bytes piece = walker.bytes();
                pieces = pieces.empty() ? piece : Bytes(pieces.data(), piece.data() + piece.size());
            } else if (step == Step::value) {
                learn(walker.bytes(), task);
            } else if (step == Step::array_end && task.in_pieces) {
                learn(pieces, task);
                pieces = {};
            }
        }
    }

    Options options;
    decode::Decoder decoder;
    decode::FieldWalker walker;
    std::vector<std::unique_ptr<KindPlan>> plans; // by number of the kind
    std::uint32_t generation = 0;
    std::u16string units;
    std::vector<PacketPart> parts;
    Names names;
    KeyRoles keys;
    RecentTexts<std::monostate> recent; // their names are known
};

NameCollector::NameCollector(schema::SchemasByTrace schemas, decode::DecoderOptions options)
    : state_(std::make_unique<State>(std::move(schemas), options)) {}

NameCollector::~NameCollector() = default;
NameCollector::NameCollector(NameCollector&&) noexcept = default;
NameCollector& NameCollector::operator=(NameCollector&&) noexcept = default;

void NameCollector::add(flow::Run events) {
    for (const flow::Event& event : events) {
        state_->add(event);
    }
}

void NameCollector::add(const format::LogfileHeader& header) {
    learn_names(header.log_file_name, Role::path, state_->keys, state_->names);
    learn_names(header.session_name, Role::text, state_->keys, state_->names);
}

Names NameCollector::take() {
    return std::move(state_->names);
}

} // namespace etl::anonymize
