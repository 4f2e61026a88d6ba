"""Readers of `simos run --live PORT`, good and bad ones, until the run has ended.

    live_clients.py PORT MODE

MODE `read`: asks for the page, the statistics and the progress again and again. MODE `attack`: also sends garbage, requests
that do not end, that are too long, or that nobody reads the answer of, and connects 1,000 times. MODE `siege`: the same, and
ends when it has read a page after that, while its connections are still open. Prints the number of pictures seen and of
complete pages read; exit status 1 if an answer was wrong. MODE `limits`: of a run that waits for a debugger, where it
listens, the longest request, how many connections stay and for how long; prints a line for each.
"""

import json
import socket
import sys
import time

PORT = int(sys.argv[1])
wrong = []


def ask(text, read=True, address="127.0.0.1"):
    """The answer to a request, head and body; None if nobody is there any more, nothing if the connection is lost."""
    try:
        with socket.create_connection((address, PORT), timeout=60) as connection:
            connection.sendall(text)
            answer = b""
            while read and (part := connection.recv(65536)):
                answer += part
            return answer
    except ConnectionRefusedError:
        return None
    except OSError:
        return b""


def get(path):
    """Status and body of the answer; 0 if it is lost; None if nobody is there any more."""
    answer = ask(f"GET {path} HTTP/1.1\r\nHost: localhost:{PORT}\r\n\r\n".encode())
    if answer is None:
        return None
    head, _, body = answer.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length")), -1)
    return (int(head.split()[1]), body) if length == len(body) else (0, b"")


def expect(status, request, address="127.0.0.1"):
    answer = ask(request, address=address)
    if answer and not answer.startswith(b"HTTP/1.1 %d " % status):
        wrong.append(f"{request[:60]!r}: {answer[:60]!r}, not {status}")


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as there:
            there.bind(("::1", 0))
        return True
    except OSError:
        return False


def attack():
    if has_ipv6():  # "localhost" may be this address
        for host in (b"[::1]:%d" % PORT, b"localhost:%d" % PORT, b"127.0.0.1"):
            if (answer := ask(b"GET /progress.json HTTP/1.1\r\nHost: " + host + b"\r\n\r\n", address="::1")) is None:
                wrong.append(f"nobody is at ::1 for {host!r}")
            elif answer and not answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 ")):
                wrong.append(f"at ::1 for {host!r}: {answer[:60]!r}")
        expect(403, b"GET / HTTP/1.1\r\nHost: [::2]\r\n\r\n", address="::1")
    expect(405, b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    expect(405, b"DELETE /statistics.json HTTP/1.1\r\n\r\n")
    expect(404, b"GET /../../etc/passwd HTTP/1.1\r\n\r\n")
    expect(403, b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")
    expect(403, b"GET / HTTP/1.1\r\nHost: 127.0.0.1.example.org\r\n\r\n")
    expect(400, b"\x16\x03\x01\x02\x00\x00\r\n\r\n")
    expect(400, b"GET /\0 HTTP/1.1\r\n\r\n")
    expect(400, b"GET / HTTP/1.1 x\r\n\r\n")
    expect(400, b"GET http://127.0.0.1/ HTTP/1.1\r\n\r\n")
    expect(400, b"GET /" + b"a" * 300 + b" HTTP/1.1\r\n\r\n")
    expect(431, b"GET / HTTP/1.1\r\nCookie: " + b"a" * 10000)
    held = []
    for i in range(1000):
        try:
            connection = socket.create_connection(("127.0.0.1", PORT), timeout=60)
        except OSError:
            break
        held.append(connection)
        try:
            connection.sendall((b"", b"GET / HTTP/1.1\r\n\r\n", b"GET / HT")[i % 3])
        except OSError:  # closed already, as the oldest of too many
            pass
        if len(held) > 100:  # 100 of them are open at a time, and read nothing
            held.pop(0).close()
    return held


def listeners():
    """The local addresses of the port, as the kernel lists them."""
    lines = [line.split() for name in ("tcp", "tcp6") for line in open(f"/proc/net/{name}").readlines()[1:]]
    return sorted(line[1].split(":")[0] for line in lines if line[3] == "0A" and line[1].endswith(f":{PORT:04X}"))


def is_open(connection):
    connection.settimeout(0.05)
    try:
        return connection.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


def status_of(request, connection=None):
    with connection or socket.create_connection(("127.0.0.1", PORT), timeout=60) as connection:
        connection.settimeout(60)
        connection.sendall(request)
        return connection.recv(12)[9:].decode()


def limits():
    expected = ["00000000000000000000000001000000"] * has_ipv6() + ["0100007F"]
    print("listens on the loopback alone:", listeners() == expected)
    slow = socket.create_connection(("127.0.0.1", PORT), timeout=60)
    begun = time.monotonic()
    slow.sendall(b"G")
    head = b"GET /progress.json HTTP/1.1\r\nX: "
    print("4096 and 4097 bytes:", *(status_of(head + b"a" * (size - len(head) - 4) + b"\r\n\r\n") for size in (4096, 4097)))
    while is_open(slow) and time.monotonic() - begun < 60:
        slow.sendall(b"G")  # it sends, but no whole request
        time.sleep(0.2)
    print("a request of 10 s:", 10 <= time.monotonic() - begun < 30)
    several = [socket.create_connection(("127.0.0.1", PORT), timeout=60) for _ in range(33)]
    while is_open(several[0]) and time.monotonic() - begun < 60:
        pass
    print("33 connections:", *("open" if is_open(one) else "closed" for one in several[:2]), status_of(b"GET /x HTTP/1.1\r\n\r\n", several[32]))


def main():
    if sys.argv[2] == "limits":
        return limits()
    held, attacked = [], sys.argv[2] == "read"
    pictures, pages = set(), 0
    while (answer := get("/progress.json")) is not None:
        status, body = answer
        if status == 200:
            pictures.add(json.loads(body)["picture"])
        page = get("/")
        if page and page[0] == 200:
            pages += page[1].rstrip().endswith(b"</html>") and b'<section id="summary">' in page[1]
        statistics = get("/statistics.json")
        if statistics and statistics[0] == 200:
            json.loads(statistics[1])["machine"]["time"]
        if pages and attacked and sys.argv[2] == "siege":
            break
        if pages and not attacked:
            held, attacked, pages = attack(), True, pages if sys.argv[2] == "attack" else 0
        time.sleep(0.05)
    for line in wrong:
        print(line)
    print(len(pictures), "pictures,", pages, "pages,", len(held), "held")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
