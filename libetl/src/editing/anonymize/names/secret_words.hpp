// Names and forms of secrets: the table of facts of docs/anonymize.md#secrets, with its sources
// there. Private to anonymize.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etl::anonymize::words {

/// What the name of a field, or of a value in a text, contains if the value is a secret: words next
/// to each other, in lowercase.
struct SecretName {
    /// For names without case: `mypassword`, `pwdhash`. A `tokenizer` is no secret.
    enum class Place : std::uint8_t { word, end_of_word, end_or_start_of_word, whole_name };

    std::string_view words; // without what separates them
    Place place = Place::word;
};

inline constexpr auto at_end = SecretName::Place::end_of_word;
inline constexpr auto at_both = SecretName::Place::end_or_start_of_word;
inline constexpr auto alone = SecretName::Place::whole_name;

inline constexpr auto secret_names = std::to_array<SecretName>({
    {"password", at_both},
    {"passwd", at_both},
    {"passphrase", at_both},
    {"passcode", at_both},
    {"passwort"},
    {"kennwort"},
    {"motdepasse"},
    {"pwd", at_both},
    {"pass"},
    {"pw"},
    {"secret", at_end},
    {"token", at_end},
    {"cookie", at_both},
    {"credential", at_both},
    {"cred"},
    {"authorization", at_both},
    {"auth"},
    {"bearer"},
    {"jwt"},
    {"samlresponse"},
    {"authcode"},
    {"authorizationcode"},
    {"verificationcode"},
    {"mfacode"},
    {"otpcode"},
    {"apikey", at_both},
    {"accesskey", at_both},
    {"accountkey", at_both},
    {"encryptionkey"},
    {"decryptionkey"},
    {"licensekey"},
    {"bitlockerkey"},
    {"masterkey"},
    {"networkkey"},
    {"wlankey"},
    {"keycontent"},
    {"presharedkey"},
    {"privatekey", at_both},
    {"productkey"},
    {"recoverykey"},
    {"secretkey", at_both},
    {"sessionkey"},
    {"sharedkey"},
    {"signingkey"},
    {"storagekey"},
    {"subscriptionkey", at_both},
    {"symmetrickey"},
    {"keymaterial"}, // of a wireless profile
    {"psk"},
    {"sharedaccesssignature"},
    {"connectionstring", at_both},
    {"connstring"},
    {"connstr"},
    {"csrf"},
    {"xsrf"},
    {"otp"},
    {"pin", alone},
    {"pincode"},
    {"userpin"},
    {"lmhash"},
    {"nthash"},
    {"ntlmhash"},
    {"encodedcommand"}, // of PowerShell: base64 of a script
    {"cvv"},
    {"cvc"},
    {"ssn"},
});

/// Names of secrets only as those of values in a text: `sig=` of shared access signatures, and
/// cookies of sessions.
inline constexpr auto secret_keys = std::to_array<std::string_view>({
    "sig",
    "jsessionid",
    "phpsessid",
    "aspnetsessionid",
    "aspxauth",
    "instrumentationkey",
});

/// Likewise in the query of a URL: `?code=`, `&key=`.
inline constexpr auto secret_parameters = std::to_array<std::string_view>({"code", "key"});

/// Secrets that have few digits.
inline constexpr auto secret_codes = std::to_array<SecretName>({
    {"cvv"},
    {"cvc"},
    {"pin", alone},
    {"pincode"},
    {"userpin"},
    {"otp"},
    {"otpcode"},
    {"mfacode"},
    {"verificationcode"},
});

/// Names of number fields that identify a person, or let somebody in; as well as these codes and
/// phones.
inline constexpr auto secret_numbers = std::to_array<SecretName>({
    {"cardnumber"},
    {"creditcard"},
    {"passcode"},
    {"password"},
    {"ssn"},
});

/// Endings of names that have `token` in them and are no secrets: of assemblies, compilers, and
/// metadata.
inline constexpr auto public_tokens = std::to_array<std::string_view>({
    "publickeytoken",
    "cancellationtoken",
    "metadatatoken",
    "methodtoken",
    "memberdeftoken",
    "methoddeftoken",
    "typedeftoken",
    "classtoken",
    "typetoken",
    "fieldtoken",
    "moduletoken",
    "keywordtoken",
    "syntaxtoken",
    "unexpectedtoken",
});

/// Last words of names that are about a secret: TokenElevationType, PasswordLastSet.
inline constexpr auto words_about_secrets = std::to_array<std::string_view>({
    "age",      "algorithm", "attempt",    "attempts",  "category", "changed", "code",
    "count",    "date",      "elevated",   "elevation", "enabled",  "error",   "expired",
    "expires",  "expiry",    "expiration", "file",      "flag",     "flags",   "format",
    "folder",   "handle",    "index",      "kind",      "len",      "length",  "level",
    "lifetime", "method",    "mode",       "name",      "options",  "path",    "policy",
    "provider", "reason",    "required",   "result",    "retries",  "scheme",  "set",
    "size",     "source",    "state",      "status",    "time",     "timeout", "timestamp",
    "type",     "uri",       "url",        "valid",     "version",
});

inline constexpr auto phone_names = std::to_array<std::string_view>({
    "phone",
    "telephone",
    "telefon",
    "cellphone",
    "phonenumber",
    "phoneno",
    "mobilenumber",
    "faxnumber",
    "tel",
    "msisdn",
});

/// Phones only as the whole name: not `MobileBroadband`.
inline constexpr auto whole_phone_names = std::to_array<std::string_view>({"fax", "mobile"});

/// Names of HTTP headers whose value goes to the end of the line.
inline constexpr auto secret_headers = std::to_array<std::string_view>({
    "authorization",
    "cookie",
});

/// The words before the credentials of an Authorization header.
inline constexpr auto authorization_schemes = std::to_array<std::string_view>({
    "basic",
    "bearer",
    "digest",
    "negotiate",
    "ntlm",
    "sharedaccesssignature",
    "sharedkey",
    "token",
});

/// Tokens by what they begin with, which is case-sensitive. After it follow at least so many
/// letters, digits, `-`, `_`, and `.`.
struct TokenForm {
    std::string_view prefix;
    std::uint8_t min = 0;
};

inline constexpr auto token_forms = std::to_array<TokenForm>({
    {"AKIA", 16},                                        // Amazon: access keys
    {"ASIA", 16},                                        // of a session
    {"ABIA", 16},     {"ACCA", 16},        {"AIza", 35}, // Google: API keys
    {"ya29.", 20},                                       // access tokens
    {"GOCSPX-", 28},                                     // client secrets
    {"ghp_", 36},                                        // GitHub
    {"gho_", 36},     {"ghu_", 36},        {"ghs_", 36},
    {"ghr_", 36},     {"github_pat_", 22}, {"glpat-", 20}, // GitLab
    {"gldt-", 20},    {"glrt-", 20},       {"xoxb-", 10},  // Slack
    {"xoxp-", 10},    {"xoxa-", 10},       {"xoxr-", 10},
    {"xoxs-", 10},    {"xapp-", 10},       {"sk_live_", 16}, // Stripe
    {"sk_test_", 16}, {"rk_live_", 16},    {"rk_test_", 16},
    {"whsec_", 24},   {"sk-", 40}, // OpenAI
    {"sk-proj-", 20}, {"sk-ant-", 20},     {"npm_", 36},
    {"pypi-", 50},    {"hf_", 30},  // Hugging Face
    {"SG.", 40},                    // SendGrid
    {"dop_v1_", 64},                // DigitalOcean
    {"shpat_", 32},                 // Shopify
    {"shpss_", 32},   {"dapi", 32}, // Databricks
    {"ATATT3", 50},                 // Atlassian
    {"NRAK-", 27},                  // New Relic
    {"eyJ", 17},                    // JSON in base64: web tokens
});

/// Countries and lengths of international bank account numbers.
struct BankNumber {
    std::string_view country;
    std::uint8_t length = 0;
};

inline constexpr auto bank_numbers = std::to_array<BankNumber>({
    {"AD", 24}, {"AE", 23}, {"AL", 28}, {"AT", 20}, {"AZ", 28}, {"BA", 20}, {"BE", 16}, {"BG", 22},
    {"BH", 22}, {"BI", 27}, {"BR", 29}, {"BY", 28}, {"CH", 21}, {"CR", 22}, {"CY", 28}, {"CZ", 24},
    {"DE", 22}, {"DJ", 27}, {"DK", 18}, {"DO", 28}, {"EE", 20}, {"EG", 29}, {"ES", 24}, {"FI", 18},
    {"FK", 18}, {"FO", 18}, {"FR", 27}, {"GB", 22}, {"GE", 22}, {"GI", 23}, {"GL", 18}, {"GR", 27},
    {"GT", 28}, {"HR", 21}, {"HU", 28}, {"IE", 22}, {"IL", 23}, {"IQ", 23}, {"IS", 26}, {"IT", 27},
    {"JO", 30}, {"KW", 30}, {"KZ", 20}, {"LB", 28}, {"LC", 32}, {"LI", 21}, {"LT", 20}, {"LU", 20},
    {"LV", 21}, {"LY", 25}, {"MC", 27}, {"MD", 24}, {"ME", 22}, {"MK", 19}, {"MN", 20}, {"MR", 27},
    {"MT", 31}, {"MU", 30}, {"NI", 28}, {"NL", 18}, {"NO", 15}, {"OM", 23}, {"PK", 24}, {"PL", 28},
    {"PS", 29}, {"PT", 25}, {"QA", 29}, {"RO", 24}, {"RS", 22}, {"RU", 33}, {"SA", 24}, {"SC", 31},
    {"SD", 18}, {"SE", 24}, {"SI", 19}, {"SK", 24}, {"SM", 27}, {"SO", 23}, {"ST", 25}, {"SV", 28},
    {"TL", 23}, {"TN", 24}, {"TR", 26}, {"UA", 29}, {"VA", 22}, {"VG", 24}, {"XK", 20}, {"YE", 30},
});

/// First digits of payment cards, and the digits that the whole number has.
struct CardRange {
    std::uint16_t first = 0, last = 0; // of the first four digits
    std::uint8_t min = 0, max = 0;
};

inline constexpr auto card_ranges = std::to_array<CardRange>({
    {2221, 2720, 16, 16}, // Mastercard
    {3000, 3059, 14, 19}, // Diners Club
    {3400, 3499, 15, 15}, // American Express
    {3528, 3589, 16, 19}, // JCB
    {3600, 3699, 14, 19}, // Diners Club
    {3700, 3799, 15, 15}, // American Express
    {3800, 3999, 16, 19}, // Diners Club
    {4000, 4999, 13, 19}, // Visa
    {5100, 5599, 16, 16}, // Mastercard
    {6011, 6011, 16, 19}, // Discover
    {6200, 6299, 16, 19}, // UnionPay
    {6440, 6599, 16, 19}, // Discover
});

} // namespace etl::anonymize::words
