#include "symbols/limits.hpp"
#include "symbols/stores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::symbols::search_path_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = SearchPlace::Kind;

TEST(SymbolPath, IsAListOfDirectories) {
    EXPECT_THAT(parse_symbol_path("C:\\symbols; /srv/pdb ;;"),
                ElementsAre(SearchPlace{Kind::directory, "C:\\symbols"},
                            SearchPlace{Kind::directory, "/srv/pdb"}));
    EXPECT_THAT(parse_symbol_path(" ; "), IsEmpty());
}

TEST(SymbolPath, NamesStoresAndServers) {
    EXPECT_THAT(parse_symbol_path("SRV*/cache*/team*https://symbols.example.com/"),
                ElementsAre(SearchPlace{Kind::store, "/cache"}, SearchPlace{Kind::store, "/team"},
                            SearchPlace{Kind::server, "https://symbols.example.com/"}));
    EXPECT_THAT(parse_symbol_path("symsrv*symsrv.dll*/team;cache*/c"),
                ElementsAre(SearchPlace{Kind::store, "/team"}, SearchPlace{Kind::store, "/c"}));
    EXPECT_THAT(parse_symbol_path("https://symbols.example.com"),
                ElementsAre(SearchPlace{Kind::server, "https://symbols.example.com"}));
}

TEST(SymbolPath, HasNoDefaultCache) {
    EXPECT_THAT(parse_symbol_path("srv**http://s;cache*;srv*"),
                ElementsAre(SearchPlace{Kind::server, "http://s"}));
}

TEST(SymbolPath, KeepsOtherAsterisks) {
    EXPECT_THAT(parse_symbol_path("a*b"), ElementsAre(SearchPlace{Kind::directory, "a*b"}));
}

TEST(SymbolPath, IsBounded) {
    std::string text;
    for (std::size_t i = 0; i < limits::search_places + 10; ++i) {
        text += "d;";
    }
    EXPECT_THAT(parse_symbol_path(text), SizeIs(limits::search_places));
}

} // namespace
} // namespace etl::symbols::search_path_test
