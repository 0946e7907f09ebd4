"""What evidence in a line means, in a sentence; nothing more than the words show."""

from fdaa.lines import Evidence

# What is seen on an open connection, and what is no cause of it.
WAS_OPEN = "The connection was open, so networks, names and firewalls are not the cause"
ON_OPEN_CONNECTION = {
    Evidence.NO_REPLY: "the other end did not reply in time",
    Evidence.CLOSED: "the other end, or a proxy, closed it",
    Evidence.TLS_FAILED: "the two ends did not agree on TLS",
    Evidence.CERTIFICATE_REFUSED: "a certificate was not accepted",
    Evidence.ACCESS_DENIED: "the server does not allow this client",
    Evidence.CREDENTIALS_REFUSED: "the server did not accept the user or the password",
    Evidence.TOO_MANY_CONNECTIONS: "the server has too many connections",
    Evidence.SERVER_NOT_READY: "the server does not accept sessions at the moment",
    Evidence.QUERY_TIMED_OUT: "a query or a lock took too long",
}

MEANING = {
    Evidence.NOT_FOUND: "The program found no address for the name; it did not connect",
    Evidence.NAME_NOT_SHOWN: (
        "The program found no address for a name; the line does not show the name"
    ),
    Evidence.NO_ADDRESS: "The name has no IPv6 address (AAAA); the program did not connect",
    Evidence.NO_IPV4_ADDRESS: "The program asked for an IPv4 address of the name, and got none",
    Evidence.RESOLVER_FAILED: "The lookup of the name failed; the program did not connect",
    Evidence.RESOLVER_TIMED_OUT: "The resolver did not respond in time; nothing is known of the "
    "target",
    Evidence.ADDRESS_NOT_READ: "The program could not read an address, a URL or a port; it did not "
    "connect",
    Evidence.NO_NAME_LOOKED_UP: (
        "The program looked up a text that is not a name; it did not connect"
    ),
    Evidence.REFUSED: "The connection was refused",
    Evidence.PORT_UNREACHABLE: "The connection was refused, with ICMPv6 'port unreachable'",
    Evidence.PROHIBITED: "A firewall or a router prohibits the connection, by ICMPv6",
    Evidence.HOP_LIMIT_EXCEEDED: "The packets did not arrive within their hop limit",
    Evidence.ADDRESS_UNREACHABLE: "The source, or a router, reports that the address cannot be "
    "reached",
    Evidence.NO_ROUTE: "The source has no route to the address; nothing was sent",
    Evidence.NO_SOURCE_ADDRESS: "The source has no address or port to connect from; nothing was "
    "sent",
    Evidence.FAMILY_NOT_SUPPORTED: "The system or the program does not support this version of IP",
    Evidence.ESTABLISHED: "The connection is open, so networks, names and firewalls are not the "
    "cause",
    Evidence.TIMED_OUT: "The connection was not opened in time",
    Evidence.NO_RESPONSE: "No response came in time; the line does not show whether the connection "
    "was open",
    Evidence.PERMISSION_DENIED: "The source, or a firewall, does not permit the connection",
    Evidence.NOT_CONNECTED: "The program could not connect; the line does not show why",
    Evidence.NO_UPSTREAM: "The proxy tried no app, as each of them failed shortly before; earlier "
    "lines of its log show why",
    Evidence.BAD_GATEWAY: "A proxy responded, but got no valid response from the app behind it; "
    "the log of the proxy shows why",
    Evidence.SERVICE_UNAVAILABLE: "The app, or a proxy before it, responded that it is "
    "unavailable; the log of the one that responded shows why",
    Evidence.GATEWAY_TIMEOUT: "A proxy responded, but the app behind it did not respond to it in "
    "time",
    Evidence.GAVE_UP: "The program retried and gave up; the line does not show why it failed",
    Evidence.POOL_EXHAUSTED: "No connection of the program's own pool became free in time",
    Evidence.CLUSTER_DOWN: "Redis responded, but its cluster does not serve this key",
    Evidence.NODE_NOT_CONNECTED: "An Erlang node did not connect to another node",
    Evidence.NODE_REFUSED: "An Erlang node did not accept another node",
    Evidence.NODE_NOT_STARTED: "Erlang's distribution did not start",
    Evidence.TOKEN_AUDIENCE: "The token was read, and is for another audience",
    Evidence.TOKEN_EXPIRED: "The token was read, and has expired",
    Evidence.TOKEN_REFUSED: "The token was refused",
    Evidence.FILE_LIMIT: "The program could not open another file or socket; nothing was sent",
    Evidence.ADDRESS_IN_USE: "The program could not listen: the port is in use",
    Evidence.QUEUE_FULL: "The queue of connections that the server has not accepted yet is full",
    Evidence.LISTENS_ELSEWHERE: "The program listens on loopback or on IPv4 only (127.0.0.1, ::1 "
    "or 0.0.0.0), so other Machines cannot connect to it",
    Evidence.LISTEN_ADDRESS: "The program could not listen on this address",
}
MEANING |= {kind: f"{WAS_OPEN}: {seen}" for kind, seen in ON_OPEN_CONNECTION.items()}
