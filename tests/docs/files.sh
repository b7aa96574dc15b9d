# Creates the files that $PAGE names, in the current directory. Sourced by run_commands.py; $ROOT is the project.

# manifest NAME GUID EVENT FIELD TYPE: a manifest with one event.
manifest() {
    cat <<END
<?xml version="1.0" encoding="UTF-8"?>
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"
    xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
  <instrumentation><events>
    <provider name="$1" guid="{$2}" symbol="Provider" resourceFileName="provider.dll" messageFileName="provider.dll">
      <templates><template tid="Fields"><data name="$4" inType="win:$5"/></template></templates>
      <tasks><task name="$3" value="1" symbol="Task"/></tasks>
      <events><event value="1" version="0" level="win:Informational" task="$3" template="Fields" symbol="Event"/></events>
    </provider>
  </events></instrumentation>
</instrumentationManifest>
END
}

# Traces, from lines of JSON.
shop() {
    cat <<END
{"time":"2024-05-17T04:00:00Z","pid":4242,"tid":9,"provider":"Contoso.Shop","event":"OrderPlaced","level":4,"data":{"CardNumber":"4111-1111","UserName":"CONTOSO\\\\alice","Size":5000}}
{"time":"2024-05-17T04:00:11Z","pid":4242,"tid":9,"provider":"Contoso.Shop","event":"OrderShipped","level":4,"data":{"Status":5,"Size":12}}
{"time":"2024-05-17T04:00:12Z","pid":4242,"tid":9,"provider":"Tea-House","event":"BrewingStarted","level":4,"data":{"Cups":2,"Kind":"green"}}
{"time":"2024-05-17T04:00:40Z","pid":7,"tid":9,"provider":"Microsoft-Windows-Example","event":"Connected","level":3,"data":{"daddr":"10.1.2.3","dport":80}}
END
}
shop | etl write -o trace.etl
for name in kernel user monday tuesday client server other before after; do cp trace.etl $name.etl; done
cp "$ROOT/corpus/good/process-activity.etl" growing.etl
mkdir traces && cp trace.etl traces/one.etl
mkdir folder && cp trace.etl folder/one.etl && cp trace.etl folder/two.etl
shop | etl write --mode newfile --max-size 64K --buffer-size 4K -o 'log_%d.etl'

# Damaged traces.
cp "$ROOT/corpus/damaged/garbage-between-buffers.etl" broken.etl
cp log_1.etl log_2.etl

# Schemas.
mkdir -p manifests windows10 windows11 C/Windows/System32
manifest Contoso-Shop 7e57ab1e-0000-4000-8000-00000000cafe Order Size UInt32 >provider.man
cp provider.man coffee.man
manifest Microsoft-Windows-TCPIP 2f07e2ee-15db-40f1-90ef-9d7ba282188a TcpConnectTcbComplete Status UInt32 >tcpip.man
manifest Microsoft-Windows-Kernel-Process 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716 ProcessStart ProcessID UInt32 >manifests/process.man
cp manifests/process.man windows10/
manifest Microsoft-Windows-Kernel-Process 22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716 ProcessStart ProcessID UInt64 >windows11/process.man
python3 -m zipfile -c windows11.zip windows11/process.man
cp "$ROOT/corpus/schemas/signal-box.dll" C/Windows/System32/
cp "$ROOT/corpus/schemas/signal-box.dll" driver.sys
printf 'a secret' >team.key

# Files with names that other pages write.
case $PAGE in
profilers) etl generate --workload --events 20000 --rate 4000 --force -o trace.etl ;;
repair)
    cp "$ROOT/corpus/damaged/unfinished.etl" log.etl
    : >elsewhere
    ;;
flame)
    etl generate --workload --events 5K -o trace.etl --force
    cp trace.etl before.etl && cp trace.etl after.etl && mkdir symbols
    ;;
schemas) cp "$ROOT/corpus/good/first-steps.etl" trace.etl ;;
symbols)
    cp "$ROOT/corpus/good/managed-code.etl" trace.etl
    cp "$ROOT/corpus/symbols/ntkrnlmp.pdb" folder/
    cp "$ROOT/corpus/symbols/ntkrnlmp.pdb" pump.pdb
    ;;
streams) etl compress trace.etl -o trace.etl.zst ;;
trace-your-own-program)
    echo '{"time":"2024-05-17T04:00:00Z","provider":"MyCompany.Coffee","event":"CupFinished","data":{"Drink":"espresso","Temperature":93}}' >event.json
    sed 'p;s/93/94/p;s/94/95/' event.json | etl write -o coffee.etl
    ;;
esac
