"""gdb as a debug adapter (its own, `gdb -i dap`): attaches to the stub, runs to a breakpoint, and goes back from its console.

    dap_session.py PORT PROGRAM BREAKPOINT      prints why it stopped, and the program counter one instruction before
"""

import json
import subprocess
import sys


class Adapter:
    """The Debug Adapter Protocol over the standard streams of gdb."""

    def __init__(self):
        self.process = subprocess.Popen(["gdb-multiarch", "-q", "-i", "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.sent = 0

    def send(self, command, **arguments):
        self.sent += 1
        text = json.dumps({"seq": self.sent, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()
        return self.sent

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            sys.exit("dap_session: gdb has ended")
        return json.loads(self.process.stdout.read(length))

    def event(self, name):
        while True:
            message = self.receive()
            if message["type"] == "event" and message["event"] == name:
                return message["body"]

    def answer(self, number):
        while True:
            message = self.receive()
            if message["type"] == "response" and message["request_seq"] == number:
                if not message["success"]:
                    sys.exit(f"dap_session: {message['command']}: {message.get('message')}")
                return message.get("body") or {}

    def console(self, command):
        return self.answer(self.send("evaluate", expression=command, context="repl"))["result"]


def main():
    port, program, breakpoint_at = sys.argv[1:]
    gdb = Adapter()
    gdb.answer(gdb.send("initialize", adapterID="simos"))
    attached = gdb.send("attach", target=f":{port}", program=program)
    gdb.answer(gdb.send("configurationDone"))
    gdb.answer(attached)
    gdb.console(f"break *{breakpoint_at}")
    gdb.answer(gdb.send("continue", threadId=1))
    print(gdb.event("stopped")["reason"])
    gdb.console("reverse-stepi")
    print(gdb.console("output/x $pc"))
    gdb.process.kill()


main()
