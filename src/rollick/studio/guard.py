"""Who may ask: a layer in front of the page (ASGI) that looks at every request and every web socket before anything else does.

The page answers this machine only, under the names it is reached by: another Host is a name that somebody pointed here (DNS rebinding), another
Origin is another page's script. Pictures, frames and prefetches of another page carry no Origin: browsers say `Sec-Fetch-Site: cross-site` of them.
A link on another page may lead here. Where the page listens beyond this machine, a token is needed, once in the address, then in a cookie.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from .limits import LARGEST_BODY, LONGEST_ADDRESS

COOKIE = "rollick_studio"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_HEADERS = 32_000  # bytes
AHEAD = ("purpose", "sec-purpose", "x-purpose", "x-moz")  # headers of a browser that fetches a page before anybody goes there
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' ws: wss:; frame-src 'self'; frame-ancestors 'self'; object-src 'none'; base-uri 'self'; form-action 'self'"
)
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def host_of(text: str) -> str:
    """The name in a Host header or an Origin, without its port; "" if it is none."""
    try:
        found = urlsplit(text if "//" in text else f"//{text}").hostname
    except ValueError:
        return ""
    return (found or "").rstrip(".").lower()


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    return host in LOOPBACK


class TooLarge(Exception):
    """A request with more content than is read."""


class Guard:
    """The layer. `hosts`: the names under which the page may be asked for; `token`: what is needed to ask (None: nothing)."""

    def __init__(self, app: Any, hosts: tuple[str, ...] = LOOPBACK, token: str | None = None, any_host: bool = False):
        self.app, self.hosts, self.token, self.any_host = app, tuple(h.lower() for h in hosts), token, any_host

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        why = self.refusal(scope, headers)
        if why is not None:
            await refuse(scope, receive, send, *why)
            return
        given = self.given_token(scope)
        cookie = given if self.token is not None and self.matches(given) else None
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        try:
            await self.app(scope, limited(receive), adorned(send, cookie, scope["path"].startswith("/scene/")))
        except TooLarge:
            await refuse(scope, receive, send, 413, f"this is more than the studio reads at a time ({LARGEST_BODY // 10**6} MB).")

    def refusal(self, scope: dict[str, Any], headers: dict[str, str]) -> tuple[int, str] | None:
        """Why something may not pass: a status and a sentence."""
        if sum(len(k) + len(v) for k, v in scope["headers"]) > MOST_HEADERS:
            return 431, "the headers of this request are too long."
        if len(scope.get("query_string", b"")) > LONGEST_ADDRESS or len(scope["path"]) > LONGEST_ADDRESS:
            return 414, f"this address is too long (at most {LONGEST_ADDRESS} characters)."
        host = host_of(headers.get("host", ""))
        if not host or (not self.any_host and host not in self.hosts):
            return 403, "the studio does not answer under this name; open the address that it printed."
        origin = headers.get("origin")
        if origin is not None and (host_of(origin) != host or urlsplit_port(origin) != urlsplit_port(headers.get("host", ""))):
            return 403, "another page asked for this; open the studio's own address."
        if asked_by_another_page(scope, headers):
            return 403, "another page asked for this; open the studio's own address."
        try:
            if int(headers.get("content-length", "0")) > LARGEST_BODY:
                return 413, f"this is more than the studio reads at a time ({LARGEST_BODY // 10**6} MB)."
        except ValueError:
            return 400, "the length of this request is no number."
        if self.token is not None and not (self.matches(self.given_token(scope)) or self.matches(cookie_in(headers))):
            return 401, "a token is needed: open the whole address that `rollick studio` printed."
        return None

    def given_token(self, scope: dict[str, Any]) -> str:
        """The token in the address."""
        try:
            return dict(parse_qsl(scope.get("query_string", b"").decode("latin-1"), max_num_fields=100)).get("token", "")
        except ValueError:
            return ""

    def matches(self, given: str) -> bool:
        """Whether it is the token; in the same time, whatever was given."""
        return self.token is not None and secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


def asked_by_another_page(scope: dict[str, Any], headers: dict[str, str]) -> bool:
    """Whether a browser says that a page of another origin asks for this. Somebody who follows a link comes here himself: that is none."""
    if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return False
    followed = scope["type"] == "http" and scope.get("method", "GET") == "GET" and not any(name in headers for name in AHEAD)
    return not (followed and headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document")


def urlsplit_port(text: str) -> int | None:
    """The port in a Host header or an Origin; that of the scheme if there is none."""
    try:
        found = urlsplit(text if "//" in text else f"//{text}")
        return found.port or {"https": 443}.get(found.scheme, 80)
    except ValueError:
        return None


def cookie_in(headers: dict[str, str]) -> str:
    """The token in the cookie."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def limited(receive: Receive) -> Receive:
    """Content that is counted as it comes."""
    total = 0

    async def counted() -> dict[str, Any]:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > LARGEST_BODY:
            raise TooLarge
        return message

    return counted


def adorned(send: Send, cookie: str | None, inside: bool) -> Send:
    """Answers with the headers that keep a browser careful; the scene brings a policy of its own."""
    more = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"), (b"x-frame-options", b"SAMEORIGIN")]
    if not inside:
        more.append((b"content-security-policy", POLICY.encode()))
    if cookie is not None:
        more.append((b"set-cookie", f"{COOKIE}={cookie}; HttpOnly; SameSite=Strict; Path=/".encode()))

    async def with_more(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return with_more


async def refuse(scope: dict[str, Any], receive: Receive, send: Send, status: int, why: str) -> None:
    """Say no, in a sentence."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why[:120]})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": (why[:1].upper() + why[1:] + "\n").encode()})
