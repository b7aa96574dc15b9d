#include "sink/csv.hpp"

#include "base/layout.hpp"
#include "sink/table/rows.hpp"

namespace etl::sink {

namespace {

// In front of a row of one of several tables: its number, and the bytes of the row.
constexpr std::size_t row_header = 2 * sizeof(std::uint32_t);

} // namespace

Csv::Csv(Options options, CsvOptions csv) {
    Options whole = completed(std::move(options));
    std::vector<std::string> columns = columns_of(whole);
    writer_ = std::make_unique<RowWriter>(
        std::move(whole), csv, std::vector{CsvTable{.key = {}, .columns = std::move(columns)}});
}

Csv::~Csv() = default;

std::unique_ptr<flow::Encoder> Csv::clone() const {
    return std::make_unique<Csv>(writer_->options(), writer_->csv());
}

std::string_view Csv::head() const {
    return writer_->head(0);
}

bool Csv::encode(const flow::Event& event, std::string& to) {
    return writer_->write(event, to).has_value();
}

flow::DecodeCounts Csv::decode_counts() const {
    return writer_->counts();
}

CsvTables::CsvTables(Options options, CsvOptions csv, std::vector<CsvTable> tables) {
    options.fields.clear();
    for (const CsvTable& table : tables) {
        for (const std::string& column : table.columns) {
            if (decode::find_key(column) &&
                std::ranges::find(options.fields, column) == options.fields.end()) {
                options.fields.push_back(column);
            }
        }
    }
    options.fields.emplace_back(name(Key::data)); // all fields
    writer_ = std::make_unique<RowWriter>(completed(std::move(options)), csv, std::move(tables));
}

CsvTables::~CsvTables() = default;

std::unique_ptr<flow::Encoder> CsvTables::clone() const {
    return std::make_unique<CsvTables>(writer_->options(), writer_->csv(), writer_->tables());
}

std::string_view CsvTables::head_of(std::size_t table) const {
    return writer_->head(table);
}

bool CsvTables::encode(const flow::Event& event, std::string& to) {
    const std::size_t begin = to.size();
    to.resize(begin + row_header);
    const auto table = writer_->write(event, to);
    if (!table) {
        to.resize(begin);
        return false;
    }
    const auto bytes = std::as_writable_bytes(std::span(to).subspan(begin, row_header));
    store_le(bytes.data(), static_cast<std::uint32_t>(*table));
    store_le(bytes.data() + sizeof(std::uint32_t),
             static_cast<std::uint32_t>(to.size() - begin - row_header));
    return true;
}

flow::DecodeCounts CsvTables::decode_counts() const {
    return writer_->counts();
}

void CsvTables::for_each_row(std::string_view encoded,
                             FunctionRef<void(std::size_t table, std::string_view row)> each) {
    while (encoded.size() >= row_header) {
        const auto* const header = std::as_bytes(std::span(encoded)).data();
        const auto table = load_le<std::uint32_t>(header);
        const auto size = load_le<std::uint32_t>(header + sizeof(std::uint32_t));
        each(table, encoded.substr(row_header, size));
        encoded.remove_prefix(std::min(encoded.size(), row_header + size));
    }
}

} // namespace etl::sink
