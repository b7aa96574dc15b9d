// Any bytes as patterns, and as names that they match: lines are grouping, folding, include,
// exclude, and names of frames. Beyond "does not crash": errors have a place in their text, and
// nothing is lost of a tree unless stacks are selected.
#include "analysis/stack_patterns.hpp"
#include "analysis/stack_tree.hpp"
#include "base/text.hpp"
#include "fuzz/require.hpp"

#include <array>
#include <span>
#include <string_view>

namespace {

using namespace etl;

std::string_view next_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// Stacks of all names, of which each calls the next or begins anew.
analysis::StackTree tree_of(std::string_view names) {
    analysis::StackTreeBuilder builder;
    std::uint32_t node = analysis::StackNode::none;
    for (std::uint64_t weight = 1; !names.empty(); ++weight) {
        const std::string_view name = next_line(names);
        const std::size_t module = name.find('!');
        const auto frame =
            module == name.npos
                ? builder.frame({}, name, analysis::FrameKind::user)
                : builder.frame(name.substr(0, module), name.substr(module + 1),
                                analysis::FrameKind::user, name.substr(0, name.find('!')));
        node = builder.child(name.empty() ? analysis::StackNode::none : node, frame);
        builder.node(node).weight += weight;
        ++builder.node(node).count;
    }
    return builder.take();
}

void require_sums(const analysis::StackTree& of, const analysis::StackTree& all, bool is_part) {
    fuzz::require(is_part ? of.weight() <= all.weight() : of.weight() == all.weight());
    fuzz::require(is_part ? of.count() <= all.count() : of.count() == all.count());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = as_text(std::as_bytes(std::span(data, size)));
    analysis::StackPatternTexts texts;
    for (std::string* const one :
         {&texts.grouping, &texts.folding, &texts.include, &texts.exclude}) {
        *one = next_line(text);
    }
    texts.fold_percent = static_cast<double>(size % 7);
    const auto patterns = analysis::StackPatterns::parse(texts);
    if (!patterns) {
        const analysis::StackPatternError& error = patterns.error();
        fuzz::require(!error.what.empty() && !error.about.empty() && error.column > 0 &&
                      error.column <= size + 1);
        return 0;
    }
    const analysis::StackTree tree = tree_of(text);
    const bool selects = !texts.include.empty() || !texts.exclude.empty();
    const analysis::StackTree result = patterns->apply(tree);
    require_sums(result, tree, selects);
    require_sums(analysis::inverted(result), result, false);
    for (const analysis::StackFrame& frame :
         std::span(result.frames).first(std::min<std::size_t>(result.frames.size(), 4))) {
        const std::string name = analysis::display_name_of(frame);
        const analysis::StackTree below = analysis::callees_of(result, name);
        require_sums(below, result, true);
        require_sums(analysis::callers_of(result, name), below, false);
    }
    return 0;
}
