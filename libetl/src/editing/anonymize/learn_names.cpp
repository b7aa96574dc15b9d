#include "anonymize/names/well_known.hpp"
#include "anonymize/texts/rewriter.hpp"

#include <algorithm>

namespace etl::anonymize {

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

} // namespace etl::anonymize
