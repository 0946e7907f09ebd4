"""The engines that call Python: each has its module in `fdaa.columns`."""

from fdaa.columns._engines._engine import Engine, Use

ARROW = Engine(
    name="arrow",
    title="Arrow",
    use="`fdaa.columns.arrow`",
    extra="arrow",
    types=("`binary` and `binary(16)`, also large, views and dictionaries",),
    of_number="error",
    of_list="error",
    network_id_int="`uint32`",
    key="`binary(16)`",
)
PANDAS = Engine(
    name="pandas",
    title="pandas 2.3",
    use='`import fdaa.columns.pandas`, then `frame["ip"].fdaa`',
    extra="arrow",
    types=("those of Arrow, and Python's `bytes`",),
    of_number="error",
    of_list="error",
    network_id_int="`UInt32`",
    key="`binary(16)` of Arrow",
)
POLARS = Engine(
    name="polars",
    title="Polars 2.1",
    use='`import fdaa.columns.polars`, then `pl.col("ip").fdaa`',
    extra="polars",
    types=("`Binary` of 16 bytes",),
    of_number="error",
    of_list="error",
    network_id_int="`UInt32`",
    key="`Binary`",
)
SQLITE = Engine(
    name="sqlite",
    title="SQLite",
    use="`fdaa.columns.sqlite.register(connection)`",
    types=("`BLOB` of 16 bytes",),
    network_id_int="`INTEGER`",
    key="`BLOB`",
    caveats=dict.fromkeys(
        (Use.GENERATED, Use.CHECK, Use.INDEX), "other programs cannot use the file"
    ),
    refused={
        Use.LAMBDA: "use `json_each`",
        Use.PERMANENT: "",
    },
)
