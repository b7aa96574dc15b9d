"""Talks to etl mcp as an assistant does: check_mcp.py ETL TRACES...

Calls every tool on every trace of the directories TRACES. Each answer must be a valid message of at most 4096 bytes of text that
ends with a command line. Also: messages while a call runs, cancellation, and the time limit.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Client:
    def __init__(self, etl: str, *options: str):
        self.process = subprocess.Popen([etl, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sent = 0

    def send(self, method: str, **params):
        self.sent += 1
        self.write({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": {**params, "_meta": META}})
        return self.sent

    def write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        message = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0" and ("result" in message) != ("error" in message), message
        if "result" in message:
            assert message["result"]["resultType"] == "complete", message
        return message

    def request(self, method: str, **params):
        number = self.send(method, **params)
        message = self.receive()
        assert message["id"] == number, message
        return message

    def close(self):
        self.process.stdin.close()
        assert self.process.stdout.read() == b"" and self.process.wait(timeout=60) == 0


def check_schema(tool):
    """What a call may contain."""
    schema = tool["inputSchema"]
    assert schema["type"] == "object" and schema["additionalProperties"] is False, tool
    assert set(schema.get("required", [])) <= set(schema["properties"]), tool
    for name, value in schema["properties"].items():
        assert value["type"] in ("string", "integer", "boolean", "array"), (tool["name"], name)
        assert name in ("files", "recursive") or value["description"], (tool["name"], name)
    assert tool["description"] and tool["annotations"]["readOnlyHint"] is True, tool


def check_answer(message, most: int):
    """The text of an answer."""
    result = message["result"]
    contents = result["content"] # what the verb printed, and the words of the tool
    assert len(contents) in (1, 2) and all(one["type"] == "text" for one in contents), message
    text = "".join(one["text"] for one in contents)
    assert isinstance(result["isError"], bool), message
    assert text and len(text.encode()) <= most, (len(text.encode()), text)
    assert text.splitlines()[-1].startswith("Command: etl "), text
    return text


def check_traces(client: Client, tools, traces):
    """Every tool on every trace."""
    answers = errors = 0
    for trace in traces:
        for tool in tools:
            properties = tool["inputSchema"]["properties"]
            if "files" not in properties:
                continue
            files = [str(trace)] * properties["files"]["minItems"]
            arguments = {"files": files}
            if "query" in properties:
                arguments["query"] = "SELECT provider, event, count(*) FROM events GROUP BY 1, 2"
            message = client.request("tools/call", name=tool["name"], arguments=arguments)
            text = check_answer(message, 4096)
            answers += 1
            if message["result"]["isError"]:
                errors += 1
                assert " signal " not in text, text
    return answers, errors


def check_running(etl: str):
    """Requests while a call runs, its cancellation, and the time limit."""
    with tempfile.TemporaryDirectory() as work:
        trace = pathlib.Path(work) / "large.etl"
        subprocess.run([etl, "generate", "--events", "1M", "-o", trace], check=True, capture_output=True)
        # So many files take longer than a second on any machine.
        call = {"name": "dump", "arguments": {"files": ["large.etl"] * 16, "where": "data.NoSuchField == 1"}}
        client = Client(etl, "--root", work)
        running = client.send("tools/call", **call)
        time.sleep(0.1)
        assert client.request("server/discover")["result"]["supportedVersions"], "answered while a call runs"
        client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": running}})
        check = client.request("tools/call", name="check", arguments={"files": ["large.etl"]})
        assert "intact" in check_answer(check, 4096), check
        client.close()
        client = Client(etl, "--root", work, "--time-limit", "1")
        answer = client.request("tools/call", **call)
        assert "Stopped after 1 s." in check_answer(answer, 4096) and answer["result"]["isError"], answer
        client.send("tools/call", **call)
        client.process.stdout.close()  # nobody reads: the server ends
        client.process.stdin.close()
        assert client.process.wait(timeout=60) == 0


def main() -> int:
    etl, directories = sys.argv[1], [pathlib.Path(directory).resolve() for directory in sys.argv[2:]]
    client = Client(etl, "--root", str(directories[0]))
    tools = client.request("tools/list")["result"]["tools"]
    for tool in tools:
        check_schema(tool)
    listed = client.request("tools/call", name="list_traces", arguments={"recursive": True, "max-bytes": 65536})
    assert ".etl" in listed["result"]["content"][0]["text"], listed
    client.close()
    answers = errors = 0
    for directory in directories:
        client = Client(etl, "--root", str(directory), "--time-limit", "600")
        traces = sorted(path for path in directory.rglob("*") if ".etl" in path.name and path.suffix != ".toml")
        one = check_traces(client, tools, traces)
        answers, errors = answers + one[0], errors + one[1]
        client.close()
    check_running(etl)
    print(f"{len(tools)} tools, {answers} answers, {errors} of them errors")
    return 0 if answers > 0 else 1


sys.exit(main())
