"""The fast way through a document and the careful one agree on every row."""

import json
from unittest.mock import Mock, patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdaa.errors import quote
from fdaa.networks import DocumentError
from fdaa.networks import _documents as documents
from fdaa.networks._documents import parse_document
from fdaa.strategies import addresses

texts = st.sampled_from(["", "web", "m1", "default", "fdaa::3", '":', " :", '"\t:', "\\", '\\":'])
odd = st.none() | st.booleans() | st.integers(0, 3) | texts | st.lists(texts, max_size=1)
good = {
    "apps": st.fixed_dictionaries({"name": st.just("web")}, optional={"network": texts}),
    "Machines": st.fixed_dictionaries(
        {"id": st.just("m1")}, optional={"private_ip": addresses().map(str) | st.sampled_from([""])}
    ),
}
fields = {
    "apps": {"name": odd, "network": odd},
    "Machines": {"id": odd, "private_ip": odd | addresses().map(str) | st.just("2001:db8::1")},
}


def held(document):
    apps = [(app.name, app.network, app.row) for app in document.apps]
    machines = [
        (machine.id, machine.app, machine.packed, machine.network_id, machine.row)
        for machine in document.machines
    ]
    return apps, machines, document.problems, document.rows, document.left_out


@given(st.data(), st.sampled_from(sorted(good)), st.integers(1, 3))
def test_rows_by_the_column_and_one_by_one_are_the_same(data, key, part):
    row = good[key] | st.fixed_dictionaries({}, optional=fields[key]) | odd
    repeated = data.draw(st.sampled_from([1, 10, 40]))  # few rows have a way of their own
    rows = data.draw(st.lists(good[key] if data.draw(st.booleans()) else row)) * repeated
    written = json.dumps({key: rows, "Name": "web"}).encode()
    with patch.object(documents, "_PART", part):
        fast = held(parse_document(written, "f"))
        refuse = {
            "app_columns": Mock(return_value=None),
            "machine_columns": Mock(return_value=None),
        }
        with patch.multiple(documents, **refuse):
            careful = held(parse_document(written, "f"))
    assert fast == careful


@given(st.data())
def test_a_document_is_refused_for_a_key_that_stands_twice_and_for_nothing_else(data):
    twice = set()
    space = st.text(" \n\r\t", max_size=2)
    names = st.sampled_from(["a", ":", '":'])

    def write(depth):
        kind = data.draw(st.integers(0, 3 if depth else 1))
        if kind < 2:
            return json.dumps(data.draw(texts))
        parts = [write(depth - 1) for _ in range(data.draw(st.integers(0, 3)))]
        if kind == 2:
            return f"[{','.join(parts)}]"
        keys = data.draw(st.lists(names, min_size=len(parts), max_size=len(parts)))
        twice.update(key for key in keys if keys.count(key) > 1)
        pairs = [
            json.dumps(key) + data.draw(space) + ":" + data.draw(space) + part
            for key, part in zip(keys, parts, strict=True)
        ]
        return "{" + ",".join(pairs) + "}"

    written = f'{{"apps": [{{"name": "web", "more": {write(3)}}}]}}'
    if twice:
        with pytest.raises(DocumentError) as caught:
            parse_document(written.encode(), "f")
        assert any(f"{quote(key)} stands twice" in caught.value.reason for key in twice)
    else:
        assert parse_document(written.encode(), "f").apps[0].name == "web"
