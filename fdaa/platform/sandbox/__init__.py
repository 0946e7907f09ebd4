"""A platform to test against: a real server of the specification's sections 4.1 to 4.4.

It is our reading of the specification. Where that says "not shown", the choices are listed in
`docs/sandbox.md`. It needs the extra `sandbox`, and a system with Unix sockets.

    from fdaa.platform.sandbox import Sandbox

    with Sandbox() as sandbox:
        sandbox.base_url, sandbox.token      # for a client
        sandbox.issuer("acme")               # for a verifier
        machine = sandbox.machine("web")     # .address, .socket, .environment
"""

from fdaa._extras import missing_extra as _missing_extra
from fdaa._public import publish as _publish

try:
    from fdaa.platform.sandbox._faults import Fault
    from fdaa.platform.sandbox._remote import RemoteSandbox
    from fdaa.platform.sandbox._sandbox import Sandbox
    from fdaa.platform.sandbox._state import Machine, SandboxError
except ModuleNotFoundError as error:
    raise _missing_extra("fdaa.platform.sandbox", "sandbox", error) from error

__all__ = ["Fault", "Machine", "RemoteSandbox", "Sandbox", "SandboxError"]

_publish(__name__)
