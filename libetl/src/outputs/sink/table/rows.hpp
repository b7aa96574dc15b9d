// Writes events as rows of one table or several. Private to sink.
#pragma once

#include "decode/message_text.hpp"
#include "facts/annotator.hpp"
#include "sink/csv.hpp"
#include "sink/selection.hpp"
#include "sink/table/cells.hpp"
#include "sink/table/layout.hpp"

#include <unordered_map>

namespace etl::sink {

class RowWriter {
public:
    /// One table whose key is empty takes all events.
    RowWriter(Options options, CsvOptions csv, std::vector<CsvTable> tables);

    /// What it was made of, for another one.
    const Options& options() const noexcept { return options_; }

    const CsvOptions& csv() const noexcept { return csv_; }

    const std::vector<CsvTable>& tables() const noexcept { return tables_; }

    std::string_view head(std::size_t table) const noexcept { return layouts_[table].head(); }

    flow::DecodeCounts counts() const noexcept { return {errors_, guesses_}; }

    /// The number of the table whose row was appended; none: the event is left out.
    std::optional<std::size_t> write(const flow::Event& event, std::string& to);

private:
    static constexpr std::uint32_t no_table = 0xFFFFFFFF;

    /// What all events of a kind share.
    struct KindColumns {
        bool is_known = false;
        std::uint32_t table = no_table;
        FieldSlots slots;
        std::vector<std::string> texts;          // of the segments of the kind
        std::vector<std::string> texts_if_plain; // the same for plain events
    };

    KindColumns& columns_of_kind(const decode::DecodedEvent& decoded);
    void read_data(const decode::DecodedEvent& decoded, const KindTexts& texts,
                   const KindColumns& columns);
    bool is_plain(const decode::DecodedEvent& decoded) const;
    void row(std::string& to, const decode::DecodedEvent& decoded, const KindTexts& texts,
             const std::vector<Segment>& segments, std::vector<std::string>& texts_of_kind);
    void cells(std::string& to, const Segment& segment, const decode::DecodedEvent& decoded,
               const KindTexts& texts);
    void data(std::string& to) const;
    void fill(std::string& cell, Key key, const decode::DecodedEvent& decoded,
              const KindTexts& texts);
    void fill_body(std::string& cell, Key key, const decode::DecodedEvent& decoded);
    void fill_notes(std::string& cell, Key key, const KindTexts& texts) const;
    void fill_origin(std::string& cell, Key key, const flow::Event& event) const;
    void stack(std::string& cell) const;
    void problem(std::string& cell, const decode::DecodedEvent& decoded) const;

    Options options_;
    CsvOptions csv_;
    std::vector<CsvTable> tables_;
    std::vector<Layout> layouts_; // by table
    std::unordered_map<std::string, std::uint32_t> table_numbers_;
    Selection selection_;
    decode::Decoder decoder_;
    WantedEvents wanted_;
    KindTextCache texts_;
    std::optional<facts::Annotator> annotator_;
    const facts::Notes* notes_ = nullptr; // of the event at hand
    JsonData data_;
    FieldCells fields_;
    HeaderCells header_;
    decode::EventMessage message_;
    std::vector<KindColumns> kinds_; // by number of the kind
    std::uint32_t generation_ = 0;
    std::string cell_, json_;
    const decode::FieldWalker* walker_ = nullptr; // the one that read the event at hand
    bool failed_ = false;
    std::uint64_t errors_ = 0;
    std::uint64_t guesses_ = 0;
};

} // namespace etl::sink
