"""Create the apps of a customer on the customer's own network, unless they exist.

FDAA_API_URL=... FDAA_API_TOKEN=... python deploy.py acme customer-17 web worker
"""

from __future__ import annotations

import sys

from fdaa import ArgumentError, NetworkName, NetworkNameError
from fdaa.platform import Client, OtherNetworkError, PlatformError


def deploy(client: Client, org: str, network: NetworkName, names: list[str]) -> list[str]:
    """Create the apps that do not exist, and return a line for each app.

    Raises:
        OtherNetworkError: an app is on another network, and an app cannot change its network.
        PlatformError: the platform responded with an error, or not at all.
    """
    lines = []
    for name in names:
        found = client.ensure_app(name, org=org, network=network)
        done = "created" if found.created else "exists"
        lines.append(f"{name}: {done} on network {network}")
    return lines


def main(arguments: list[str]) -> int:
    """Return 0 if all apps are there, 2 for wrong input, 3 if that is not known."""
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    org, network, *names = arguments
    try:
        with Client.from_environment(timeout=30) as client:
            lines = deploy(client, org, NetworkName(network), names)
    except (ArgumentError, NetworkNameError) as error:
        print(error, file=sys.stderr)
        return 2
    except OtherNetworkError as error:
        print(f"{error}; use another name for the app", file=sys.stderr)
        return 2
    except PlatformError as error:
        print(error, file=sys.stderr)
        return 3 if error.may_have_happened else 2
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
