"""Messages about several targets: each is a target, with its own phase, and none is the source."""

from __future__ import annotations

import pytest

from fdaa import Address
from fdaa.explain import explain
from fdaa.lines import Phase

OWN = Address("fdaa:2:45b:a7b:174:db43:d3c6:2")
SAME = Address("fdaa:2:45b::3")
OTHER = Address("fdaa:0:18::4")

# What prints a message, and the message. In each, SAME was refused, and OTHER did not respond.
MESSAGES = {
    "libpq": f"""\
psql: error: connection to server at "db.internal" ({SAME}), port 5432 failed: Connection refused
	Is the server running on that host and accepting TCP/IP connections?
connection to server at "db.internal" ({OTHER}), port 5432 failed: Connection timed out
	Is the server running on that host and accepting TCP/IP connections?""",
    "Node.js": f"""\
AggregateError [ECONNREFUSED]:
    at internalConnectMultiple (node:net:1117:18) {{
  [errors]: [
    Error: connect ECONNREFUSED {SAME}:5432
        at createConnectionError (node:net:1647:14) {{
      address: '{SAME}',
      port: 5432
    }},
    Error: connect ETIMEDOUT {OTHER}:5432
        at createConnectionError (node:net:1647:14) {{
      address: '{OTHER}',
      port: 5432
    }}""",
    "asyncio": "OSError: Multiple exceptions: [Errno 111] Connect call failed "
    f"('{SAME}', 5432, 0, 0), [Errno 110] Connect call failed ('{OTHER}', 5432, 0, 0)",
    "MongoDB": f"Timed out after 30000 ms. Client view is {{servers=[{{address=[{SAME}]:5432, "
    "exception={caused by {java.net.ConnectException: Connection refused}}, "
    f"{{address=[{OTHER}]:5432, exception={{caused by {{java.net.SocketTimeoutException: "
    "Connect timed out}}]",
}


@pytest.mark.parametrize("program", MESSAGES)
def test_each_end_is_a_target_with_its_own_phase_and_verdict(program: str) -> None:
    answer = explain(MESSAGES[program], own=OWN)
    tried = {(target.end, target.port, target.phase) for target in answer.line.targets}
    assert tried == {(SAME, 5432, Phase.REFUSED), (OTHER, 5432, Phase.SILENT)}
    assert answer.line.source == OWN
    verdicts = {target.verdict.target: target.verdict.reachable for target in answer.verdicts}
    assert verdicts == {SAME: True, OTHER: False}
    assert str(answer).startswith(f"no: {OWN} cannot reach {OTHER}")
