"""What the specification leaves open, answered in every other way that a client must take."""

from __future__ import annotations

import json

import pytest
from sandbox_calls import ask_token, call, create

from fdaa.platform.sandbox import Answers, Sandbox


@pytest.fixture(scope="module")
def other():
    with Sandbox(answers=Answers.OTHER) as sandbox:
        create(sandbox, "web")
        yield sandbox


def test_creations_are_answered_with_an_id_without_one_and_with_nothing(other):
    bodies = [create(other, f"app-{n}").body for n in range(10)]
    objects = [json.loads(body) for body in bodies if body]
    assert b"" in bodies
    assert any("id" in each for each in objects)
    assert any("id" not in each for each in objects)


def test_tokens_come_bare_as_json_text_and_in_an_object(other):
    machine = other.machine("web")
    bodies = [ask_token(machine).body for _ in range(10)]
    shapes = set()
    for body in bodies:
        if body.startswith(b"{"):
            ((name, token),) = json.loads(body).items()
        elif body.startswith(b'"'):
            name, token = "text", json.loads(body)
        else:
            name, token = "bare", body.decode().strip()
        assert token.count(".") == 2
        shapes.add(name)
    assert shapes == {"bare", "text", "token", "value", "id_token"}


def test_errors_come_as_json_as_text_and_as_nothing(other):
    answers = [call(other, "DELETE", "/v1/apps/nobody") for _ in range(8)]
    assert {answer.status for answer in answers} == {404}
    kinds = {answer.headers.get("content-type", "").partition(";")[0] for answer in answers}
    assert kinds == {"application/json", "text/plain", ""}
    assert any(answer.body == b"" for answer in answers)


def test_the_default_network_is_shown_as_nothing_in_three_ways(other):
    for n in range(4):
        create(other, f"plain-{n}", org="plain")
    create(other, "custom", "blue", org="plain")
    document = call(other, "GET", "/v1/apps?org_slug=plain").json
    assert document["total_apps"] == 5
    shown = [app.get("network", "left out") for app in document["apps"]]
    assert set(shown[:4]) == {"", None, "left out"}
    assert shown[4] == "blue"


def test_an_unknown_way_of_answering_is_refused():
    with pytest.raises(ValueError, match="'random' is not a valid Answers"):
        Sandbox(answers="random")
