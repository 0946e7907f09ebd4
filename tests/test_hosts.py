"""Names of hosts: how long they may be (RFC 1035, section 2.3.4)."""

from __future__ import annotations

from fdaa._values.hosts import read_host  # no export: `parse_end` reads hosts with it


def test_a_name_has_at_most_253_characters_and_a_label_63() -> None:
    longest = ".".join(("a" * 63, "b" * 63, "c" * 63, "d" * 61))
    assert len(longest) == 253
    assert read_host(longest) is not None
    assert read_host(f"{longest}d") is None
    assert read_host(f"{'a' * 63}.example") is not None
    assert read_host(f"{'a' * 64}.example") is None
