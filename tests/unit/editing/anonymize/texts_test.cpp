#include "anonymize/kind_plan.hpp"
#include "anonymize/limits.hpp"
#include "tests/unit/editing/anonymize/rewriting.hpp"

#include <gtest/gtest.h>

namespace etl::anonymize::texts_test {
namespace {

std::u16string strings(const std::u16string& a, std::u16string_view b,
                       const std::u16string& c = {}) {
    return a + std::u16string(b) + c;
}

TEST(Texts, SidsKeepTheirFormWhereverTheyStand) {
    Rewriting rewrite;
    const std::u16string text = u"(S-1-5-21-1111111111-222222222-3333333333-1001) S-1-5-18";
    const std::u16string to = rewrite(text);
    ASSERT_EQ(to.size(), text.size());
    EXPECT_TRUE(to.starts_with(u"(S-1-5-21-"));
    EXPECT_TRUE(to.ends_with(u") S-1-5-18"));
    EXPECT_EQ(to.find(u"222222222"), std::u16string::npos);
    EXPECT_EQ(rewrite.changed, only(Kind::sid));
}

TEST(Texts, ThatComeAgainAreRewrittenAsBeforeByTheirRole) {
    Rewriting rewrite;
    const std::u16string text = u"tea password=oolong-77 10.1.22.133";
    const std::u16string once = rewrite(text);
    const KindSet changed = rewrite.changed;
    EXPECT_NE(changed, 0);
    const std::u16string as_secret = rewrite(text, Role::secret);
    EXPECT_NE(as_secret, once);
    for (int i = 0; i < 5000; ++i) { // many others come in between
        rewrite(u"cup " + std::u16string(static_cast<std::size_t>(i % 40), u'x'));
        if (i % 1000 == 0) {
            EXPECT_EQ(rewrite(text), once);
            EXPECT_EQ(rewrite.changed, changed);
            EXPECT_EQ(rewrite(text, Role::secret), as_secret);
        }
    }
    const std::u16string longer = text + std::u16string(1000, u'-'); // not kept
    EXPECT_EQ(rewrite(longer), once + std::u16string(1000, u'-'));
    EXPECT_EQ(rewrite(longer), once + std::u16string(1000, u'-'));
}

TEST(Texts, AddressesAreTheSameInTextAndInBinary) {
    Rewriting rewrite;
    const auto octets = Pseudonyms(test_key()).ipv4({10, 1, 22, 133});
    std::u16string expected;
    for (const std::uint8_t octet : octets) {
        for (const char c : std::to_string(octet)) {
            expected.push_back(static_cast<char16_t>(c));
        }
        expected.push_back(u'.');
    }
    expected.pop_back();
    EXPECT_EQ(rewrite(u"to 10.1.22.133:443."), u"to " + expected + u":443.");
    EXPECT_EQ(rewrite.changed, only(Kind::ip_address));
}

TEST(Texts, Ipv6AddressesKeepTheirForm) {
    Rewriting rewrite;
    const std::u16string text = u"[2001:db8::ff:1a2b]:80 fe80::1%12 ::ffff:10.1.22.133, ::1";
    const std::u16string to = rewrite(text);
    ASSERT_EQ(to.size(), text.size());
    EXPECT_EQ(to[5], u':');
    EXPECT_EQ(to.substr(9, 2), u"::");
    EXPECT_EQ(to.find(u"db8"), std::u16string::npos);
    EXPECT_TRUE(to.ends_with(u", ::1"));
    const std::u16string plain = rewrite(u"10.1.22.133");
    EXPECT_NE(to.find(u"::ffff:" + plain), std::u16string::npos);
    const std::u16string hex = rewrite(u"fe80::5efe:a78:109d");
    EXPECT_EQ(hex.substr(0, 11), u"fe80::5efe:");
    EXPECT_EQ(hex[14], u':');
    EXPECT_NE(hex.substr(11), u"a78:109d");
}

TEST(Texts, WhatOnlyLooksLikeAnAddressStays) {
    Rewriting rewrite;
    for (const std::u16string text :
         {u"at 12:34:56", u"mscorlib, Version=4.0.0.0", u"v4.0_4.0.0.0__b77a5c", u"std::begin",
          u"10.0.18362.449", u"1.2.3", u"dead::beef", u"127.0.0.1", u"01:02:03", u"a 1.2.3.4.5 b",
          u"00:11:22:33:44:55:66:77:88"}) {
        EXPECT_EQ(rewrite(text), text);
        EXPECT_EQ(rewrite.changed, 0);
    }
    EXPECT_EQ(rewrite(u"3.1.28.7", Role::version), u"3.1.28.7");
}

TEST(Texts, MacAddressesAreReplacedInTheirOwnSpelling) {
    Rewriting rewrite;
    const std::u16string dashes = rewrite(u"00-15-5D-AB-CD-EF");
    EXPECT_NE(dashes, u"00-15-5D-AB-CD-EF");
    EXPECT_EQ(rewrite.changed, only(Kind::mac_address));
    std::u16string colons = rewrite(u"00:15:5d:ab:cd:ef");
    for (std::size_t i = 0; i < colons.size(); ++i) {
        EXPECT_EQ(folded(dashes[i]), i % 3 == 2 ? u'-' : folded(colons[i]));
    }
}

TEST(Texts, TheExtensionStaysBehindAQuotedPartOfAName) {
    Rewriting rewrite;
    const std::u16string to = rewrite(u"cup \"blue\".exe", Role::path);
    EXPECT_EQ(to.find(u"cup"), std::u16string::npos);
    EXPECT_TRUE(to.ends_with(u"\".exe"));
    EXPECT_EQ(to.find(u"blue"), std::u16string::npos);
    // A file whose name is all there is, and one that only looks like an extension.
    EXPECT_FALSE(rewrite(u"C:\\cups\\.exe", Role::path).ends_with(u".exe"));
    EXPECT_FALSE(rewrite(u"cup \"blue\".alice", Role::path).ends_with(u".alice"));
}

TEST(Texts, LearnedNamesAreFoundAsWholeWordsInAnyCase) {
    Rewriting rewrite(names_of({u"alice"}, {u"ALICE-PC"}));
    const std::u16string user = rewrite.name(u"alice");
    const std::u16string computer = rewrite.name(u"alice-pc");
    EXPECT_EQ(rewrite(u"Hello ALICE, alice_x on Alice-PC"),
              u"Hello " + user + u", " + user + u"_x on " + computer);
    EXPECT_EQ(rewrite(u"malice alice2"), u"malice alice2");
}

TEST(Texts, LearnedNamesAreFoundHoweverManyBeginWithTheSameWord) {
    Names names;
    const auto computer = [](int i) {
        return u"DESKTOP-" + std::u16string(1, static_cast<char16_t>(u'A' + i % 26)) +
               std::u16string(static_cast<std::size_t>(1 + i / 26), u'Q');
    };
    constexpr int count = 400;
    for (int i = 0; i < count; ++i) {
        names.add_computer(computer(i));
    }
    EXPECT_FALSE(names.has_omitted());
    Rewriting rewrite(names);
    for (int i = 0; i < count; ++i) {
        const std::u16string text = rewrite(u"connected to " + computer(i) + u" again");
        EXPECT_EQ(text.find(u"DESKTOP"), std::u16string::npos) << i;
    }
    // The longest one, whose beginning is the name of another.
    EXPECT_EQ(rewrite(u"DESKTOP-AQQ"), rewrite.name(u"desktop-aqq"));
    EXPECT_EQ(rewrite(u"DESKTOP-AQQx"), u"DESKTOP-AQQx");
}

TEST(Texts, LearnedNamesAreFoundInUtf8InAnyCase) {
    // As the units of an 8-bit text: a byte each.
    const auto bytes = [](std::u8string_view text) {
        return std::u16string(text.begin(), text.end());
    };
    Rewriting rewrite(
        names_of({u"\u00c9lodie", u"\u0420\u0435\u043d\u0430\u0442", u"j\u00f6rgm\u00fcller"}));
    for (const std::u8string_view name :
         {u8"\u00c9lodie", u8"\u00e9lodie", u8"\u00c9LODIE", u8"\u0420\u0435\u043d\u0430\u0442",
          u8"\u0440\u0435\u043d\u0430\u0442", u8"\u0420\u0415\u041d\u0410\u0422",
          u8"J\u00d6RGM\u00dcLLER", u8"J\u00f6rgM\u00fcller"}) {
        const std::u16string before = bytes(u8"by ") + bytes(name) + bytes(u8" again");
        const std::u16string after = rewrite(before);
        EXPECT_EQ(after.find(bytes(name)), std::u16string::npos);
        EXPECT_EQ(after.size(), before.size());
        EXPECT_TRUE(after.starts_with(u"by ") && after.ends_with(u" again"));
    }
}

TEST(Learning, SaysThatThereAreTooManyNames) {
    Names names;
    for (std::size_t i = 0; i <= limits::private_names; ++i) {
        EXPECT_FALSE(names.has_omitted());
        names.add_user(u"user" + std::u16string(1, static_cast<char16_t>(0x4E00 + i % 0x1000)) +
                       std::u16string(1, static_cast<char16_t>(0x5000 + i / 0x1000)));
    }
    EXPECT_TRUE(names.has_omitted());
    Names all;
    all.combine(names);
    EXPECT_TRUE(all.has_omitted());
}

TEST(Texts, ProfilesGoWithAllBelow) {
    Rewriting rewrite;
    const std::u16string user = rewrite.name(u"bob builder");
    EXPECT_EQ(rewrite(u"open C:\\Users\\Bob Builder\\Documents\\Plan.docx failed"),
              u"open C:\\Users\\" + user + u"\\Documents\\" + rewrite.name(u"plan") +
                  u".docx failed");
    EXPECT_EQ(rewrite.changed, only(Kind::user) | only(Kind::path));
    EXPECT_EQ(rewrite(u"C:\\Users\\Public\\Documents"), u"C:\\Users\\Public\\Documents");
    EXPECT_EQ(rewrite(u"\\\\filer\\share"), u"\\\\" + rewrite.name(u"filer") + u"\\share");
}

TEST(Texts, NamesWithBlanksInPathsDoNotStayBehind) {
    Rewriting rewrite;
    const std::u16string to = rewrite(u"cannot read C:\\Users\\bob\\My Tax Plan.xlsx today");
    EXPECT_EQ(to.find(u"Tax"), std::u16string::npos);
    EXPECT_TRUE(to.ends_with(u".xlsx today"));
}

TEST(Paths, KeepTheirShape) {
    Rewriting rewrite;
    const auto path = [&](const std::u16string& text) { return rewrite(text, Role::path); };
    EXPECT_EQ(path(u"C:\\Windows\\System32\\secret.dll"), u"C:\\Windows\\System32\\secret.dll");
    EXPECT_EQ(path(u"\\Device\\HarddiskVolume3\\Windows\\x.exe"),
              u"\\Device\\HarddiskVolume3\\Windows\\x.exe");
    EXPECT_EQ(path(u"\\SystemRoot\\system32\\a.sys"), u"\\SystemRoot\\system32\\a.sys");
    EXPECT_EQ(rewrite.changed, 0);
    EXPECT_EQ(path(u"\\\\?\\D:\\Projects\\Apollo\\main.cpp"),
              u"\\\\?\\D:\\" + rewrite.name(u"projects") + u"\\" + rewrite.name(u"apollo") + u"\\" +
                  rewrite.name(u"main") + u".cpp");
    EXPECT_EQ(path(u"C:\\Program Files (x86)\\Acme\\tool.v2.exe"),
              u"C:\\Program Files (x86)\\" + rewrite.name(u"acme") + u"\\" +
                  rewrite.name(u"tool.v2") + u".exe");
    EXPECT_EQ(path(u"svchost.exe"), u"svchost.exe");
    EXPECT_EQ(path(u"acme.exe"), rewrite.name(u"acme") + u".exe");
}

TEST(Paths, FilesOfWindowsStayWhereverTheyStand) {
    Names names;
    learn(u"\\Device\\HarddiskVolume3\\Windows\\System32\\drivers\\Kd.dll", Role::path, names);
    learn(u"C:\\Windows\\Temp\\secret.exe", Role::path, names);
    Rewriting rewrite(names);
    EXPECT_EQ(rewrite(u"kd.dll", Role::path), u"kd.dll");
    EXPECT_EQ(rewrite(u"wkd.pdb", Role::path), u"wkd.pdb");
    EXPECT_EQ(rewrite(u"secret.exe", Role::path), rewrite.name(u"secret") + u".exe");
}

TEST(Paths, ServersAreComputersAndProfilesAreUsers) {
    Rewriting rewrite;
    const std::u16string server =
        rewrite.name(u"filer") + u"." + rewrite.name(u"contoso") + u".com";
    EXPECT_EQ(rewrite(u"\\\\filer.contoso.com\\team\\x", Role::path),
              u"\\\\" + server + u"\\" + rewrite.name(u"team") + u"\\" + rewrite.name(u"x"));
    EXPECT_NE(rewrite.changed & only(Kind::computer), 0);
    EXPECT_EQ(rewrite(u"\\Device\\Mup\\filer\\x", Role::path),
              u"\\Device\\Mup\\" + rewrite.name(u"filer") + u"\\" + rewrite.name(u"x"));
    EXPECT_EQ(rewrite(u"C:\\Users\\john.smith", Role::path),
              u"C:\\Users\\" + rewrite.name(u"john.smith"));
    EXPECT_EQ(rewrite.changed, only(Kind::user));
}

TEST(Accounts, ArePartsByThemselves) {
    Rewriting rewrite;
    const std::u16string user = rewrite.name(u"alice");
    EXPECT_EQ(rewrite(u"CONTOSO\\Alice", Role::user), rewrite.name(u"contoso") + u"\\" + user);
    EXPECT_EQ(rewrite(u"alice@contoso.com", Role::user),
              user + u"@" + rewrite.name(u"contoso") + u".com");
    EXPECT_EQ(rewrite(u"NT AUTHORITY\\SYSTEM", Role::user), u"NT AUTHORITY\\SYSTEM");
    EXPECT_EQ(rewrite.changed, 0);
}

TEST(CommandLines, KeepProgramsOfWindowsAndTheirShape) {
    Rewriting rewrite;
    const std::u16string text =
        u"\"C:\\Windows\\system32\\cmd.exe\" /c C:\\Tools\\run.bat --user=alice -p S3cret!";
    const std::u16string to = rewrite(text, Role::command_line);
    ASSERT_EQ(to.size(), text.size());
    EXPECT_TRUE(to.starts_with(u"\"C:\\Windows\\system32\\cmd.exe\" /"));
    EXPECT_NE(to.find(u".bat --"), std::u16string::npos);
    EXPECT_NE(to.find(u"=" + rewrite.name(u"alice") + u" -"), std::u16string::npos);
    for (const auto gone : {u"alice", u"S3cret", u"Tools", u"run"}) {
        EXPECT_EQ(to.find(gone), std::u16string::npos);
    }
}

TEST(Urls, KeepSchemeAndPort) {
    Rewriting rewrite;
    EXPECT_EQ(rewrite(u"http://web1:80/tax.html", Role::url),
              u"http://" + rewrite.name(u"web1") + u":80/" + rewrite.name(u"tax") + u".html");
}

TEST(Learning, FindsUsersAndComputers) {
    Names names;
    learn(u"CONTOSO\\Alice", Role::user, names);
    learn(u"pc-17.contoso.com", Role::computer, names);
    learn(u"x \"C:\\Users\\bob\\a\" \\\\filer\\share USERNAME=carol", Role::text, names);
    learn(u"NT AUTHORITY\\SYSTEM", Role::user, names);
    learn(u"C:\\Users\\Public\\x", Role::path, names);
    EXPECT_EQ(names.users(), (std::set<std::u16string, std::less<>>{u"alice", u"bob", u"carol"}));
    EXPECT_EQ(names.computers(),
              (std::set<std::u16string, std::less<>>{u"contoso", u"contoso.com", u"filer", u"pc-17",
                                                     u"pc-17.contoso.com"}));
}

TEST(Learning, TakesDomainsAndHostsOfUrls) {
    Names names;
    learn(u"https://hosty.contoso.com:8080/a", Role::url, names);
    learn(u"write to carol@fabrikam.org.", Role::text, names);
    EXPECT_TRUE(names.computers().contains(u"contoso.com"));
    EXPECT_TRUE(names.computers().contains(u"contoso"));
    EXPECT_TRUE(names.computers().contains(u"hosty.contoso.com"));
    EXPECT_TRUE(names.computers().contains(u"fabrikam.org"));
    EXPECT_FALSE(names.computers().contains(u"hosty"));
    EXPECT_EQ(names.users(), (std::set<std::u16string, std::less<>>{u"carol"}));
    Rewriting rewrite(names);
    EXPECT_EQ(rewrite(u"see contoso.com, please"),
              u"see " + rewrite.name(u"contoso") + u".com, please");
}

TEST(Learning, LeavesCommonWordsOutOfOtherTexts) {
    Names names;
    for (const std::u16string name : {u"TEMP", u"test", u"error", u"admin", u"Microsoft"}) {
        learn(u"C:\\Users\\" + name + u"\\x", Role::path, names);
    }
    EXPECT_TRUE(names.users().empty());
    Rewriting rewrite(names);
    EXPECT_EQ(rewrite(u"Microsoft error in C:\\Users\\test\\Desktop"),
              u"Microsoft error in C:\\Users\\" + rewrite.name(u"test") + u"\\Desktop");
}

TEST(Texts, MailAddressesAreAccountsAtHosts) {
    Rewriting rewrite;
    EXPECT_EQ(rewrite(u"to: <a.bee@mail.contoso.com>."), u"to: <" + rewrite.name(u"a.bee") + u"@" +
                                                             rewrite.name(u"mail") + u"." +
                                                             rewrite.name(u"contoso") + u".com>.");
    EXPECT_EQ(rewrite.changed, only(Kind::user) | only(Kind::computer));
    for (const std::u16string text :
         {u"f@x.dll", u"a @ b.com", u"x@y", u"@a.com", u"??0A@B@@QEAA"}) {
        EXPECT_EQ(rewrite(text), text);
    }
}

TEST(Texts, PlaceholdersStayAsTheyAre) {
    Rewriting rewrite;
    for (const Role role :
         {Role::user, Role::computer, Role::path, Role::url, Role::command_line}) {
        for (const std::u16string text :
             {u"[multiple files]", u"(null)", u"N/A", u"about:blank", u"", u"-", u"<unknown>"}) {
            EXPECT_EQ(rewrite(text, role), text);
        }
    }
    EXPECT_NE(rewrite(u"(nullx)", Role::path), u"(nullx)");
}

TEST(Fields, AreKnownByTheirNames) {
    const auto role = [](std::string_view name) {
        return role_of(decode::Form::text16, name, Guid{});
    };
    for (const auto name : {"TargetUser", "Users", "FullName", "DisplayName"}) {
        EXPECT_EQ(role(name), Role::user) << name;
    }
    for (const auto name : {"RemoteHost", "ClientName", "SSID", "Workgroup", "PcName"}) {
        EXPECT_EQ(role(name), Role::computer) << name;
    }
    for (const auto name : {"ScriptBlockText", "Script"}) {
        EXPECT_EQ(role(name), Role::script) << name;
    }
    for (const auto name : {"KeyName", "RelativeName", "RegistryPath", "ValueName"}) {
        EXPECT_EQ(role(name), Role::registry) << name;
    }
    for (const auto name : {"ObjectName", "ShareName", "ModuleName", "OpenPath", "File"}) {
        EXPECT_EQ(role(name), Role::path) << name;
    }
}

TEST(Fields, OfPowerShellsLogOfModulesAreScripts) {
    constexpr Guid powershell = *parse_guid("a0c1853b-5c40-4b15-8766-3cf1c58f985a");
    for (const auto name : {"ContextInfo", "UserData", "Payload"}) {
        EXPECT_EQ(role_of(decode::Form::text16, name, powershell), Role::script);
        EXPECT_EQ(role_of(decode::Form::text16, name, Guid{}), Role::text);
    }
}

TEST(Texts, NamesInUtf8AreFoundByTheirBytes) {
    Rewriting rewrite(names_of({u"j\u00FCrgen"}));
    const std::u16string bytes = u"hi j\u00C3\u00BCrgen!"; // as units of an 8-bit text
    const std::u16string to = rewrite(bytes);
    EXPECT_EQ(to.size(), bytes.size());
    EXPECT_EQ(to.find(u"rgen"), std::u16string::npos);
    for (const char16_t c : to) {
        EXPECT_LT(c, 0x80);
    }
}

TEST(Texts, DecoysOfAnyLengthAreRead) {
    Rewriting rewrite(names_of({u"alice"}, {u"srv"}));
    const std::u16string pieces[] = {u"S-1-", u"::",   u"1.2.3.", u"\\\\",   u"\\Users\\", u"\"",
                                     u"=",    u"a:",   u"alice",  u"00-11",  u" ",         u"ffff:",
                                     u"/",    u"%%\\", u"C:",     u"\u0130", u".exe",      u"@"};
    for (unsigned seed = 0; seed < 4000; ++seed) {
        std::u16string text;
        for (unsigned left = seed, i = 0; i < 6; ++i, left = left * 31 + 7) {
            text = strings(text, pieces[left % std::size(pieces)]);
        }
        for (const Role role : {Role::text, Role::user, Role::computer, Role::command_line,
                                Role::path, Role::url, Role::version}) {
            const std::u16string to = rewrite(text, role);
            ASSERT_EQ(to.size(), text.size());
            EXPECT_EQ(rewrite.changed == 0, to == text);
        }
    }
}

TEST(Scripts, LeaveNoWordOfThemselves) {
    Rewriting rewriting;
    const std::u16string before = u"$key = 'hunter2'; Get-Item C:\\Windows\\x # for alice";
    const std::u16string after = rewriting(before, Role::script);
    ASSERT_EQ(after.size(), before.size());
    for (const std::u16string_view word : {u"hunter2", u"Windows", u"alice", u"Item"}) {
        EXPECT_FALSE(after.contains(word));
    }
    EXPECT_TRUE(after.contains(rewriting.name(u"alice")));
    EXPECT_EQ(after.substr(0, 1), u"$");
}

TEST(RegistryPaths, KeepWhatEveryWindowsHas) {
    Rewriting rewriting;
    const std::u16string after =
        rewriting(u"\\REGISTRY\\MACHINE\\SOFTWARE\\Microsoft\\Windows\\Contoso Payroll\\"
                  u"{11111111-2222-3333-4444-555555555555}\\Run",
                  Role::registry);
    EXPECT_TRUE(after.starts_with(u"\\REGISTRY\\MACHINE\\SOFTWARE\\Microsoft\\Windows\\"));
    EXPECT_TRUE(after.ends_with(u"\\{11111111-2222-3333-4444-555555555555}\\Run"));
    EXPECT_FALSE(after.contains(u"Contoso"));
    EXPECT_FALSE(after.contains(u"Payroll"));
    EXPECT_EQ(rewriting.changed, only(Kind::path));
}

} // namespace
} // namespace etl::anonymize::texts_test
