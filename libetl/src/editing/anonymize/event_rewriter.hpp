// One event made free of what is private, in a draft of its own. Private to anonymize.
#pragma once

#include <etl/relog.hpp>

#include "anonymize/kind_plan.hpp"
#include "anonymize/packets/packet_events.hpp"
#include "anonymize/texts/rewriter.hpp"
#include "format/logfile_header.hpp"

namespace etl::anonymize {

// Session name and file name in a log file header. docs/format/logfile-header.md

/// In place.
KindSet rewrite_strings(format::LogfileHeader& header, Rewriter& rewriter);

/// Likewise, and names of the time zone; pointers of the logger become zeros, and a
/// missing file name "trace.etl".
void rewrite_header(format::LogfileHeader& header, Rewriter& rewriter);

/// The strings of the payload of a log file header record, in place; nothing when it is none.
KindSet rewrite_logfile_payload(MutableBytes payload, unsigned pointer_size, Rewriter& rewriter);

// Extended data items made free of what is private. docs/anonymize.md#items

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

/// One thread. The others outlive it.
class EventRewriter {
public:
    struct Result {
        const relog::Draft* draft = nullptr; // null: nothing changed
        bool undecodable = false; // what it holds is not known: only names in it were replaced
    };

    EventRewriter(const Options& options, const Pseudonyms& pseudonyms, Rewriter& rewriter)
        : options_(&options), pseudonyms_(&pseudonyms), rewriter_(&rewriter),
          items_(pseudonyms, rewriter) {}

    /// The draft is good until the next call. Counts in `plan`.
    Result rewrite(const decode::DecodedEvent& event, KindPlan& plan);

private:
    bool has_all_fields(const decode::DecodedEvent& event);
    void rewrite_packet(const decode::DecodedEvent& event, KindPlan& plan);
    KindSet rewrite_part(const PacketPart& part, MutableBytes bytes);
    void rewrite_items(const decode::DecodedEvent& event, KindPlan& plan);
    void clear_reserved(const decode::DecodedEvent& event);
    void clear_payload(const decode::DecodedEvent& event, KindPlan& plan);
    void clear_undecoded(const decode::DecodedEvent& event, KindPlan& plan);
    void rewrite_arranged(const decode::DecodedEvent& event, KindPlan& plan);
    void rewrite_fields(const decode::DecodedEvent& event, KindPlan& plan);
    void rewrite_value(const decode::DecodedEvent& event, KindPlan& plan, std::size_t field,
                       Bytes bytes);
    void count_kept(Role role, KindSet changed, FieldCounts& counts) const;
    KindSet redact(const FieldTask& task, MutableBytes bytes) const noexcept;
    void wipe_trailing(const decode::DecodedEvent& event, KindPlan& plan);
    void search(const decode::DecodedEvent& event, KindPlan& plan, Bytes bytes);
    void put(const decode::DecodedEvent& event, Bytes where, Bytes now);
    relog::Draft& draft_of(const decode::DecodedEvent& event);

    const Options* options_;
    const Pseudonyms* pseudonyms_;
    Rewriter* rewriter_;
    ItemRewriter items_;
    relog::Draft draft_;
    bool drafted_ = false;
    bool undecodable_ = false;
    decode::FieldWalker walker_;
    std::u16string units_;
    std::vector<std::byte> value_; // that is being changed
    std::vector<PacketPart> parts_;
};

} // namespace etl::anonymize
