import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import etl
from etl._interrupt import run_interruptibly


def test_recording_to_a_file(tmp_path):
    runtime = etl.Runtime()
    shop = runtime.provider("Coffee.Shop")
    path = tmp_path / "sales.etl"
    shop.write("Sold", {"What": "nothing yet"})
    assert not shop.is_enabled()
    with runtime.start("Sales", path) as session:
        session.enable("Coffee.Shop", level=4)
        assert shop.is_enabled(4) and not shop.is_enabled(5)
        for number in range(100):
            shop.write("Sold", {"Number": number}, level=4)
        shop.write("Detail", level=5)
        state = session.query()
        assert state.name == "Sales" and state.events_lost == 0 and state.providers == 1
        with pytest.raises(etl.Error, match="ALREADY_EXISTS"):
            runtime.start("Sales", path)
    assert "stopped" in repr(session)
    with pytest.raises(etl.Error) as raised:
        session.stop()
    assert raised.value.status == "not found"
    assert [event["Number"] for event in etl.open(path, where="event == Sold")] == list(range(100))


def test_listening(tmp_path):
    runtime = etl.Runtime()
    shop = runtime.provider("Coffee.Shop")
    session = runtime.start("Live", mode="real-time")
    session.enable("Coffee.Shop")
    trace = session.listen(where="event == Sold")
    seen = []
    reader = threading.Thread(target=lambda: seen.extend(event["Number"] for event in trace))
    reader.start()  # waits without the GIL
    for number in range(10):
        shop.write("Sold", {"Number": number})
    session.stop()
    reader.join(timeout=30)
    assert not reader.is_alive() and seen == list(range(10))
    with pytest.raises(ValueError):
        runtime.start("Other", mode="sideways")


def interrupted(source, tmp_path):
    """The output of a program that is interrupted once it has printed `ready`."""
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          cwd=tmp_path) as program:
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        output, _ = program.communicate(timeout=30)
        assert program.returncode == 0, output
    return output


def test_listening_is_interrupted(tmp_path):
    assert interrupted("""
import etl
runtime = etl.Runtime()
session = runtime.start("Live", mode="real-time")
try:
    for event in session.listen():
        print("ready", flush=True)
except KeyboardInterrupt:
    print("interrupted", session.query().name)
""", tmp_path) == "interrupted Live\n"


def test_a_search_without_hits_is_interrupted(tmp_path):
    with etl.Writer(tmp_path / "many.etl") as writer:
        for number in range(20_000):
            writer.write("Coffee.Shop", "Sold", {"Number": number})
    assert interrupted("""
import etl
print("ready", flush=True)
try:
    for where in ("pid == 4294967294", "Number == -5"):
        while True:
            for event in etl.open(["many.etl"] * 200, where=where):
                pass
except KeyboardInterrupt:
    print("interrupted")
""", tmp_path) == "interrupted\n"


def test_a_loop_that_was_interrupted_between_events_does_not_end_as_if_complete(tmp_path):
    with etl.Writer(tmp_path / "many.etl") as writer:
        for number in range(1000):
            writer.write("Coffee.Shop", "Sold", {"Number": number})
    assert interrupted("""
import time, etl
events = iter(etl.open("many.etl"))
next(events)
print("ready", flush=True)
try:
    time.sleep(20)
except KeyboardInterrupt:
    time.sleep(0.2)
try:
    print(len(list(events)))
except KeyboardInterrupt:
    print("interrupted")
""", tmp_path) == "interrupted\n"


def test_other_uses_of_signals_stay(tmp_path):
    with etl.Writer(tmp_path / "few.etl") as writer:
        for number in range(3):
            writer.write("Coffee.Shop", "Sold", {"Number": number})
    receiver, sender = socket.socketpair()
    with receiver, sender:
        sender.setblocking(False)
        count = sum(1 for _ in etl.open(tmp_path / "few.etl"))
        events = iter(etl.open(tmp_path / "few.etl"))
        next(events)
        signal.set_wakeup_fd(sender.fileno())  # as an event loop that starts meanwhile
        assert len(list(events)) == count - 1
        assert signal.set_wakeup_fd(-1) == sender.fileno()


def test_long_calls_are_interrupted(tmp_path):
    assert interrupted("""
import time
from etl._interrupt import run_interruptibly
print("ready", flush=True)
began = time.monotonic()
try:
    run_interruptibly(lambda: time.sleep(20))
except KeyboardInterrupt:
    print(time.monotonic() - began < 10)
""", tmp_path) == "True\n"


def test_results_of_long_calls():
    assert run_interruptibly(lambda: 5) == 5
    with pytest.raises(LookupError, match="here"):
        run_interruptibly(fail)


def fail():
    raise LookupError("here")


def test_sessions_in_memory(tmp_path):
    runtime = etl.Runtime()
    shop = runtime.provider("Coffee.Shop")
    with runtime.start("Ring", mode="buffering") as session:
        session.enable("Coffee.Shop")
        shop.write("Sold", {"Number": 1})
        session.flush(tmp_path / "ring.etl")
    assert [event["Number"] for event in etl.open(tmp_path / "ring.etl", where="event == Sold")] == [1]


@pytest.mark.skipif(not shutil.which("etld"), reason="no etld in PATH")
def test_sessions_of_the_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("ETL_HOST", str(tmp_path / "host"))
    (tmp_path / "host").mkdir()
    controller = etl.Controller()
    runtime = etl.Runtime(attach=True)
    shop = runtime.provider("Coffee.Shop")
    path = tmp_path / "morning.etl"
    controller.start("Morning", path)
    controller.enable("Morning", "Coffee.Shop", level=4)
    end = time.monotonic() + 30
    while not shop.is_enabled(4):
        assert time.monotonic() < end
        time.sleep(0.01)
    for number in range(50):
        shop.write("Sold", {"Number": number}, level=4)
    assert [state.name for state in controller.sessions] == ["Morning"]
    assert controller.query("Morning").providers == 1
    assert controller.stop("Morning").events_lost == 0
    assert controller.sessions == []
    with pytest.raises(etl.Error) as raised:
        controller.stop("Morning")
    assert raised.value.status == "not found"
    assert [event["Number"] for event in etl.open(path, where="event == Sold")] == list(range(50))


def test_tables(corpus, first_steps):
    table = etl.table("stats", first_steps, by="provider")
    assert [row["provider"] for row in table] == ["Example.SignalBox", "Example-Timetable"]
    assert len(table) == len(table.rows) == 2 and "events" in [column.name for column in table.columns]
    assert sum(row["events"] for row in table) == table.total["events"] > 0
    assert "<table>" in table._repr_html_() and "stats" in repr(table)
    assert "provider" in etl.tables()["stats"]
    with pytest.raises(etl.Error) as raised:
        etl.table("none", first_steps)
    assert raised.value.status == "not found"
    cpu = etl.table("cpu", first_steps)
    assert cpu.remarks  # what the trace does not contain is said


def test_tables_in_pandas(first_steps):
    pytest.importorskip("pandas")
    frame = etl.table("stats", first_steps, by="provider").to_pandas()
    assert frame["events"].sum() > 0


def test_integers_with_nulls_stay_integers(corpus):
    pytest.importorskip("pandas")
    frame = etl.table("processes", corpus / "good/process-activity.etl").to_pandas()
    assert frame["exit_code"].isna().any() and str(frame["exit_code"].dtype) == "UInt64"


def test_closed_providers_are_refused():
    provider = etl.Runtime().provider("MyCompany.Shop")
    with provider:
        assert not provider.is_enabled()
    provider.close()
    assert "closed" in repr(provider)
    for use in (provider.is_enabled, lambda: provider.write("Sold")):
        with pytest.raises(ValueError, match="closed"):
            use()
