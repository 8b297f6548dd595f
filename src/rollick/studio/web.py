"""The web application: the page of each tab, the scene inside it, uploads of meshes; everything else is refused."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import FastAPI, Request, Response
from nicegui import app as ui_app
from nicegui import ui

from ..kernel.names import InputError
from ..view.page import filled
from .address import state_of
from .limits import MOST_TABS
from .page import Page
from .server import HISTORY, Studio
from .state import State

EMPTY = """<!doctype html><html lang="en"><meta charset="utf-8"><title>scene</title><style>:root{color-scheme:light dark}
body{font:15px system-ui,sans-serif;display:grid;place-items:center;height:96vh;color:#5c6775;background:#f3f5f8;text-align:center}
@media(prefers-color-scheme:dark){body{background:#11161d;color:#98a5b5}}</style><p>%s</p></html>"""
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
            return Response(EMPTY % "The motion appears here as soon as it is computed.", media_type="text/html", headers={"cache-control": "no-store"})
        return Response(filled(json.loads(text)), media_type="text/html", headers={"cache-control": "no-store"})

    @api.get("/scene/{name}/motion")
    def motion(name: str) -> Response:
        session = studio.sessions.get(name)
        if session is None or session.scene is None:
            return Response("null", media_type="application/json", status_code=404)
        return Response(session.scene, media_type="application/json", headers={"cache-control": "no-store"})

    @ui.page("/", title="Rollick studio")
    async def index(request: Request) -> None:
        query = "&".join(part for part in request.url.query.split("&") if part and not part.startswith("token="))
        await opened(studio, query)

    ui.run_with(
        api, title="Rollick studio", favicon=FAVICON, dark=None, language="en-US", reconnect_timeout=20.0, message_history_length=HISTORY,
        gzip_middleware_factory=None, show_welcome_message=False, tailwind=False, binding_refresh_interval=None,
    )  # fmt: skip
    ui_app.on_exception(lambda error: None)
    return api


async def opened(studio: Studio, query: str) -> None:
    """A page that somebody opened: built once its browser has answered, so that mere requests cost little."""
    client = ui.context.client
    if len(studio.sessions) >= MOST_TABS:
        ui.label(f"{MOST_TABS} pages of this studio are open already; close one, then load this again.")
        return
    refused = ""
    try:
        state = state_of(query)
    except InputError as error:
        state, refused = State(), str(error)
    loop = asyncio.get_running_loop()
    page = Page(studio, lambda function, *given: loop.call_soon_threadsafe(function, *given), state, client)
    client.on_delete(page.close)
    await client.connected(timeout=30.0)
    page.begin(refused)
