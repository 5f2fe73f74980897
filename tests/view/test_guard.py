"""Who is refused, and what every answer carries."""

import re

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from veridical.view.guard import Guard

PORT, TOKEN, ONCE = 8642, "the-token", "good-for-one-use"
OWN = f"http://127.0.0.1:{PORT}"


def secret(request):
    return PlainTextResponse(f"secret {request.scope['nonce']}")


@pytest.fixture
def client():
    inner = Starlette(routes=[Route("/", secret), Route("/runs/{id}", secret)])
    guarded = Guard(inner, token=TOKEN, once=ONCE, port=PORT, style_hashes=["sha256-abc"])
    return TestClient(guarded, base_url=OWN, follow_redirects=False)


@pytest.fixture
def inside(client):
    client.get(f"/?token={TOKEN}")
    return client


def is_refused(answer, status=403):
    assert answer.status_code == status
    assert answer.text.startswith("Refused: ")
    assert "secret" not in answer.text
    return True


def test_without_the_token_nothing_is_shown(client):
    for path in (
        "/",
        "/runs/x",
        "/?token=",
        "/?token=wrong",
        f"/?token={TOKEN}x",
        "/?Token=" + TOKEN,
    ):
        assert is_refused(client.get(path))
        assert not client.cookies


def test_the_token_becomes_a_cookie_and_leaves_the_address(client):
    answer = client.get(f"/runs/a%20b?page=2&token={TOKEN}&tag=a%26b")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/runs/a%20b?page=2&tag=a%26b"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert re.search("samesite=strict", cookie, re.IGNORECASE)
    assert "domain" not in cookie.lower()
    assert client.get("/").text.startswith("secret")
    assert client.get("/runs/x").text.startswith("secret")


def test_the_browsers_token_is_good_once(client):
    assert client.get(f"/?token={ONCE}").status_code == 303
    assert client.get("/").status_code == 200
    client.cookies.clear()
    assert is_refused(client.get(f"/?token={ONCE}"))


def test_a_wrong_cookie_opens_nothing(client):
    for value in (
        "",
        "wrong",
        ONCE,
        "\N{LATIN SMALL LETTER E WITH ACUTE}".encode().decode("latin-1"),
    ):
        answer = client.get("/", headers={"Cookie": f"veridical-{PORT}={value}".encode("latin-1")})
        assert is_refused(answer)


def test_a_cookie_of_another_viewer_opens_nothing(client):
    assert is_refused(client.get("/", headers={"Cookie": f"veridical-{PORT + 1}={TOKEN}"}))


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        "127.0.0.1:1",
        f"127.0.0.2:{PORT}",
        f"0.0.0.0:{PORT}",
        "",
    ],
)
def test_a_foreign_host_is_refused_even_with_the_cookie(inside, host):
    assert is_refused(inside.get("/", headers={"Host": host}), 421)
    assert is_refused(inside.get(f"/?token={TOKEN}", headers={"Host": host}), 421)


def test_both_names_of_this_machine_are_known(client):
    here = {"Host": f"localhost:{PORT}"}
    assert client.get(f"/?token={TOKEN}", headers=here).status_code == 303


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        f"https://127.0.0.1:{PORT}",
        f"http://127.0.0.1:{PORT + 1}",
        f"{OWN}.evil.example",
    ],
)
def test_another_origin_is_refused(inside, origin):
    assert is_refused(inside.get("/", headers={"Origin": origin}))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something-new"])
def test_another_site_is_refused(inside, site):
    assert is_refused(inside.get("/", headers={"Sec-Fetch-Site": site}))
    assert is_refused(inside.get(f"/?token={TOKEN}", headers={"Sec-Fetch-Site": site}))


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_viewers_own_pages_and_typed_addresses_are_answered(inside, site):
    answer = inside.get("/", headers={"Sec-Fetch-Site": site, "Origin": OWN})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
)
def test_nothing_can_be_changed(inside, method):
    answer = inside.request(method, "/")
    assert is_refused(answer, 405)
    assert answer.headers["allow"] == "GET, HEAD"


def test_head_is_get_without_a_body(inside):
    answer = inside.head("/")
    assert answer.status_code == 200
    assert answer.text == ""


def test_a_web_socket_is_closed(inside):
    with pytest.raises(WebSocketDisconnect), inside.websocket_connect("/"):
        pass


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/\\evil.example/", "///evil.example", "/%5cevil.example"]
)
def test_the_token_leads_to_no_other_machine(client, path):
    answer = client.get(f"{OWN}{path}?token={TOKEN}")
    assert answer.status_code == 303
    assert re.match(r"/[^/\\]", answer.headers["location"])


@pytest.mark.parametrize("path", ["/", "/nowhere", "/?token=wrong"])
def test_every_answer_is_protected(inside, path):
    for cookies in (True, False):
        if not cookies:
            inside.cookies.clear()
        headers = inside.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert policy["style-src"].endswith("'sha256-abc'")
        assert "unsafe" not in headers["content-security-policy"]
        assert "'self'" not in policy["script-src"] + policy["style-src"]


def test_each_answer_has_a_nonce_of_its_own(inside):
    answers = [inside.get("/") for _ in range(3)]
    nonces = [answer.text.split()[1] for answer in answers]
    assert len(set(nonces)) == 3
    for nonce, answer in zip(nonces, answers, strict=True):
        assert f"script-src 'nonce-{nonce}'" in answer.headers["content-security-policy"]
