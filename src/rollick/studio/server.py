"""The studio as a server: a socket on this machine, the workers, the page, and the scene of each tab. Needs NiceGUI (`pip install 'rollick[studio]'`)."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import tempfile
import webbrowser
from typing import Any

from ..kernel.names import InputError
from .guard import LOOPBACK, Guard, is_loopback
from .tabs import Studio


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens; a port that is taken is refused in a sentence (0: any that is free)."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(128)  # who asks before the page is ready waits
    except (OSError, OverflowError, UnicodeError) as error:
        raise InputError(
            f"the studio cannot listen on {host} port {port} ({getattr(error, 'strerror', None) or error}); choose another with --port or --host."
        ) from None
    return made


def run_studio(host: str = "127.0.0.1", port: int = 8017, browser: bool = True, workers: int = 2, say: Any = print) -> None:
    """Serve the studio until Ctrl-C."""
    try:
        os.environ.setdefault(
            "NICEGUI_STORAGE_PATH", tempfile.mkdtemp(prefix="rollick-studio-")
        )  # nothing is stored; should it be, then here
        import uvicorn

        from .web import make_app
    except ImportError as error:
        raise InputError(f"the studio needs more packages ({error.name} is not there): pip install 'rollick[studio]'.") from None
    made = bound(host, port)
    port = made.getsockname()[1]
    outside = not is_loopback(host)
    token = secrets.token_urlsafe(24) if outside else None
    studio = Studio(workers)
    try:
        guarded = Guard(make_app(studio), hosts=(*LOOPBACK, host), token=token, any_host=outside)
        shown = "127.0.0.1" if host in ("0.0.0.0", "::", "localhost") else host
        address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
        say(f"Rollick studio: {address}{f'?token={token}' if token else ''}  (Ctrl-C ends it)")
        if outside:
            say(
                f"It listens on {host}: whoever has this address with its token can use this machine's processor. Without the token nothing is answered."
            )
        config = uvicorn.Config(
            guarded, log_level="critical", access_log=False, ws_max_size=2_000_000, h11_max_incomplete_event_size=64_000, timeout_graceful_shutdown=2, lifespan="on",
            limit_concurrency=400, server_header=False,
        )  # fmt: skip
        server = uvicorn.Server(config)

        async def main() -> None:
            if browser:
                asyncio.get_running_loop().call_later(0.5, webbrowser.open, f"{address}{f'?token={token}' if token else ''}")
            await server.serve(sockets=[made])

        asyncio.run(main())
    except KeyboardInterrupt:
        pass
    finally:
        studio.close()
        made.close()
        shutil.rmtree(os.environ.get("NICEGUI_STORAGE_PATH", ""), ignore_errors=True) if "rollick-studio-" in os.environ.get(
            "NICEGUI_STORAGE_PATH", ""
        ) else None
