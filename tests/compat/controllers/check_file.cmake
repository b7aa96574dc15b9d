# Included: every event of every provider is in the file ${WORK}/four.etl, which is intact.
execute_process(COMMAND "${ETL}" check "${WORK}/four.etl" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND "${ETL}" dump --strict --format jsonl --schema "${MANIFEST}" --where "data.Name == tea" --fields data
  "${WORK}/four.etl" OUTPUT_VARIABLE events COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL [["Length":3,"Name":"tea","Tail":"706f74"]] events "${events}")
list(LENGTH events count)
if(NOT count EQUAL 4000)
  message(FATAL_ERROR "${count} events are in the file")
endif()
