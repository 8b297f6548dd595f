"""The web application: the page of each tab, the scene inside it, uploads of meshes; everything else is refused."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from typing import Any

from fastapi import FastAPI, Request, Response
from nicegui import app as ui_app
from nicegui import ui

from ..kernel.names import InputError
from ..view.page import filled
from .address import state_of
from .guard import AHEAD, refuse
from .limits import MOST_SOCKETS, MOST_TABS
from .page import Page
from .state import State
from .tabs import Studio

EMPTY = """<!doctype html><html lang="en"><meta charset="utf-8"><title>scene</title><style>:root{color-scheme:light dark}
body{font:15px system-ui,sans-serif;display:grid;place-items:center;height:96vh;color:#5c6775;background:#f3f5f8;text-align:center}
@media(prefers-color-scheme:dark){body{background:#11161d;color:#98a5b5}}</style><p>%s</p><script>parent.postMessage({rollickEmpty: true}, '*')</script></html>"""
NOTED: list[str] = []
HISTORY = 30  # messages that a page which lost its connection for a moment gets again
MOST_NOTES = 20  # errors that are told of on the terminal
FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M2 26h28" stroke="#5c6775" stroke-width="2"/>'
    '<ellipse cx="16" cy="18" rx="13" ry="6.5" transform="rotate(-14 16 18)" fill="#0072B2"/></svg>'
)


def make_app(studio: Studio) -> Any:
    """The application of a studio."""
    api = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @api.get("/scene/{name}")
    def scene(name: str) -> Response:
        session = studio.sessions.get(name)
        text = session.scene if session is not None else None
        if text is None:
            waits = session is None or "motion" in session.tasks or session.run is None
            said = (
                "The motion appears here as soon as it is computed."
                if waits
                else "There is no body to show here; the curves tell of the motion."
            )
            return Response(
                EMPTY % said,
                media_type="text/html",
                headers={"cache-control": "no-store"},
            )
        return Response(filled(json.loads(text)), media_type="text/html", headers={"cache-control": "no-store"})

    @api.get("/scene/{name}/motion")
    async def motion(name: str) -> Response:
        # not in one of forty threads, each of which would keep memory of the size of what it sent
        session = studio.sessions.get(name)
        if session is None or session.scene is None:
            return Response("null", media_type="application/json", status_code=410)
        return Response(session.scene, media_type="application/json", headers={"cache-control": "no-store"})

    @ui.page("/", title="Rollick studio")
    async def index(request: Request) -> None:
        query = "&".join(part for part in request.url.query.split("&") if part and not part.startswith("token="))
        await opened(studio, query)

    ui.run_with(
        api, title="Rollick studio", favicon=FAVICON, dark=None, language="en-US", reconnect_timeout=20.0, message_history_length=HISTORY,
        gzip_middleware_factory=None, show_welcome_message=False, tailwind=False, binding_refresh_interval=None,
    )  # fmt: skip
    ui_app.on_exception(note)
    return Room(api, studio)


def note(error: Exception) -> None:
    """Something went wrong on a page: a line on the terminal (with its way there, where that is asked for), and the page goes on."""
    NOTED.append(type(error).__name__)
    if len(NOTED) > MOST_NOTES:  # a terminal that nobody reads must not stop the page
        del NOTED[MOST_NOTES:]
        return
    print(f"rollick studio: {type(error).__name__} on a page: {str(error)[:300]}", file=sys.stderr, flush=True)
    if os.environ.get("ROLLICK_STUDIO_DEBUG"):
        traceback.print_exception(error)


class Room:
    """Refuse one page or one web socket too many, before anything of it is made (an ASGI layer)."""

    def __init__(self, app: Any, studio: Studio):
        self.app, self.studio = app, studio
        self.sockets = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass on everything but one page or one web socket too many."""
        if scope["type"] == "http":
            if scope["path"] == "/" and not self.studio.has_room():
                why = f"{MOST_TABS} pages of this studio are open already; close one, wait a moment, then load this again."
                await refuse(scope, receive, send, 503, why)
                return
            # a browser that only looks ahead is waited for like any other
            kept = [(k, v) for k, v in scope["headers"] if k.decode("latin-1").lower() not in AHEAD]
            await self.app({**scope, "headers": kept}, receive, send)
        elif scope["type"] == "websocket":
            await self.connect(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def connect(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass on a web socket, and count it as long as it is open."""
        if self.sockets >= MOST_SOCKETS:
            await refuse(scope, receive, send, 503, f"{MOST_SOCKETS} web sockets of this studio are open already; close a page.")
            return
        self.sockets += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets -= 1


async def opened(studio: Studio, query: str) -> None:
    """A page that somebody opened; one whose browser never answers is forgotten."""
    client = ui.context.client
    refused = ""
    try:
        state = state_of(query)
    except InputError as error:
        state, refused = State(), str(error)
    loop = asyncio.get_running_loop()
    page = Page(studio, lambda function, *given: loop.call_soon_threadsafe(function, *given), state, client)
    client.on_delete(page.close)

    def give_up() -> None:
        page.close()
        if not client.is_deleted:
            client.delete()

    name = page.session.name
    studio.waiting[name] = give_up
    page.begin(refused)
    try:
        await client.connected(timeout=20.0)
    except TimeoutError:
        give_up()
    finally:
        studio.waiting.pop(name, None)
