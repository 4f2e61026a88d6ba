"""Serves mirrors on the loopback, until it is ended: mirror_server.py FOLDER LOG.

The first line of LOG is the port, each further one the path of a request, written before the request is answered. A file
below /stall/debian/ is not answered at all, and of one below /half/debian/pool/ half is sent: the connection stays open.
"""
import http.server
import os
import sys
import threading

folder, log = sys.argv[1], open(sys.argv[2], "w", encoding="utf-8", buffering=1)
for_ever = threading.Event()


class Mirror(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=folder)

    def do_GET(self):
        log.write(self.path + "\n")
        path = self.translate_path(self.path)
        if self.path.startswith("/stall/debian/"):
            for_ever.wait()
        elif self.path.startswith("/half/debian/pool/") and os.path.isfile(path):
            content = open(path, "rb").read()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            for_ever.wait()
        else:
            super().do_GET()

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *arguments):
        pass  # a client that has gone


server = Server(("127.0.0.1", 0), Mirror)
log.write(f"{server.server_address[1]}\n")
server.serve_forever()
