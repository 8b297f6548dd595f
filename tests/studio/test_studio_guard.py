"""Who may ask: names, origins, tokens, sizes, on requests and on web sockets."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from rollick.studio.guard import COOKIE, Guard, host_of
from rollick.studio.limits import LARGEST_BODY, LONGEST_ADDRESS, MOST_SOCKETS, MOST_TABS
from rollick.studio.state import State
from rollick.studio.tabs import Studio


async def inner(scope, receive, send):
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


def asked(guard, kind="http", path="/", query="", chunks=(b"",), **headers):
    sent, waiting = [], list(chunks)

    async def receive():
        if kind == "websocket":
            return {"type": "websocket.connect"}
        body = waiting.pop(0) if waiting else b""
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message):
        sent.append(message)

    given = [
        (k.replace("_", "-").encode(), v.encode()) for k, v in {"host": "127.0.0.1:8017", **headers}.items() if v is not None
    ]
    scope = {"type": kind, "path": path, "query_string": query.encode(), "headers": given}
    asyncio.run(guard(scope, receive, send))
    return sent


def status(sent):
    return sent[0].get("status") or {"websocket.accept": 101, "websocket.close": 403}[sent[0]["type"]]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("headers", "passes"),
    [
        ({}, True), ({"host": "localhost:8017"}, True), ({"host": "[::1]:8017"}, True), ({"host": "LOCALHOST:8017"}, True), ({"host": "evil.example:8017"}, False),
        ({"host": "127.0.0.1.evil.example"}, False), ({"host": ""}, False), ({"host": None}, False), ({"host": "evil.example@127.0.0.1:8017"}, True),
        ({"origin": "http://127.0.0.1:8017"}, True), ({"origin": "http://evil.example"}, False), ({"origin": "http://127.0.0.1:9999"}, False), ({"origin": "null"}, False),
        ({"origin": "http://[::1"}, False),
    ],
)  # fmt: skip
def test_names_and_origins(kind, headers, passes):
    assert (status(asked(Guard(inner), kind, **headers)) in (101, 200)) is passes


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_token(kind):
    guard = Guard(inner, token="secret-token", any_host=True)
    assert status(asked(guard, kind)) in (401, 403)
    assert status(asked(guard, kind, query="token=wrong")) in (401, 403)
    assert status(asked(guard, kind, query="token=secret-tokenx")) in (401, 403)
    assert status(asked(guard, kind, cookie=f"{COOKIE}=secret")) in (401, 403)
    assert status(asked(guard, kind, query="token=secret-token", host="my.machine:8017")) in (101, 200)
    assert status(asked(guard, kind, cookie=f"{COOKIE}=secret-token")) in (101, 200)


def test_a_token_in_the_address_becomes_a_cookie():
    sent = asked(Guard(inner, token="abc"), query="token=abc")
    cookie = dict(sent[0]["headers"])[b"set-cookie"].decode()
    assert cookie.startswith(f"{COOKIE}=abc;")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_sizes():
    guard = Guard(inner)
    assert status(asked(guard, query="x" * (LONGEST_ADDRESS + 1))) == 414
    assert status(asked(guard, content_length=str(LARGEST_BODY + 1))) == 413
    assert status(asked(guard, content_length="many")) == 400
    assert status(asked(guard, x_long="y" * 40_000)) == 431
    assert status(asked(guard, chunks=[b"x" * 1_000_000] * 20)) == 413
    assert status(asked(guard, chunks=[b"x" * 1_000_000] * 5)) == 200


def test_a_host_is_read_with_care():
    assert host_of("http://a.b:1/c") == "a.b"
    assert host_of("A.B.:80") == "a.b"
    assert host_of("[::1]:80") == "::1"
    assert host_of("[::1") == ""


def test_answers_tell_the_browser_to_be_careful():
    headers = dict(asked(Guard(inner))[0]["headers"])
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"default-src 'self'" in headers[b"content-security-policy"]


PICTURE = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "image"}
LINK = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}


@pytest.mark.parametrize(
    ("headers", "passes"),
    [
        (PICTURE, False), ({**PICTURE, "sec_fetch_site": "same-site"}, False), ({**PICTURE, "sec_fetch_site": "same-origin"}, True),
        (LINK, True), ({**LINK, "sec_fetch_site": "none"}, True), ({**LINK, "sec_fetch_dest": "iframe"}, False), ({**LINK, "sec_purpose": "prefetch"}, False),
        ({**PICTURE, "sec_fetch_dest": "script"}, False), ({"sec_fetch_site": "cross-site"}, False), ({"sec_fetch_site": "none"}, True), ({}, True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/_nicegui_ws/socket.io/"])
def test_what_other_pages_ask_for_never_gets_in(headers, passes, path):
    assert (status(asked(Guard(inner), path=path, **headers)) == 200) is passes


@pytest.mark.parametrize(("site", "passes"), [("same-origin", True), ("none", True), ("cross-site", False), ("same-site", False)])
def test_sockets_of_other_pages_never_get_in(site, passes):
    assert (status(asked(Guard(inner), "websocket", sec_fetch_site=site)) == 101) is passes


@contextlib.contextmanager
def full_studio(connected):
    """A studio without workers, all of whose places are taken, some by pages whose browser has connected."""
    studio = Studio(workers=0)
    try:
        given_up = []
        for k in range(MOST_TABS):
            session = studio.open(lambda *_: None, State())
            if k >= connected:
                studio.waiting[session.name] = lambda session=session: (given_up.append(session), studio.shut(session))
        yield studio, given_up
    finally:
        studio.close()


def test_pages_that_no_browser_shows_lock_nobody_out():
    pytest.importorskip("nicegui")
    from rollick.studio.web import Room

    with full_studio(connected=MOST_TABS - 2) as (studio, given_up):
        room = Room(inner, studio)
        oldest = next(iter(studio.waiting))
        assert status(asked(room)) == 200
        assert [session.name for session in given_up] == [oldest]
        assert len(studio.sessions) == MOST_TABS - 1
        assert status(asked(room, path="/scene/x")) == 200
        assert len(given_up) == 1
    with full_studio(connected=MOST_TABS) as (studio, given_up):
        assert status(asked(Room(inner, studio))) == 503
        assert len(studio.sessions) == MOST_TABS
        assert given_up == []


def test_web_sockets_are_counted_while_they_are_open():
    pytest.importorskip("nicegui")
    from rollick.studio.web import Room

    async def many():
        shut = asyncio.Event()
        answers = []

        async def open_until_shut(scope, receive, send):
            await send({"type": "websocket.accept"})
            await shut.wait()

        async def receive():
            return {"type": "websocket.connect"}

        async def send(message):
            answers.append(message["type"])

        room = Room(open_until_shut, None)
        scope = {"type": "websocket", "path": "/", "headers": []}
        tasks = [asyncio.create_task(room(scope, receive, send)) for _ in range(MOST_SOCKETS + 10)]
        while len(answers) < len(tasks):
            await asyncio.sleep(0)
        shut.set()
        await asyncio.gather(*tasks)
        after = [asyncio.create_task(room(scope, receive, send))]
        await asyncio.gather(*after)
        return answers

    answers = asyncio.run(many())
    assert answers[:-1].count("websocket.accept") == MOST_SOCKETS
    assert answers[:-1].count("websocket.close") == 10
    assert answers[-1] == "websocket.accept"
