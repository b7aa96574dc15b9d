// Patterns of stacks: vectors of PerfView's rules, and the same computed with std::regex for each
// stack on its own.
#include "analysis/limits.hpp"
#include "analysis/stack_patterns.hpp"
#include "analysis/stack_tree.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

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
    const auto own = own_code_grouping(tree);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->folders, 1U);
    EXPECT_EQ(own->omitted, 0U);
    const std::string& grouping = own->grouping;
    EXPECT_EQ(group(grouping, "C:\\x\\tea{;}%\\pot.ni!f"), std::nullopt);
    EXPECT_EQ(group(grouping, "C:\\x\\tea{;}%\\old\\pot!f"), entry("OTHER"));
    EXPECT_EQ(group(grouping, "C:\\net\\dotnet!f"), entry("OTHER"));
    EXPECT_EQ(group(grouping, "Process lid (100)"), std::nullopt);
    tree.frames.erase(tree.frames.begin());
    EXPECT_FALSE(own_code_grouping(tree));
    tree.frames.push_back({"", "w3wp.exe (300)", FrameKind::process, ""});
    EXPECT_EQ(own_code_grouping(tree)->grouping,
              "\\Temporary ASP.NET Files\\->;!dynamicClass.S->;!=>OTHER");
}

TEST(StackPatterns, FindOwnCodeInAsManyFoldersAsThereIsSpaceFor) {
    StackTree tree{.frames = {{"", "lid.exe (100)", FrameKind::process, ""}}, .nodes = {}};
    for (std::size_t i = 0; i < 2000; ++i) {
        tree.frames.push_back({"lid.exe", "f", FrameKind::user,
                               "C:\\tea" + std::to_string(10'000 + i) + "\\lid.exe"});
    }
    const auto others = StackPatterns::parse({.folding = std::string(1000, 'a'), .include = "b"});
    ASSERT_TRUE(others);
    EXPECT_GE(others->steps(), 1000U);
    const auto alone = own_code_grouping(tree), with = own_code_grouping(tree, others->steps());
    ASSERT_TRUE(alone && with);
    EXPECT_EQ(alone->folders, 2000U);
    EXPECT_GT(alone->omitted, 0U);
    EXPECT_GT(with->omitted, alone->omitted);
    EXPECT_LT(with->omitted, with->folders);
    EXPECT_TRUE(StackPatterns::parse({.grouping = alone->grouping}));
    EXPECT_TRUE(StackPatterns::parse(
        {.grouping = with->grouping, .folding = std::string(1000, 'a'), .include = "b"}));
    EXPECT_EQ(group(alone->grouping, "C:\\tea10000\\lid!f"), std::nullopt);
    EXPECT_EQ(group(alone->grouping, "C:\\tea11999\\lid!f"), entry("OTHER"));
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

// The same rules for each stack on its own, with std::regex.

struct Sample {
    std::vector<std::size_t> frames; // outermost first
    std::uint64_t weight = 0;
};

const std::vector<StackFrame>& kitchen() {
    static const std::vector<StackFrame> frames{
        {"", "kettle.exe (100)", FrameKind::process, ""},
        {"", "teapot.exe (200)", FrameKind::process, ""},
        {"", "(incomplete)", FrameKind::mark, ""},
        {"ntdll.dll", "ThreadStart", FrameKind::user, "C:\\Windows\\System32\\ntdll.dll"},
        {"ntdll.dll", "Wait", FrameKind::user, "C:\\Windows\\System32\\ntdll.dll"},
        {"ntdll.dll", "Wait", FrameKind::user, "C:\\Windows\\SysWOW64\\ntdll.dll"},
        {"kettle.exe", "Tea.Kettle.Boil(int)", FrameKind::user, "C:\\tea\\kettle.exe"},
        {"kettle.exe", "tea::Lid::open", FrameKind::user, "C:\\tea\\kettle.exe"},
        {"kettle.exe", "kettle.exe!0x12", FrameKind::user, "C:\\tea\\kettle.exe"},
        {"kettle.exe", "kettle.exe!0x34", FrameKind::user, "C:\\tea\\kettle.exe"},
        {"", "0x1234", FrameKind::user, ""},
        {"nt.exe", "ServiceCopyEnd", FrameKind::kernel, "\\SystemRoot\\nt.exe"}};
    return frames;
}

std::vector<Sample> random_samples(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Sample> samples(200);
    for (Sample& sample : samples) {
        sample.frames.push_back(random() % 2);
        for (auto depth = random() % 8; depth > 0; --depth) {
            sample.frames.push_back(random() % 3 == 0 ? sample.frames.back()
                                                      : 2 + random() % (kitchen().size() - 2));
        }
        sample.weight = 1 + random() % 100;
    }
    return samples;
}

StackTree tree_of(const std::vector<Sample>& samples) {
    StackTreeBuilder builder;
    for (const Sample& sample : samples) {
        std::uint32_t node = StackNode::none;
        for (const std::size_t number : sample.frames) {
            const StackFrame& one = kitchen()[number];
            node = builder.child(node, builder.frame(one.module, one.function, one.kind, one.path));
        }
        builder.node(node).weight += sample.weight;
        ++builder.node(node).count;
    }
    return builder.take();
}

using Path = std::vector<std::string>;
using Weights = std::map<Path, std::uint64_t>;

/// Weight by path of display names.
Weights weights_of(const StackTree& tree) {
    Weights weights;
    std::vector<Path> paths;
    for (const StackNode& node : tree.nodes) {
        Path path = node.parent == StackNode::none ? Path() : paths[node.parent];
        path.push_back(display_name_of(tree.frames[node.frame]));
        if (node.weight != 0) {
            weights[path] += node.weight;
        }
        paths.push_back(std::move(path));
    }
    return weights;
}

std::regex regex_of(const std::string& pattern) {
    std::string text;
    for (const char one : pattern) {
        switch (one) {
        case '*':
            text += ".*";
            break;
        case '%':
            text += "[.\\w?]*";
            break;
        case '{':
            text += '(';
            break;
        case '}':
            text += ')';
            break;
        case '^':
        case '|':
            text += one;
            break;
        default:
            text += std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_'
                        ? std::string(1, one)
                        : std::string("\\") + one;
        }
    }
    return std::regex(text, std::regex::icase);
}

const std::regex& known_regex(const std::string& pattern) {
    static std::map<std::string, std::regex> known;
    const auto found = known.find(pattern);
    return found != known.end() ? found->second
                                : known.emplace(pattern, regex_of(pattern)).first->second;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> items;
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, ';');) {
        items.push_back(item);
    }
    return items;
}

bool matches_any(const std::string& patterns, const std::string& name) {
    return std::ranges::any_of(split(patterns), [&](const std::string& one) {
        return std::regex_search(name, known_regex(one));
    });
}

struct Renamed {
    std::string tested, shown, group;
    bool is_entry = false;
};

Renamed renamed(const std::string& grouping, const StackFrame& frame) {
    const std::string full = full_name_of(frame);
    const std::string brief = full.substr(frame.path.rfind('\\') + 1);
    std::string name = full, group;
    bool is_entry = false;
    for (const std::string& item : split(grouping)) {
        const bool enters = item.contains("=>");
        const std::size_t arrow = item.find(enters ? "=>" : "->");
        std::smatch match;
        if (!std::regex_search(name, match, known_regex(item.substr(0, arrow)))) {
            continue;
        }
        const bool has_name = arrow != item.npos && item.size() > arrow + 2;
        group = arrow == item.npos ? match.str()
                : !has_name        ? ""
                            : match.format(item.substr(item.find_first_not_of(' ', arrow + 2)));
        if (group.empty()) {
            break;
        }
        name = group;
        is_entry = enters;
        if (enters) {
            break;
        }
    }
    if (group.empty() && full.ends_with("!?")) {
        return {brief, frame.module.empty() ? brief : frame.module + "!?", brief, false};
    }
    if (group.empty()) {
        return {full, display_name_of(frame), "", false};
    }
    const std::string shown = is_entry ? group + " <<" + brief + ">>" : group;
    return {shown, shown, group, is_entry};
}

void apply(const StackPatternTexts& texts, const Sample& sample, Weights& weights) {
    std::vector<Renamed> stack;
    for (const std::size_t number : sample.frames) {
        const Renamed one = renamed(texts.grouping, kitchen()[number]);
        if (matches_any(texts.exclude, one.tested)) {
            return;
        }
        const bool merges = !stack.empty() && (stack.back().tested == one.tested ||
                                               (one.is_entry && one.group == stack.back().group) ||
                                               matches_any(texts.folding, one.tested));
        if (!merges) {
            stack.push_back(one);
        }
    }
    for (const std::string& pattern : split(texts.include)) {
        if (std::ranges::none_of(
                stack, [&](const Renamed& one) { return matches_any(pattern, one.tested); })) {
            return;
        }
    }
    Path path;
    std::ranges::transform(stack, std::back_inserter(path), &Renamed::shown);
    weights[path] += sample.weight;
}

std::vector<StackPatternTexts> recipes() {
    const std::string groupings[] = {"",
                                     "{%}!->module $1",
                                     "{%}!=>module $1",
                                     "\\tea\\%!->;!=>OTHER",
                                     "{%!*}.%(->class $1;{%!*}::->class $1",
                                     "^Process% {%}->$1;kettle->tea!;tea!=>TEA $&",
                                     "system32\\*!=>OS;syswow64\\*!=>OS;{%}!-> module $1"};
    const StackPatternTexts others[] = {
        {},
        {.folding = "wait;module nt;ServiceCopyEnd"},
        {.folding = "^Process;<<;!?"},
        {.include = "kettle;wait|module ntdll"},
        {.include = "OTHER"},
        {.exclude = "?!?;(incomplete)"},
        {.folding = "TEA", .include = "Process% kettle|^kettle", .exclude = "Lid"}};
    std::vector<StackPatternTexts> all;
    for (const std::string& grouping : groupings) {
        for (StackPatternTexts texts : others) {
            texts.grouping = grouping;
            all.push_back(texts);
        }
    }
    return all;
}

TEST(StackPatterns, MakeOfATreeWhatTheyMakeOfEachStack) {
    std::size_t different = 0;
    for (unsigned seed = 0; seed < 3; ++seed) {
        const std::vector<Sample> samples = random_samples(seed);
        const StackTree tree = tree_of(samples);
        for (const StackPatternTexts& texts : recipes()) {
            Weights expected;
            std::ranges::for_each(samples, [&](const Sample& one) { apply(texts, one, expected); });
            const StackTree result = patterns(texts).apply(tree);
            EXPECT_EQ(weights_of(result), expected)
                << texts.grouping << " | " << texts.folding << " | " << texts.include << " | "
                << texts.exclude;
            if (texts.include.empty() && texts.exclude.empty()) {
                EXPECT_EQ(result.weight(), tree.weight());
                EXPECT_EQ(result.count(), tree.count());
            }
            different += expected.size() < 100 && expected.size() > 1 ? 1U : 0U;
        }
    }
    EXPECT_GT(different, 50U);
}

/// Stacks end before a frame that is small, wherever it is.
Weights without_small(const Weights& stacks, double percent) {
    Weights inclusive, result;
    std::map<std::string, std::uint64_t> of_names;
    double sum = 0;
    for (const auto& [path, weight] : stacks) {
        sum += static_cast<double>(weight);
        Path prefix;
        for (const std::string& name : path) {
            prefix.push_back(name);
            inclusive[prefix] += weight;
        }
        for (const std::string& name : std::set<std::string>(path.begin(), path.end())) {
            of_names[name] += weight;
        }
    }
    const auto is_small = [&](std::uint64_t weight) {
        return static_cast<double>(weight) < percent / 100 * sum;
    };
    for (const auto& [path, weight] : stacks) {
        Path kept{path.front()};
        for (std::size_t i = 1; i < path.size(); ++i) {
            Path next = kept;
            next.push_back(path[i]);
            if (path[i] != "(incomplete)" && is_small(inclusive[next]) &&
                is_small(of_names[path[i]])) {
                break;
            }
            kept = std::move(next);
        }
        result[kept] += weight;
    }
    return result;
}

TEST(StackPatterns, FoldFramesThatAreSmallEverywhere) {
    for (const double percent : {0.5, 8.0, 20.0, 100.0}) {
        const StackTree tree = tree_of(random_samples(7));
        const StackTree all = patterns({.grouping = "{%}!=>module $1"}).apply(tree);
        const StackTree large =
            patterns({.grouping = "{%}!=>module $1", .fold_percent = percent}).apply(tree);
        EXPECT_EQ(weights_of(large), without_small(weights_of(all), percent)) << percent;
        EXPECT_EQ(large.weight(), tree.weight());
        EXPECT_TRUE(percent < 20.0 || large.nodes.size() < all.nodes.size()) << percent;
    }
}

std::uint64_t folded_in(const StackTree& tree) {
    std::uint64_t folded = 0;
    for (const StackNode& node : tree.nodes) {
        EXPECT_LE(node.folded, node.weight);
        folded += node.folded;
    }
    return folded;
}

TEST(StackPatterns, CanBeMadeOfAFrame) {
    const StackTree tree = tree_of(random_samples(13));
    for (const std::string_view grouping : {"", "{%}!=>module $1", "\\tea\\%!->;!=>OTHER"}) {
        const std::string text(grouping);
        const StackTree all = patterns({.grouping = text}).apply(tree);
        for (const StackFrame& frame : all.frames) {
            const std::string pattern = pattern_of(frame), name = display_name_of(frame);
            const StackTree with = patterns({.grouping = text, .include = pattern}).apply(tree);
            EXPECT_EQ(with.weight(), callees_of(all, name).weight()) << pattern;
            const StackTree without = patterns({.grouping = text, .exclude = pattern}).apply(tree);
            EXPECT_TRUE(callees_of(without, name).nodes.empty()) << pattern;
        }
    }
    EXPECT_EQ(pattern_of({"a.exe", "f;{->}", FrameKind::user, ""}),
              "@(?:^|\\\\|/)a\\x21f\\x3b\\x7b\\x2d\\x3e\\x7d$");
}

TEST(StackPatterns, SayHowMuchWasFolded) {
    const std::vector<Sample> samples = random_samples(12);
    std::uint64_t expected = 0;
    for (const Sample& sample : samples) {
        const StackFrame& innermost = kitchen()[sample.frames.back()];
        expected += innermost.function == "Wait" ? sample.weight : 0;
    }
    const StackTree tree = tree_of(samples);
    const StackTree without_waits = patterns({.folding = "!Wait"}).apply(tree);
    EXPECT_GT(expected, 0U);
    EXPECT_EQ(folded_in(without_waits), expected);
    EXPECT_EQ(folded_in(inverted(without_waits)), expected);
    EXPECT_EQ(folded_in(patterns({.grouping = "modules"}).apply(tree)), 0U);
    const StackTree outermost = patterns({.fold_percent = 100}).apply(tree);
    EXPECT_GT(folded_in(outermost), expected);
}

TEST(StackPatterns, KeepWhatMergedBranchesStandFor) {
    StackTree tree = tree_of(random_samples(8));
    tree.merge_smallest(40);
    const StackTree result = patterns({.grouping = "modules"}).apply(tree);
    EXPECT_EQ(result.weight(), tree.weight());
    for (const StackNode& node : result.nodes) {
        EXPECT_EQ(node.merged != 0, result.frames[node.frame].function == "(smaller ones)");
    }
    const auto merged = [](const StackTree& of) {
        std::uint64_t sum = 0;
        std::ranges::for_each(of.nodes, [&](const StackNode& node) { sum += node.merged; });
        return sum;
    };
    EXPECT_EQ(merged(result), merged(tree));
}

TEST(StackPatterns, EndWhenTheyAreStopped) {
    Stop stop;
    stop.request();
    EXPECT_TRUE(patterns({}).apply(tree_of(random_samples(9)), &stop).nodes.empty());
}

// Other views.

Path shown(const Sample& sample) {
    Path path;
    for (const std::size_t number : sample.frames) {
        path.push_back(display_name_of(kitchen()[number]));
    }
    return path;
}

TEST(StackViews, InvertedTreesBeginWithFunctions) {
    const std::vector<Sample> samples = random_samples(10);
    Weights expected;
    for (const Sample& sample : samples) {
        Path path = shown(sample);
        std::ranges::reverse(path);
        expected[path] += sample.weight;
    }
    const StackTree tree = tree_of(samples);
    EXPECT_EQ(weights_of(inverted(tree)), expected);
    EXPECT_EQ(weights_of(inverted(inverted(tree))), weights_of(tree));
    EXPECT_EQ(inverted(tree).count(), tree.count());
}

/// Weight by the name of each node with one caller.
std::map<std::string, std::uint64_t> second_frames(const Weights& weights) {
    std::map<std::string, std::uint64_t> sums;
    for (const auto& [path, weight] : weights) {
        if (path.size() > 1) {
            sums[path[1]] += weight;
        }
    }
    return sums;
}

TEST(StackViews, ButterfliesHaveTheWeightOfTheirFrame) {
    const std::vector<Sample> samples = random_samples(11);
    const StackTree tree = tree_of(samples);
    for (const StackFrame& frame : kitchen()) {
        const std::string name = display_name_of(frame);
        std::uint64_t inclusive = 0, own = 0;
        std::map<std::string, std::uint64_t> callers, callees;
        for (const Sample& sample : samples) {
            const Path path = shown(sample);
            const auto first = std::ranges::find(path, name);
            if (first == path.end()) {
                continue;
            }
            inclusive += sample.weight;
            if (first != path.begin()) {
                callers[*std::prev(first)] += sample.weight;
            }
            const auto last = std::find(path.rbegin(), path.rend(), name).base();
            if (last == path.end()) {
                own += sample.weight;
            } else {
                callees[*last] += sample.weight;
            }
        }
        ASSERT_GT(inclusive, 0U);
        const StackTree below = callees_of(tree, name), above = callers_of(tree, name);
        EXPECT_EQ(below.weight(), inclusive) << name;
        EXPECT_EQ(above.weight(), inclusive) << name;
        EXPECT_EQ(weights_of(below)[{name}], own) << name;
        EXPECT_EQ(second_frames(weights_of(below)), callees) << name;
        EXPECT_EQ(second_frames(weights_of(above)), callers) << name;
        EXPECT_EQ(display_name_of(below.frames[below.nodes[0].frame]), name);
        EXPECT_EQ(std::ranges::count(below.nodes, StackNode::none, &StackNode::parent), 1) << name;
    }
    EXPECT_TRUE(callees_of(tree, "spoon!stir").nodes.empty());
    EXPECT_TRUE(callers_of(tree, "spoon!stir").nodes.empty());
}

} // namespace
} // namespace etl::analysis::patterns_test
