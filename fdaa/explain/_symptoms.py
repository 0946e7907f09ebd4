"""The words of a line: what each symptom means, what it excludes, and what to do first."""

import re
from dataclasses import dataclass
from functools import cache

from fdaa._checks import check_type


@dataclass(frozen=True, slots=True)
class Symptom:
    """Words that programs print when a connection fails.

    Args:
        name: a short name.
        words: what programs print, in any case.
        meaning: what it means.
        excludes: which causes it excludes; empty if none.
        first: what to do first.
        fits_two_networks: whether it is what happens between two networks.
    """

    name: str
    words: tuple[str, ...]
    meaning: str
    excludes: str
    first: str
    fits_two_networks: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return it as a dictionary for JSON, without its words."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "excludes": self.excludes,
            "first": self.first,
        }


# The first symptom whose words are in a line counts, so those that say more come first.
SYMPTOMS = (
    Symptom(
        "pg_hba.conf",
        ("no pg_hba.conf entry",),
        "PostgreSQL accepted the connection, and does not allow this client",
        "the network, the name, the port and the firewall",
        "add the network of the client, a /48, to pg_hba.conf",
    ),
    Symptom(
        "wrong credentials",
        ("password authentication failed", "access denied for user", "WRONGPASS"),
        "the server responded, and refused the user or the password",
        "the network, the name, the port and the firewall",
        "check the user and the password",
    ),
    Symptom(
        "TLS",
        (
            "wrong version number",
            "certificate verify failed",
            "unknown authority",
            "handshake failure",
            "TLS handshake error",
        ),
        "the port is open, and one end does not speak TLS, or refuses the other's certificate",
        "the network, the name and the firewall",
        "check whether both ends use TLS on this port",
    ),
    Symptom(
        "address in use",
        ("address already in use", "EADDRINUSE"),
        "another process listens on this port",
        "everything outside this computer",
        "find the process that has the port",
    ),
    Symptom(
        "address not here",
        ("cannot assign requested address", "EADDRNOTAVAIL"),
        "this computer does not have the address that the app listens on or connects from",
        "everything outside this computer",
        "listen on [::] or on the address in PLATFORM_PRIVATE_IP",
    ),
    Symptom(
        "name not found",
        (
            "NXDOMAIN",
            "ENOTFOUND",
            "no such host",
            "name or service not known",
            "could not resolve host",
            "could not translate host name",
            "host not found",
            "UnknownHostException",
            "non-existing domain",
            "nodename nor servname",
        ),
        "the resolver has no such name: no such app, no Machine that runs, or an app on another "
        "network, whose names do not resolve here (assumed)",
        "the port and the firewall of the target: nothing was sent",
        "check whether the app exists, and is on the same network",
        fits_two_networks=True,
    ),
    Symptom(
        "no response from the resolver",
        ("EAI_AGAIN", "temporary failure in name resolution", "SERVFAIL", "server misbehaving"),
        "the resolver did not respond, or could not",
        "the target: nothing was sent to it",
        "check the resolver: in a Machine it is fdaa::3 (assumed)",
    ),
    Symptom(
        "no route to host",
        ("no route to host", "EHOSTUNREACH", "host is unreachable"),
        "this computer or a router reports that the address cannot be reached: two networks, or a "
        "Machine that is gone",
        "an app that does not listen",
        "check that the networks are the same and the Machine exists",
        fits_two_networks=True,
    ),
    Symptom(
        "no route to the network",
        ("network is unreachable", "ENETUNREACH"),
        "this computer has no route to private addresses, which is normal outside a Machine",
        "everything outside this computer",
        "run it inside a Machine",
    ),
    Symptom(
        "connection refused",
        ("connection refused", "ECONNREFUSED", "unreachable port"),
        "nothing listens on that port, the app listens on 0.0.0.0 only, or a firewall rejects the "
        "connection",
        "on one network, everything before the port: packets arrive",
        "check that the app listens on [::] and on this port",
    ),
    Symptom(
        "connection reset",
        ("ECONNRESET", "connection reset", "reset by peer", "broken pipe", "EPIPE"),
        "the connection was open, and the other end closed it: the app ended, or did not accept "
        "what it received",
        "the network, the name and the port",
        "read the log of the app at the other end",
    ),
    Symptom(
        "no response",
        (
            "i/o timeout",
            "ETIMEDOUT",
            "timed out",
            "timeout",
            "deadline exceeded",
            "SYN_SENT",
            "SYN-SENT",
        ),
        "no response came back: two networks, a Machine that is gone, or a firewall",
        "an app that does not listen: that is a refusal",
        "check that the networks are the same and the Machine exists",
        fits_two_networks=True,
    ),
)


def find_symptom(text: str) -> Symptom | None:
    """Return the symptom whose words a text has; None without one.

    >>> find_symptom("dial tcp [fdaa:2:45b::3]:80: connect: connection refused").name
    'connection refused'
    """
    check_type(text, "text", str)
    for symptom in SYMPTOMS:
        if _expression(symptom.words).search(text):
            return symptom
    return None


@cache
def _expression(words: tuple[str, ...]) -> re.Pattern[str]:
    """Compile the expression for words that are no part of a setting, and of no path.

    `read_timeout` and `timeout=30s` are settings.
    """
    any_of_them = "|".join(map(re.escape, words))
    return re.compile(rf"(?i)(?<![_/])(?:{any_of_them})(?![_=])")
