#!/usr/bin/env python3
"""The source of the example: readings over HTTP on the loopback interface.

    source.py EPOCH

Prints its port on standard output. A line "slow" on standard input makes it slow, and some of its
answers hang; "quick" makes it quick again. Ends with its standard input, and so with its parent.
"""
import itertools
import os
import random
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

epoch = sys.argv[1]
numbers = itertools.count(1)
is_slow = False


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if not is_slow:
            time.sleep(random.uniform(0.002, 0.02))
        elif random.random() < 0.15:
            time.sleep(60)
        else:
            time.sleep(random.uniform(0.3, 1.5))
        body = f"reading {epoch} {next(numbers)}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, address):
        pass  # a client that has left


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    is_slow = line.strip() == "slow"
os._exit(0)
