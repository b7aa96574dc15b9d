// Patterns of stacks: vectors of PerfView's rules, and the same computed with std::regex for each
// stack on its own.
#include "analysis/limits.hpp"
#include "analysis/stack_patterns.hpp"
#include "analysis/stack_tree.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <random>
#include <regex>

namespace etl::analysis::patterns_test {
namespace {

using testing::HasSubstr;
using Group = StackPatterns::Group;

StackPatterns patterns(const StackPatternTexts& texts) {
    auto parsed = StackPatterns::parse(texts);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().what);
    return *std::move(parsed);
}

std::optional<Group> group(std::string_view grouping, std::string_view name) {
    return patterns({.grouping = std::string(grouping)}).group_of(name);
}

Group plain(std::string name) {
    return {std::move(name), false};
}

Group entry(std::string name) {
    return {std::move(name), true};
}

TEST(StackPatterns, GroupByTheRulesOfPerfView) {
    EXPECT_EQ(group("{%}!->module $1", "C:\\app\\foo!A.B::C(int)"), plain("module foo"));
    EXPECT_EQ(group("{%}!=>module $1", "C:\\app\\my-lib!f"), entry("module lib"));
    const std::string_view own = "\\app\\%!->;!=>OTHER";
    EXPECT_EQ(group(own, "C:\\app\\foo!Main"), std::nullopt);
    EXPECT_EQ(group(own, "C:\\Windows\\System32\\ntdll!X"), entry("OTHER"));
    EXPECT_EQ(group("classes", "foo!NS.Type.Method(int)"), plain("class foo!NS.Type"));
    EXPECT_EQ(group("classes", "foo!ns::T::f"), plain("class foo!ns::T"));
    EXPECT_EQ(group("a!->b!;b!->c", "x\\a!f"), plain("c"));
    EXPECT_EQ(group("a!->b!;b!->", "x\\a!f"), std::nullopt); // even if it had been renamed
    EXPECT_EQ(group("ignore-ids", "Process64 kettle (100)"), plain("kettle"));
    EXPECT_EQ(group("ignore-ids", "Thread (104)"), plain("Thread"));
    EXPECT_EQ(group("os-clr", "C:\\Windows\\System32\\ntdll!X"), entry("OS"));
    EXPECT_EQ(group("os-clr", "C:\\dotnet\\Microsoft.NETCore.App\\9.0.1\\System.Linq!X"),
              entry("LIB"));
    EXPECT_EQ(group("os-clr", "C:\\dotnet\\Microsoft.NETCore.App\\9.0.1\\coreclr!X"), entry("CLR"));
    EXPECT_EQ(group("os-clr", "C:\\app\\kettle!main"), entry("module kettle"));
}

TEST(StackPatterns, HaveTheLanguageOfPerfView) {
    EXPECT_EQ(group("[a comment; with ->] a!->b", "a!f"), plain("b"));
    EXPECT_EQ(group(" ; a!->b ; ", "a!f"), plain("b"));
    EXPECT_EQ(group("a! ->b", "a!f"), std::nullopt); // the blank belongs to the pattern
    EXPECT_EQ(group("a! -> b ", "a! f"), plain("b"));
    EXPECT_EQ(group("a->b=>c", "a->b"), entry("c"));
    EXPECT_EQ(group("%!", "C:\\lid!f"), plain("lid!"));
    EXPECT_EQ(group("{%}!{%}->$2 of $1, $&$3", "lid!f(x)"), plain("f of lid, lid!f"));
    EXPECT_EQ(group("A.B!->x", "aXb!"), std::nullopt); // literal
    EXPECT_EQ(group("A.b!->x", "a.B!"), plain("x"));
    EXPECT_EQ(group("^a|b->x", "cb"), plain("x"));
    EXPECT_EQ(group("{^a|^b}c->x", "abc"), std::nullopt);
    EXPECT_EQ(group("@^a.b$->x", "aXb"), plain("x"));
    EXPECT_EQ(group("@^a.b$->x", "aXbc"), std::nullopt);
    EXPECT_EQ(group("x%y->in", "x?a.1_y"), plain("in"));
    for (const std::string_view name : {"x<y", "x:y", "x\\y", "x!y", "x y", "x-y"}) {
        EXPECT_EQ(group("x%y->in", name), std::nullopt) << name;
    }
    EXPECT_EQ(group("{%}!->$1", "Ünï!f"), plain("Ünï"));
    EXPECT_EQ(group("ünÏ!->x", "Ünï!f"), plain("x"));
    EXPECT_EQ(group("a*b->$&", "xa1b2b3"), plain("a1b2b"));
    EXPECT_EQ(group("(a)+[b]$?->x", "(A)+[B]$?"), plain("x"));
}

TEST(StackPatterns, HaveRegularExpressions) {
    const auto matched = [](std::string_view regex, std::string_view name) {
        const auto found = group("@" + std::string(regex) + "->$&", name);
        return found ? found->name : std::string("none");
    };
    EXPECT_EQ(matched("a{2,3}", "aaaa"), "aaa");
    EXPECT_EQ(matched("a{2,3}?", "aaaa"), "aa");
    EXPECT_EQ(matched("a{2}", "aaaa"), "aa");
    EXPECT_EQ(matched("xa{0}b", "xb"), "xb");
    EXPECT_EQ(matched("a+?b*c?", "abbc"), "abbc");
    EXPECT_EQ(matched("(?:ab|a)(c|bcd)", "abcd"), "abc");
    EXPECT_EQ(matched("[^a-c\\d]+", "ab1xyz2"), "xyz");
    EXPECT_EQ(matched("[]x-]+", "a]-xb"), "]-x");
    EXPECT_EQ(matched("\\bf\\w+\\b", "lid!foo(f)"), "foo");
    EXPECT_EQ(matched("\\x41\\u0042\\.", "ab."), "ab.");
    EXPECT_EQ(matched("a{x}", "a{x}"), "a{x}");
    EXPECT_EQ(matched("()*b", "ab"), "b");
    EXPECT_EQ(matched("(a*)*$", "aab"), "none");
}

TEST(StackPatterns, SayWhereTheyAreWrong) {
    const auto error = [](const StackPatternTexts& texts) {
        const auto parsed = StackPatterns::parse(texts);
        return parsed ? "parsed"
                      : std::string(parsed.error().about) + ":" +
                            std::to_string(parsed.error().column) + ": " + parsed.error().what;
    };
    EXPECT_EQ(error({.grouping = "a!->b; {c->d"}), "grouping:8: '{' without '}'");
    EXPECT_EQ(error({.folding = "a;b}"}), "folding:4: '}' without '{'");
    EXPECT_EQ(error({.include = "@(a"}), "include:2: '(' without ')'");
    EXPECT_EQ(error({.include = "@a)"}), "include:3: ')' without '('");
    EXPECT_EQ(error({.exclude = "@*"}), "exclude:2: '*' repeats nothing");
    EXPECT_EQ(error({.exclude = "@a**"}), "exclude:4: what is repeated already is repeated");
    EXPECT_EQ(error({.exclude = "@(a)\\1"}), "exclude:5: '\\1' is not supported");
    EXPECT_THAT(error({.exclude = "@(?=a)"}), HasSubstr("only '(?:' is supported"));
    EXPECT_EQ(error({.exclude = "@[a"}), "exclude:2: '[' without ']'");
    EXPECT_EQ(error({.exclude = "@[b-a]"}), "exclude:3: a range that ends before it begins");
    EXPECT_EQ(error({.exclude = "@a{3,2}"}), "exclude:3: fewer repeats at most than at least");
    EXPECT_EQ(error({.fold_percent = 101}), "fold_percent:1: expected 0 to 100");
    EXPECT_EQ(error({.fold_percent = std::nan("")}), "fold_percent:1: expected 0 to 100");
    EXPECT_THAT(error({.folding = std::string(limits::stack_pattern_bytes + 1, 'a')}),
                HasSubstr("more than"));
    EXPECT_THAT(error({.folding = "@(((a{100}){100}){100})"}), HasSubstr("too long"));
    EXPECT_THAT(error({.folding = std::string(200, '{') + std::string(200, '}')}),
                HasSubstr("nested too deeply"));
    std::string many;
    for (std::size_t i = 0; i <= limits::stack_included_patterns; ++i) {
        many += "a;";
    }
    EXPECT_THAT(error({.include = many}), HasSubstr("more than 64 patterns"));
}

TEST(StackPatterns, TakeATimeThatGrowsLikeTheName) {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string_view hostile :
         {"@(a*)*b->x", "@(a|aa)+$b->x", "@(a?){30}a{30}c->x", "*a*a*a*a*a*a*a*a*a*a*b->x"}) {
        EXPECT_EQ(group(hostile, std::string(5'000, 'a')), std::nullopt) << hostile;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(StackPatterns, FindOwnCodeByFolders) {
    StackTree tree{.frames = {{"", "Lid.exe (100)", FrameKind::process, ""},
                              {"", "dotnet.exe (200)", FrameKind::process, ""},
                              {"lid.exe", "f", FrameKind::user, "C:\\x\\Tea{;}%\\lid.exe"},
                              {"dotnet.exe", "f", FrameKind::user, "C:\\net\\dotnet.exe"}},
                   .nodes = {}};
    const auto grouping = own_code_grouping(tree);
    ASSERT_TRUE(grouping);
    EXPECT_EQ(group(*grouping, "C:\\x\\tea{;}%\\pot.ni!f"), std::nullopt);
    EXPECT_EQ(group(*grouping, "C:\\x\\tea{;}%\\old\\pot!f"), entry("OTHER"));
    EXPECT_EQ(group(*grouping, "C:\\net\\dotnet!f"), entry("OTHER"));
    EXPECT_EQ(group(*grouping, "Process lid (100)"), std::nullopt);
    tree.frames.erase(tree.frames.begin());
    EXPECT_EQ(own_code_grouping(tree), std::nullopt);
    tree.frames.push_back({"", "w3wp.exe (300)", FrameKind::process, ""});
    EXPECT_EQ(own_code_grouping(tree), "\\Temporary ASP.NET Files\\->;!dynamicClass.S->;!=>OTHER");
}

TEST(StackPatterns, MatchNamesWithPaths) {
    EXPECT_EQ(full_name_of({"lid.exe", "boil(int)", FrameKind::user, "C:\\app\\lid.exe"}),
              "C:\\app\\lid!boil(int)");
    EXPECT_EQ(full_name_of({"LID.DLL", "LID.DLL!0x12", FrameKind::user, ""}), "LID!?");
    EXPECT_EQ(full_name_of({"tea.sys", "pour", FrameKind::kernel, "\\nt\\tea.sys"}),
              "\\nt\\tea.sys!pour");
    EXPECT_EQ(full_name_of({"", "0x1234", FrameKind::user, ""}), "?!?");
    EXPECT_EQ(full_name_of({"", "kettle.exe (100)", FrameKind::process, ""}),
              "Process kettle (100)");
    EXPECT_EQ(full_name_of({"", "DPC", FrameKind::process, ""}), "DPC");
    EXPECT_EQ(full_name_of({"", "(no stack)", FrameKind::mark, ""}), "(no stack)");
    EXPECT_EQ(display_name_of({"lid.exe", "boil", FrameKind::user, "C:\\app\\lid.exe"}),
              "lid.exe!boil");
}

} // namespace
} // namespace etl::analysis::patterns_test
