"""A platform to test against: a real server of the specification's sections 4.1 to 4.4.

Provisional: a minor release may change it (docs/api/index.md lists what is promised).

It is our reading of the specification. Where that says "not shown", the choices are listed in
`docs/platform-rules.md`. It needs the extra `sandbox`, and a system with Unix sockets.

    from fdaa.platform.sandbox import Sandbox

    with Sandbox() as sandbox:
        sandbox.base_url, sandbox.token      # for a client
        sandbox.ensure_issuer("acme")        # for a verifier
        machine = sandbox.start_machine("web")    # .address, .socket, .environment
"""

from fdaa._support.exports import publish as _publish
from fdaa._support.extras import needs_extra as _needs_extra

with _needs_extra("fdaa.platform.sandbox", "sandbox"):
    from fdaa.platform.sandbox._faults import Fault
    from fdaa.platform.sandbox._sandbox import Sandbox
    from fdaa.platform.sandbox._state import InvalidArgumentError, Machine, SandboxError

__all__ = [
    "Fault",
    "InvalidArgumentError",
    "Machine",
    "Sandbox",
    "SandboxError",
]

_publish(__name__)
