#include "anonymize/names/secret_names.hpp"
#include "tests/unit/editing/anonymize/rewriting.hpp"

#include <gtest/gtest.h>

namespace etl::anonymize::secrets_test {
namespace {

/// A text, the part that must go, and its kind. Everything else stays.
struct Sample {
    std::u16string before, secret, after;
    Kind kind = Kind::secret;
};

std::string narrow(std::u16string_view text) {
    return {text.begin(), text.end()};
}

bool has_word_of(std::u16string_view text, std::u16string_view secret) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= secret.size(); ++i) {
        if (i < secret.size() && is_wordy(secret[i])) {
            continue;
        }
        const auto word = secret.substr(begin, i - begin);
        if (word.size() > 2 && text.find(word) != text.npos) {
            return true;
        }
        begin = i + 1;
    }
    return false;
}

void expect_gone(const Sample& sample, Role role = Role::text) {
    Rewriting rewrite;
    const std::u16string text = sample.before + sample.secret + sample.after;
    const std::u16string to = rewrite(text, role);
    SCOPED_TRACE(narrow(text));
    SCOPED_TRACE(narrow(to));
    ASSERT_EQ(to.size(), text.size());
    EXPECT_TRUE(to.starts_with(sample.before));
    EXPECT_TRUE(to.ends_with(sample.after));
    EXPECT_FALSE(has_word_of(to, sample.secret));
    EXPECT_NE(rewrite.changed & only(sample.kind), 0);
}

TEST(Secrets, BeginAtTheBeginningOfAWordOnly) {
    expect_gone({u"key=(", u"ghp_0123456789abcdefghijABCDEFGHIJ012345", u")"});
    expect_gone({u"\u00e9 ", u"AKIAIOSFODNN7EXAMPLE", u" x"});
    Rewriting rewrite;
    for (const std::u16string text :
         {u"\u00e9AKIAIOSFODNN7EXAMPLE", u"xAKIAIOSFODNN7EXAMPLE", u"7AKIAIOSFODNN7EXAMPLE"}) {
        EXPECT_EQ(narrow(rewrite(text)), narrow(text));
    }
}

void expect_kept(const std::u16string& text) {
    Rewriting rewrite;
    EXPECT_EQ(narrow(rewrite(text)), narrow(text));
    EXPECT_EQ(rewrite.changed, 0) << narrow(text);
}

TEST(SecretNames, AreRecognizedInEveryCaseStyle) {
    for (const std::string_view name : {"Password",
                                        "user_password",
                                        "PwdHash",
                                        "x-api-key",
                                        "accessToken",
                                        "sessionCookie",
                                        "APIKey",
                                        "ApiKey",
                                        "Secret",
                                        "ClientSecret",
                                        "client_secret",
                                        "Authorization",
                                        "ProxyAuthorization",
                                        "ConnectionString",
                                        "connection-string",
                                        "HTTPToken",
                                        "OAuth2Token",
                                        "refresh_token",
                                        "db.password",
                                        "PASSWORD",
                                        "userpassword",
                                        "passwordhash",
                                        "apikey",
                                        "xapikey",
                                        "authtoken",
                                        "sessioncookies",
                                        "Passwords",
                                        "AWS_SECRET_ACCESS_KEY",
                                        "PrivateKeyPem",
                                        "SharedAccessKey",
                                        "AccountKey",
                                        "Credentials",
                                        "m_password",
                                        "Set-Cookie",
                                        "tokenValue",
                                        "keyMaterial",
                                        "WifiPsk",
                                        "DbPwd",
                                        "PIN",
                                        "UserPin",
                                        "AuthCode",
                                        "auth_code",
                                        "oauth_auth_code",
                                        "OtpCode",
                                        "MfaCode",
                                        "VerificationCode",
                                        "NtlmHash",
                                        "BitlockerKey",
                                        "KeyContent",
                                        "SamlResponse",
                                        "EncodedCommand",
                                        "Kennwort",
                                        "MotDePasse"}) {
        EXPECT_TRUE(is_secret_name(NameWords(name))) << name;
    }
}

TEST(SecretNames, OthersAreNot) {
    for (const std::string_view name : {"TokenElevationType",
                                        "KeywordTokenCount",
                                        "PublicKeyToken",
                                        "publickeytoken",
                                        "PasswordLastSet",
                                        "PasswordLength",
                                        "CookieName",
                                        "TokenType",
                                        "CancellationToken",
                                        "MethodToken",
                                        "Tokenizer",
                                        "Passage",
                                        "Compass",
                                        "RegistryKey",
                                        "KeyName",
                                        "Keyword",
                                        "Author",
                                        "Authority",
                                        "SecretaryName",
                                        "Bypass",
                                        "passwordlength",
                                        "TokenExpiration",
                                        "PassCount",
                                        "",
                                        "0",
                                        "User",
                                        "PinnedTile",
                                        "PinState",
                                        "IsPin",
                                        "ErrorCode",
                                        "StatusCode"}) {
        EXPECT_FALSE(is_secret_name(NameWords(name))) << name;
    }
    EXPECT_TRUE(is_secret_key(NameWords("sig")));
    EXPECT_FALSE(is_secret_name(NameWords("sig")));
}

TEST(SecretNames, PhonesAreRecognized) {
    for (const std::string_view name :
         {"Phone", "HomePhone", "phone_number", "PhoneNumber", "telephoneNumber", "MobileNumber",
          "Tel", "MSISDN", "Telefon", "Mobile", "Fax"}) {
        EXPECT_TRUE(is_phone_name(NameWords(name))) << name;
    }
    for (const std::string_view name :
         {"PhoneType", "Phonetic", "Telemetry", "Headphones", "MobileBroadband", "FaxCount"}) {
        EXPECT_FALSE(is_phone_name(NameWords(name))) << name;
    }
}

TEST(SecretNames, FieldsGetTheirRoles) {
    EXPECT_EQ(role_of_text("UserPassword", Role::text), Role::secret);
    EXPECT_EQ(role_of_text("FirstName", Role::text), Role::user);
    EXPECT_EQ(role_of_text("last_name", Role::text), Role::user);
    EXPECT_EQ(role_of_text("CustomerSurname", Role::text), Role::user);
    EXPECT_EQ(role_of_text("user-name", Role::text), Role::user);
    EXPECT_EQ(role_of_text("WindowTitle", Role::text), Role::title);
    EXPECT_EQ(role_of_text("WndTitle", Role::text), Role::title);
    EXPECT_EQ(role_of_text("DocumentTitle", Role::text), Role::title);
    EXPECT_EQ(role_of_text("Nachname", Role::text), Role::user);
    EXPECT_EQ(role_of_text("HomePhone", Role::text), Role::phone);
    EXPECT_EQ(role_of_text("PasswordFilePath", Role::text), Role::path);
    EXPECT_EQ(role_of_text("Message", Role::text), Role::text);
    EXPECT_EQ(role_of_text("PackageFullName", Role::text), Role::text);
}

TEST(Secrets, FieldsGoCompletely) {
    Rewriting rewrite;
    for (const std::u16string text :
         {u"hunter2", u"p@ss w0rd!", u"0123456789abcdef", u"Server=db1;Uid=sa;Pwd=topsecret"}) {
        const std::u16string to = rewrite(text, Role::secret);
        EXPECT_EQ(to.size(), text.size());
        EXPECT_FALSE(has_word_of(to, text)) << narrow(to);
        EXPECT_EQ(to.find(u'@'), to.npos);
        EXPECT_EQ(rewrite.changed, rewrite.changed | only(Kind::secret));
    }
    EXPECT_NE(rewrite(u"hunter2", Role::secret), rewrite(u"hunter3", Role::secret));
    for (const std::u16string text : {u"", u"-", u"(null)", u"true", u"****", u"N/A"}) {
        EXPECT_EQ(rewrite(text, Role::secret), text);
    }
    const std::u16string phone = rewrite(u"+49 (30) 123-456", Role::phone);
    EXPECT_TRUE(phone.starts_with(u"+"));
    EXPECT_EQ(phone[3], u' ');
    EXPECT_EQ(phone.find(u"123"), phone.npos);
    EXPECT_EQ(rewrite.changed, only(Kind::phone_number));
    const std::u16string title = rewrite(u"Inbox - Alice Smith - Mail", Role::title);
    EXPECT_FALSE(has_word_of(title, u"Inbox Alice Smith Mail"));
    EXPECT_EQ(title[5], u' ');
    EXPECT_EQ(rewrite.changed, only(Kind::window_title));
}

TEST(Secrets, SignsAloneCanBeAPassword) {
    Rewriting rewrite;
    EXPECT_NE(rewrite(u"!@#$%^!@#", Role::secret), u"!@#$%^!@#");
    const std::u16string to = rewrite(u"password=!@#$%^!@# ok");
    EXPECT_EQ(to.find(u"!@#"), to.npos);
    for (const std::u16string text : {u"!!!!", u"xxxx", u"..-*", u"\u2022\u2022\u2022\u2022"}) {
        EXPECT_EQ(rewrite(text, Role::secret) == text, text != u"!!!!");
    }
    expect_kept(u"password=%, pwd=?, token={}");
}

TEST(Secrets, ValuesOfConnectionStringsGoUpToTheNextPair) {
    expect_gone({u"UID=10;PWD={", u"hunter2;Zo", u"};Server=", Kind::secret});
    expect_gone({u"UID=10;PWD={", u"hunter2}}Zo", u"};Timeout=3"});
    expect_gone({u"Timeout=9;Password=", u"P&ssw0rd<Secret>", u";Pooling=no"});
    expect_gone({u"Timeout=9;Password=\"", u"ab\"\"swordfish", u"\";Pooling=no"});
    expect_gone({u"Password=", u"two words", u";Pooling=no"});
    expect_gone({u"run password=", u"abc", u" then a long sentence follows here; done"});
    expect_gone({u"{\"cs\":\"Timeout=9;Password=", u"P&ssw0rd", u"\",\"x\":1}"});
}

TEST(Secrets, AUserEndsAtABlankWhereNoPairFollows) {
    Rewriting rewrite;
    const std::u16string to = rewrite(u"USERNAME=zorbax logged in; more");
    EXPECT_TRUE(to.ends_with(u" logged in; more"));
    EXPECT_EQ(to.find(u"zorbax"), to.npos);
}

TEST(Secrets, TextsOfArraysGo) {
    Rewriting rewrite;
    const std::u16string to =
        rewrite(uR"({"passwords":["hunter2", "swordfish"],"names":["teapot"],"n":1})");
    EXPECT_EQ(to.find(u"hunter2"), to.npos);
    EXPECT_EQ(to.find(u"swordfish"), to.npos);
    EXPECT_TRUE(to.ends_with(uR"(],"names":["teapot"],"n":1})"));
}

TEST(Secrets, ANumberInJsonStaysOne) {
    Rewriting rewrite;
    const std::u16string to = rewrite(uR"({"password":12345678,"n":1})");
    EXPECT_EQ(to.find(u"12345678"), to.npos);
    const auto value = to.substr(12, 8);
    EXPECT_TRUE(std::ranges::all_of(value, is_digit)) << narrow(to);
}

TEST(Secrets, CodesOfFewDigitsGo) {
    expect_gone({u"cvv=", u"123", u" ok"});
    expect_gone({u"\"pin\": \"", u"907", u"\""});
    expect_kept(u"password=123 count=12");
}

TEST(Secrets, ACodeOrADateCanFollowACard) {
    expect_gone({u"card ", u"4111 1111 1111 1111", u" 123", Kind::account_number});
    expect_gone({u"card ", u"4111 1111 1111 1111", u" 12/27", Kind::account_number});
    expect_gone({u"card ", u"4111-1111-1111-1111", u" 12/27", Kind::account_number});
    expect_gone({u"card ", u"4111111111111111", u" 123", Kind::account_number});
    expect_gone({u"amex ", u"3782 822463 10005", u" 1234", Kind::account_number});
    expect_kept(u"card 4111 1111 1111 1112 123");
    expect_kept(u"id 41111111111111111111");
}

TEST(Secrets, NumbersAndKeysWithAFormGo) {
    expect_gone({u"ssn ", u"078-05-1120", u".", Kind::account_number});
    expect_gone({u"key ", u"123453-234564-345675-456786-567897-111111-222222-333333", u" saved"});
    expect_gone({u"key ", u"W269N-WFGWX-YVC9B-4J6C9-T83GX", u" used"});
    expect_gone({u"bob:1001:", u"aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0",
                 u":::"});
    expect_gone({u"use ", u"sk-AbCdEfGhIjKlMnOpQrStT3BlbkFJUvWxYz0123456789abcd", u" now"});
    expect_kept(u"ssn 000-05-1120, 666-05-1120, 078-00-1120, 2078-05-1120, 078-05-11201");
    expect_kept(u"key 123454-234564-345675-456786-567897-111111-222222-333333");
    expect_kept(u"AAAAA-BBBBB-CCCCC-DDDDD-EEEEE 12345-12345-12345-12345-12345");
}

TEST(Secrets, ParametersCookiesAndElementsGo) {
    expect_gone({u"GET /callback?code=", u"SplxlOBeZQQYbYS6WxSbIA", u"&state=up"});
    expect_gone({u"GET /maps?zoom=3&key=", u"abcdefgh12345", u" HTTP/1.1"});
    expect_gone({u"JSESSIONID=", u"0A1B2C3D4E5F", u"; path=/"});
    expect_gone({u"ASP.NET_SessionId=", u"q4zor5zyqbvr", u"; path=/"});
    expect_gone({u"<Password>", u"abc", u"<![CDATA[]]></Password>"});
    expect_gone({u"<Password><![CDATA[", u"hunter<2", u"]]></Password><n>teapot</n>"});
    expect_gone({u"<password><value>", u"hunter2", u"</value></password><n>teapot</n>"});
    expect_gone({u"ConvertTo-SecureString '", u"hunter2", u"' -AsPlainText -Force"});
    expect_gone({u"ConvertTo-SecureString -String \"", u"hunter2", u"\" -Force"});
    expect_kept(u"keys: name=teapot code=200 key=cups&code=7");
}

TEST(Secrets, ValuesWithNamesGo) {
    expect_gone({u"connect Server=", u"db1", u";Timeout=30", Kind::computer});
    expect_gone({u"Timeout=30;User Id=", u"alice", u";Pooling=true", Kind::user});
    expect_gone({u"Pooling=true;Password=", u"hunter2", u";Encrypt=yes"});
    expect_gone({u"Pooling=true; Password=", u"my secret, pass", u";Encrypt=yes"});
    expect_gone({u"Pooling=true;Pwd=", u"two words", u""});
    expect_gone({u"AccountName;AccountKey=", u"Zm9vYmFyYmF6cXV4==", u";EndpointSuffix=x"});
    expect_gone({u"GET /api?token=", u"abc123def", u"&page=2"});
    expect_gone({u"GET /blob?sv=2020&sig=", u"aB3%2Fxyz%3D", u"&se=2024"});
    expect_gone({u"run --password=", u"hunter2", u" --verbose"});
    expect_gone({u"run --password ", u"hunter2", u" --verbose"});
    expect_gone({u"run -p ", u"hunter2", u" --verbose"});
    expect_gone({u"tool /password:", u"hunter2", u" /quiet"});
    expect_gone({u"API_KEY=", u"hunter22", u""});
    expect_gone({u"login failed, password: '", u"hunter2", u"' rejected"});
    expect_gone({u"password = ", u"hunter2", u" is wrong"});
    expect_gone({u"password => \"", u"hunter2", u"\""});
    expect_gone({u"curl -u ", u"alice:hunter2", u" http"});
    expect_gone({u"{password=", u"hunter2", u"}"});
    expect_gone({u"(secret=", u"hunter2", u", n=1)"});
    expect_gone({u"Phone: ", u"030 1234567", u", ok", Kind::phone_number});
}

TEST(Secrets, HeadersGoUpToTheEndOfTheLine) {
    expect_gone({u"Accept: */*\r\nAuthorization: Basic ", u"dXNlcjpwYXNz", u"\r\nHost: x"});
    expect_gone({u"Cookie: ", u"sid=abcdef; theme=dark123", u"\r\nHost: x"});
    expect_gone({u"Set-Cookie: ", u"sid=abcdef; Path=/xyz", u"\n"});
    expect_gone({u"X-Api-Key: ", u"abcdef123", u"\r\nHost: x"});
    expect_gone({u"curl -H \"Authorization: Bearer ", u"abc.def.ghi", u"\" url"});
    expect_gone(
        {u"Authorization: Digest ", u"username=\"Mufasa\", response=\"6629fae4\"", u"\r\n"});
}

TEST(Secrets, JsonAndXmlAreUnderstood) {
    expect_gone({u"{\"user\":{\"name\":1,\"password\":\"", u"hunter2", u"\",\"n\":1}}"});
    expect_gone({u"{\"accessToken\" : \"", u"abc\\\"def", u"\"}"});
    expect_gone({u"{\"m\":\"{\\\"token\\\":\\\"", u"abcdef", u"\\\",\\\"n\\\":1}\"}"});
    expect_gone({u"{\"pin\":1,\"secret\":", u"123456", u",\"n\":1}"});
    expect_gone({u"{\"FirstName\":\"", u"Alice", u"\"}", Kind::user});
    expect_gone({u"{\"name\":\"password\",\"value\":\"", u"hunter2", u"\"}"});
    expect_gone({u"<add key=\"ApiKey\" value=\"", u"hunter2", u"\"/>"});
    expect_gone({u"<Password>", u"hunter2", u"</Password>"});
    expect_gone({u"<wsse:BinarySecurityToken a=\"b\">", u"MIIBdGhpc2lz", u"</x>"});
    expect_gone({u"<o:Password><![CDATA[", u"hunter2", u"]]></o:Password>"});
    expect_gone({u"<login password=\"", u"hunter2", u"\" n=\"1\"/>"});
    expect_kept(u"{\"token\":null,\"secret\":true,\"password\":\"\"}");
    expect_kept(u"{\"token\":{\"n\":1}} <Token/> <Token><Kind>x</Kind></Token>");
}

TEST(Secrets, FormsOfTokensAreRecognized) {
    expect_gone({u"key ", u"AKIAIOSFODNN7EXAMPLE", u" used"});
    expect_gone({u"x ", u"ghp_0123456789abcdefghijABCDEFGHIJ012345", u""});
    expect_gone({u"x ", u"github_pat_11ABCDEFG0123456789_abcdef", u"."});
    expect_gone({u"x ", u"xoxb-123456789012-abcdefABCDEF", u" y"});
    expect_gone({u"x=", u"AIzaSyA0123456789abcdefghijABCDEFGHIJ01", u" y"});
    expect_gone({u"jwt ", u"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl", u" y"});
    expect_gone({u"sent Bearer ", u"abcdef0123456789", u" to"});
    expect_gone({u"basic ", u"YWxpY2U6aHVudGVyMg==", u" to"});
    expect_gone({u"-----BEGIN RSA PRIVATE KEY-----", u"\nMIIEpAIBAAKCAQEA\nabcd/123+==\n",
                 u"-----END RSA PRIVATE KEY-----"});
    expect_gone({u"-----BEGIN PRIVATE KEY-----", u"\nMIIEpAIBAAKCAQEA", u""});
    expect_gone({u"https://", u"alice:hunter2", u"@"});
    expect_kept(u"-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA\n-----END CERTIFICATE-----");
    expect_kept(u"Basic information about the bearer token in use");
}

TEST(Secrets, UsersOfUrlsGo) {
    Rewriting rewrite;
    for (const Role role : {Role::text, Role::url}) {
        const std::u16string to = rewrite(u"ftp://alice:hunter2@files.contoso.com/pub", role);
        EXPECT_FALSE(has_word_of(to, u"alice hunter2 contoso")) << narrow(to);
        EXPECT_TRUE(to.starts_with(u"ftp://"));
        EXPECT_NE(rewrite.changed & only(Kind::secret), 0);
    }
    expect_kept(u"https://web/a@b");
}

TEST(Secrets, NumbersOfAccountsAndPhonesGo) {
    for (const std::u16string card :
         {u"4111111111111111", u"4111 1111 1111 1111", u"5500-0000-0000-0004", u"378282246310005",
          u"3782 822463 10005", u"6011111111111117", u"4222222222222", u"2223003122003222"}) {
        Rewriting rewrite;
        const std::u16string to = rewrite(u"card " + card + u", ok");
        EXPECT_NE(to, u"card " + card + u", ok");
        EXPECT_EQ(rewrite.changed, only(Kind::account_number)) << narrow(card);
        EXPECT_TRUE(std::ranges::all_of(to.substr(5, card.size()), [](char16_t c) {
            return is_digit(c) || c == u' ' || c == u'-';
        }));
    }
    EXPECT_EQ(Rewriting()(u"4111 1111 1111 1111").substr(0, 4),
              Rewriting()(u"4111111111111111").substr(0, 4));
    expect_gone({u"to ", u"DE89370400440532013000", u".", Kind::account_number});
    expect_gone({u"to ", u"GB29 NWBK 6016 1331 9268 19", u", x", Kind::account_number});
    expect_gone({u"call +", u"1 425 555 0123", u" now", Kind::phone_number});
    expect_gone({u"call +", u"4930123456", u"", Kind::phone_number});
    expect_gone({u"call ", u"425-555-0123", u" now", Kind::phone_number});
    expect_gone({u"call ", u"(425) 555-0123", u".", Kind::phone_number});
    expect_gone({u"tel:+", u"1-425-555-0123", u"", Kind::phone_number});
}

TEST(Secrets, OtherNumbersStay) {
    for (const std::u16string text :
         {u"{4d36e972-e325-11ce-bfc1-08002be10318}",
          u"a1111111-1111-4111-8111-411111111111",
          u"sha256 4111111111111111411111111111111141111111111111114111111111111111",
          u"d41d8cd98f00b204e9800998ecf8427e",
          u"2024-05-17T04:00:00.0000000+02:00",
          u"20240517040000123",
          u"133604064000000000",
          u"1715918400000",
          u"10.0.22631.3447",
          u"4111111111111112",
          u"1234567890123452",
          u"DE89370400440532013001",
          u"+0200 +12 -425",
          u"ntdll!RtlUserThreadStart+12345678",
          u"+1.23456789",
          u"425-555-012",
          u"0x4111111111111111",
          u"mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089",
          u"TokenElevationType=2 KeywordTokenCount: 1234",
          u"token=0x06000001",
          u"Token::Kind",
          u"expected token: {",
          u"password:",
          u"key=value name=other",
          u"mkdir -p a/b",
          u"ssh -p 22",
          u"docker -p 80:8080",
          u"C:\\Token\\x",
          u"4111-1111-1111-11111",
          u"1.4111111111111111",
          u"4111111111111111.5",
          u"version 425.555.0123.4"}) {
        expect_kept(text);
    }
}

TEST(Secrets, LearnedNamesIncludeThoseOfPairsAndFullNames) {
    Names names;
    learn(u"user=alice.smith;host=ALICE-PC;password=hunter2", Role::text, names);
    EXPECT_TRUE(names.users().contains(u"alice.smith"));
    EXPECT_TRUE(names.users().contains(u"alice smith"));
    EXPECT_TRUE(names.computers().contains(u"alice-pc"));
    EXPECT_FALSE(names.users().contains(u"hunter2"));
    Rewriting rewrite(names);
    EXPECT_EQ(rewrite(u"Inbox - Alice Smith - Mail").find(u"Smith"), std::u16string::npos);
}

TEST(Secrets, AreFoundInBytesByNameOrFormOnly) {
    Names none;
    const Pseudonyms pseudonyms(test_key());
    const NameIndex index(none);
    Rewriter rewriter(pseudonyms, index);
    std::u16string bytes = u"\x01\x02password=hunter2\xFF\x90zz 4111111111111111";
    const std::u16string before = bytes;
    EXPECT_EQ(rewriter.replace_in_bytes(bytes), only(Kind::secret));
    EXPECT_EQ(bytes.find(u"hunter2"), bytes.npos);
    EXPECT_EQ(bytes.substr(18), before.substr(18));
}

// Each of these repeats what begins a search, so that a search to the end from each would be felt.
TEST(Secrets, TakeTimeInProportionToTheText) {
    for (const std::u16string_view part : {u"-----BEGIN ", u"password=",
                                           u"k=\"",        u"k=\\\"",
                                           u"k='k=\"",     u"<token",
                                           u"<token>",     u"\"password\":\"",
                                           u"://",         u"abc1Q~-",
                                           u"ghp_",        u"eyJ",
                                           u"+1(((",       u"Bearer ",
                                           u"-p a",        u"password=,",
                                           u"a=b,c=",      u"4111 ",
                                           u"DE89 ",       u"Cookie: a",
                                           u"@",           u"name=\"pwd\" value="}) {
        std::u16string text;
        while (text.size() < (1U << 18U)) {
            text += part;
        }
        Rewriting rewrite;
        EXPECT_EQ(rewrite(text).size(), text.size());
    }
}

} // namespace
} // namespace etl::anonymize::secrets_test
