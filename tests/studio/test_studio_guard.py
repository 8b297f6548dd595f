"""Who may ask: names, origins, tokens, sizes, on requests and on web sockets."""

from __future__ import annotations

import asyncio

import pytest

from rollick.studio.guard import COOKIE, Guard, host_of
from rollick.studio.limits import LARGEST_BODY, LONGEST_ADDRESS


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
