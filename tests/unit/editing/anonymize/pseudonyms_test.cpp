#include "anonymize/names/pseudonyms.hpp"
#include "tests/unit/editing/anonymize/rewriting.hpp"

#include <gtest/gtest.h>

#include <set>

namespace etl::anonymize::pseudonyms_test {
namespace {

using Octets = std::array<std::uint8_t, 4>;

Pseudonyms of_key(std::string_view secret) {
    return Pseudonyms(key_of(std::as_bytes(std::span(secret))));
}

std::u16string renamed(const Pseudonyms& pseudonyms, std::u16string name) {
    pseudonyms.rename(name);
    return name;
}

// The vector of the paper: key 00..0f, message 00..0e.
TEST(SipHash, GivesWhatItsPaperSays) {
    std::array<std::uint8_t, 16> key{};
    std::array<std::byte, 15> message{};
    for (std::uint8_t i = 0; i < 16; ++i) {
        key[i] = i;
        if (i < 15) {
            message[i] = std::byte{i};
        }
    }
    EXPECT_EQ(SipHash(key)(message), 0xa129ca6149be45e5U);
}

TEST(Rename, KeepsLengthAndPunctuation) {
    const Pseudonyms pseudonyms = of_key("k");
    const std::u16string to = renamed(pseudonyms, u"Jean-Luc_P.42");
    ASSERT_EQ(to.size(), 13U);
    EXPECT_EQ(to[4], u'-');
    EXPECT_EQ(to[8], u'_');
    EXPECT_EQ(to[10], u'.');
    EXPECT_NE(to, u"jean-luc_p.42");
}

TEST(Rename, DoesNotKnowCase) {
    const Pseudonyms pseudonyms = of_key("k");
    EXPECT_EQ(renamed(pseudonyms, u"Alice"), renamed(pseudonyms, u"aLICE"));
    EXPECT_EQ(renamed(pseudonyms, u"J\u00DCrgen"), renamed(pseudonyms, u"j\u00FCRGEN"));
}

TEST(Rename, DependsOnTheKeyAlone) {
    EXPECT_EQ(renamed(of_key("one"), u"alice"), renamed(of_key("one"), u"alice"));
    EXPECT_NE(renamed(of_key("one"), u"alice"), renamed(of_key("two"), u"alice"));
}

TEST(Rename, IsAPermutationOfShortNames) {
    const Pseudonyms pseudonyms = of_key("k");
    constexpr std::u16string_view letters = u"0123456789abcdefghijklmnopqrstuvwxyz";
    std::set<std::u16string> one, two;
    for (const char16_t a : letters) {
        one.insert(renamed(pseudonyms, {a}));
        for (const char16_t b : letters) {
            two.insert(renamed(pseudonyms, {a, b}));
        }
    }
    EXPECT_EQ(one.size(), 36U);
    EXPECT_EQ(two.size(), 36U * 36U);
}

TEST(Rename, GivesDistinctNamesDistinctOnes) {
    const Pseudonyms pseudonyms = of_key("k");
    std::set<std::u16string> all;
    for (int i = 0; i < 20'000; ++i) {
        std::u16string name;
        for (int digits = i; name.size() < 4; digits /= 36) {
            name.push_back(static_cast<char16_t>(u'a' + digits % 36 % 26));
            name.back() = digits % 36 < 10 ? static_cast<char16_t>(u'0' + digits % 36)
                                           : static_cast<char16_t>(u'a' + digits % 36 - 10);
        }
        all.insert(renamed(pseudonyms, name));
    }
    EXPECT_EQ(all.size(), 20'000U);
}

TEST(Rename, WritesAsciiForLettersBeyondIt) {
    for (const char16_t c : renamed(of_key("k"), u"\u674E\u660E\u6587")) {
        EXPECT_TRUE(is_digit(c) || (c >= u'a' && c <= u'z'));
    }
}

TEST(Ipv4, KeepsDigitsPrefixesAndWhatIsNobodys) {
    const Pseudonyms pseudonyms = of_key("k");
    for (const Octets stays :
         {Octets{0, 0, 0, 0}, {127, 0, 0, 1}, {224, 0, 0, 251}, {255, 255, 255, 0}}) {
        EXPECT_EQ(pseudonyms.ipv4(stays), stays);
    }
    const Octets a = pseudonyms.ipv4({192, 168, 7, 21});
    const Octets b = pseudonyms.ipv4({192, 168, 7, 22});
    const Octets c = pseudonyms.ipv4({192, 168, 8, 21});
    EXPECT_NE(a, (Octets{192, 168, 7, 21}));
    EXPECT_TRUE(std::equal(a.begin(), a.begin() + 3, b.begin()));
    EXPECT_NE(a[3], b[3]);
    EXPECT_EQ(a[1], c[1]);
    EXPECT_NE(a[2], c[2]);
    EXPECT_TRUE(a[0] >= 100 && a[0] < 224 && a[0] != 127 && a[2] < 10);
}

TEST(Ipv4, IsAPermutation) {
    const Pseudonyms pseudonyms = of_key("k");
    std::set<Octets> firsts, lasts;
    for (unsigned i = 0; i < 256; ++i) {
        const auto octet = static_cast<std::uint8_t>(i);
        const Octets first = pseudonyms.ipv4({octet, 1, 1, 1});
        const bool stays = i == 0 || i == 127 || i >= 224;
        EXPECT_EQ(first[0] == 0 || first[0] == 127 || first[0] >= 224, stays) << i;
        firsts.insert(first);
        lasts.insert(pseudonyms.ipv4({10, 0, 0, octet}));
    }
    EXPECT_EQ(firsts.size(), 256U);
    EXPECT_EQ(lasts.size(), 256U);
    EXPECT_EQ(pseudonyms.ipv4({10, 0, 0, 255})[3], 255);
}

TEST(Ipv6, KeepsZerosAndPrefixes) {
    const Pseudonyms pseudonyms = of_key("k");
    const Ipv6Groups a = pseudonyms.ipv6({0x2001, 0xDB8, 0, 0, 0, 0, 0, 0x17});
    const Ipv6Groups b = pseudonyms.ipv6({0x2001, 0xDB8, 0, 0, 0, 0, 0, 0x18});
    EXPECT_TRUE(std::equal(a.begin(), a.begin() + 7, b.begin()));
    EXPECT_NE(a[7], b[7]);
    EXPECT_TRUE(a[0] >= 0x2000 && a[0] < 0x4000);
    EXPECT_TRUE(a[1] >= 0x100 && a[1] < 0x1000 && a[7] >= 0x10 && a[7] < 0x100);
    for (const Ipv6Groups stays :
         {Ipv6Groups{}, {0, 0, 0, 0, 0, 0, 0, 1}, {0xFF02, 0, 0, 0, 0, 0, 0, 0xC}}) {
        EXPECT_EQ(pseudonyms.ipv6(stays), stays);
    }
    EXPECT_EQ(pseudonyms.ipv6({0xFE80, 0, 0, 0, 1, 2, 3, 4})[0], 0xFE80);
}

TEST(Ipv6, HoldsTheSameIpv4AddressAsElsewhere) {
    const Pseudonyms pseudonyms = of_key("k");
    const Octets plain = pseudonyms.ipv4({10, 20, 30, 40});
    const Ipv6Groups mapped = pseudonyms.ipv6({0, 0, 0, 0, 0, 0xFFFF, 0x0A14, 0x1E28});
    EXPECT_EQ(mapped[5], 0xFFFF);
    EXPECT_EQ(mapped[6], plain[0] << 8 | plain[1]);
    EXPECT_EQ(mapped[7], plain[2] << 8 | plain[3]);
}

TEST(Mac, KeepsGroupsAndNothing) {
    const Pseudonyms pseudonyms = of_key("k");
    using Mac = std::array<std::uint8_t, 6>;
    for (const Mac stays : {Mac{}, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, {1, 0, 0x5E, 0, 0, 1}}) {
        EXPECT_EQ(pseudonyms.mac(stays), stays);
    }
    const Mac to = pseudonyms.mac({0x00, 0x15, 0x5D, 1, 2, 3});
    EXPECT_NE(to, (Mac{0x00, 0x15, 0x5D, 1, 2, 3}));
    EXPECT_EQ(to[0] & 3U, 0U) << "an address of one card, given by its maker";
    EXPECT_NE(to, pseudonyms.mac({0x00, 0x15, 0x5D, 1, 2, 4}));
}

TEST(Sid, KeepsDomainsTogetherAndWellKnownAccounts) {
    const Pseudonyms pseudonyms = of_key("k");
    const auto of = [&](std::vector<std::uint32_t> parts) {
        pseudonyms.sid(5, parts);
        return parts;
    };
    const auto a = of({21, 1111111111, 222222222, 3333333333, 1001});
    const auto b = of({21, 1111111111, 222222222, 3333333333, 1002});
    const auto admin = of({21, 1111111111, 222222222, 3333333333, 500});
    EXPECT_TRUE(std::equal(a.begin(), a.begin() + 4, b.begin()));
    EXPECT_NE(a[1], 1111111111U);
    EXPECT_NE(a[4], b[4]);
    EXPECT_TRUE(a[4] >= 1000 && a[4] < 10000);
    EXPECT_EQ(admin[4], 500U);
    EXPECT_EQ(of({18}), std::vector<std::uint32_t>{18});
    EXPECT_EQ(of({32, 544}), (std::vector<std::uint32_t>{32, 544}));
}

} // namespace
} // namespace etl::anonymize::pseudonyms_test
