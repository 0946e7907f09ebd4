"""MariaDB.

An argument is taken as bytes: those of a text, or the 16 of `INET6`. A regular expression in a
stored function is compiled for each row, also where it is not reached, which takes thirty
microseconds: so it has a function of its own. `INET6_ATON` reads what it reads as RFC 4291 does:
texts without a dot or NUL. It stops at NUL, and accepts dotted quads with leading zeros, but not
the longest ones; a quad that the grammar accepts becomes two groups. `INET6_NTOA` prints `::` for a
single group of zeros, where RFC 5952, section 4.2.2, wants a `0`. There is no backslash, as what it
means depends on `sql_mode`. A function of one statement needs no `DELIMITER`.
"""

from fdaa.columns._engines._engine import (
    AS_TEXT,
    END_IN_PCRE,
    IN_PYTHON,
    Definitions,
    Engine,
    Function,
    Operation,
    Use,
)

_IP = "ip LONGBLOB"
_TEXT = "VARCHAR(49) CHARACTER SET ascii"
_QUAD = "substring_index(ip, ':', -1)"
_COLONS = "length(t) - length(replace(t, ':', ''))"

_FUNCTIONS = (
    Function(
        "fdaa_dotted_key",
        f"""CASE
  WHEN ip REGEXP {{address}} OR ip REGEXP {{zero}} THEN inet6_aton(CONVERT(concat(
    left(ip, length(ip) - length({_QUAD})),
    insert(lpad(hex(inet_aton({_QUAD})), 8, '0'), 5, 0, ':')) USING ascii))
END""",
        parameters=_IP,
        returns="VARBINARY(16)",
    ),
    Function(
        "fdaa_key",
        """CASE
  WHEN octet_length(ip) = 16 AND left(ip, 2) = X'FDAA' THEN ip
  WHEN octet_length(ip) > {longest} OR locate(X'00', ip) > 0 THEN NULL
  WHEN lower(CONVERT(left(ip, 5) USING ascii)) <> 'fdaa:' THEN NULL
  WHEN locate('.', ip) > 0 THEN fdaa_dotted_key(ip)
  ELSE inet6_aton(CONVERT(ip USING ascii))
END""",
        parameters=_IP,
        returns="VARBINARY(16)",
    ),
    Function(
        "fdaa_network_id_int",
        "CAST(conv(hex(substring(fdaa_key(ip), 3, 4)), 16, 10) AS UNSIGNED)",
        parameters=_IP,
        returns="BIGINT",
    ),
    Function(
        "fdaa_same_network",
        "fdaa_network_id_int(a) = fdaa_network_id_int(b)",
        parameters="a LONGBLOB, b LONGBLOB",
        returns="BOOLEAN",
    ),
    Function(
        "fdaa_network_id",
        """(
  SELECT lower(concat(hex(n DIV 65536), ':', hex(n & 65535)))
  FROM (SELECT fdaa_network_id_int(ip) AS n) AS ids)""",
        parameters=_IP,
        returns=_TEXT,
    ),
    Function(
        "fdaa_prefix",
        "replace(replace(concat('fdaa:', fdaa_network_id(ip), '::/48'), ':0::', '::'),"
        " ':0::', '::')",
        parameters=_IP,
        returns=_TEXT,
    ),
    Function(
        "fdaa_address",
        f"""(
  SELECT CASE
    WHEN t LIKE '%::' AND {_COLONS} = 8 THEN replace(t, '::', ':0')
    WHEN t LIKE '%::_%' AND {_COLONS} = 7 THEN replace(t, '::', ':0:')
    ELSE t END
  FROM (SELECT inet6_ntoa(fdaa_key(ip)) AS t) AS texts)""",
        parameters=_IP,
        returns=_TEXT,
    ),
)


MARIADB = Engine(
    name="mariadb",
    title="MariaDB 10.11",
    use="`fdaa sql mariadb`",
    types=("`INET6`", "`BINARY(16)` and `VARBINARY`"),
    other_bytes=AS_TEXT,
    network_id_int="`BIGINT`",
    key="`VARBINARY(16)`",
    missing=dict.fromkeys(IN_PYTHON, "needs Python: take the column to Arrow"),
    refused={
        Use.LAMBDA: "",
        Use.ELSEWHERE: "call `my.fdaa_network_id(a)`",
        Use.GENERATED: "use a trigger",
        Use.CHECK: "",
        Use.INDEX: "index a column that a trigger fills",
    },
    definitions=Definitions(
        functions=_FUNCTIONS,
        statement="""{create} {name}({parameters}) RETURNS {returns} DETERMINISTIC NO SQL
  RETURN {expression}""",
        argument="CAST({} AS BINARY)",
        # The others have a subquery in FROM, which sees parameters but no columns.
        inlined=(Operation.NETWORK_ID_INT, Operation.KEY),
        end=END_IN_PCRE,
    ),
)
