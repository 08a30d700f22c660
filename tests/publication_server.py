"""A server that takes results as BridgeWebs documents it, for tests."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs


@contextmanager
def bridgewebs(answer: bytes = b"message = Results uploaded", status: int = 200, **headers: str):
    """Yield the address of a stand-in for BridgeWebs, and the forms that it has received."""
    taken: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
            taken.append({name: values[0] for name, values in parse_qs(sent).items()})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", taken
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
