// Extended data items made free of what is private. Private to anonymize. docs/anonymize.md#items
#pragma once

#include "anonymize/kind_plan.hpp"
#include "anonymize/texts/rewriter.hpp"

namespace etl::anonymize {

/// One thread. The others outlive it.
class ItemRewriter {
public:
    ItemRewriter(const Pseudonyms& pseudonyms, Rewriter& rewriter)
        : pseudonyms_(&pseudonyms), rewriter_(&rewriter) {}

    /// Returns what becomes of items that parse, with their heads and padding and of the same size;
    /// empty: nothing changes. Valid until the next call. Counts in `plan`.
    Bytes rewrite(Bytes items, KindPlan& plan);

private:
    MutableBytes changing(Bytes part);
    bool clear(Bytes part);
    void rewrite_data(const format::ExtendedItem& item, KindPlan& plan);
    void rewrite_names(const format::ExtendedItem& item, RewrittenItem& known, KindPlan& plan);
    void rewrite_metadata(RewrittenItem& item);
    void rewrite_traits(RewrittenItem& item);
    KindSet replace(MutableBytes text);

    const Pseudonyms* pseudonyms_;
    Rewriter* rewriter_;
    std::u16string units_;
    Bytes items_;                // as they are
    std::vector<std::byte> now_; // as they become; empty until something changes
};

} // namespace etl::anonymize
