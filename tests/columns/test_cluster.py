"""A cluster: functions in SQL need nothing on the executors, those in Python get fdaa by a zip.

The executors are processes of their own, whose Python has the packages of this one but no fdaa.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sql_engines import DATABASES

import fdaa

SCRIPT = """
import sys
from pyspark.sql import SparkSession
from fdaa.columns.spark import register

builder = SparkSession.builder.master("local-cluster[2,1,1024]")
builder = builder.config("spark.ui.enabled", "false").config("spark.executor.memory", "700m")
builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.task.maxFailures", "1")
for file in sys.argv[1:]:
    builder = builder.config("spark.submit.pyFiles", file)
spark = builder.getOrCreate()
register(spark)
rows = [("fdaa:2:45b::3",), ("x",)] * 50
spark.createDataFrame(rows, "ip string").repartition(4).createOrReplaceTempView("t")
for function in ("fdaa_network_id", "fdaa_refusals"):
    rows = spark.sql(f"SELECT DISTINCT {function}(ip) FROM t").collect()
    print(function, sorted(str(row[0]) for row in rows))
"""


def run(tmp_path: Path, *files: str) -> subprocess.CompletedProcess[str]:
    import pyarrow
    import pyspark

    packages = Path(pyarrow.__file__).parent.parent
    python = tmp_path / "python"
    # Without `site`, an editable installation is not found.
    call = f'PYTHONPATH="$PYTHONPATH:{packages}" exec {sys.executable} -S "$@"'
    python.write_text(f"#!/bin/sh\n{call}\n")
    python.chmod(0o755)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    home = str(Path(pyspark.__file__).parent)
    own = {"PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": sys.executable}
    environment = {**os.environ, **own, "SPARK_HOME": home, "SPARK_WORKER_DIR": str(tmp_path)}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, str(script), *files]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        cwd=tmp_path,
        env=environment,
    )


@pytest.mark.campaign
def test_executors_need_fdaa_for_functions_in_python_only(tmp_path: Path) -> None:
    DATABASES["spark"].need()
    package = Path(fdaa.__file__).parent
    wheel = shutil.make_archive(str(tmp_path / "fdaa"), "zip", package.parent, package.name)
    without = run(tmp_path)
    assert "fdaa_network_id ['2:45b', 'None']" in without.stdout, without.stderr
    assert "No module named 'fdaa'" in without.stderr
    with_zip = run(tmp_path, wheel)
    assert "fdaa_network_id ['2:45b', 'None']" in with_zip.stdout
    assert "'x' is not a hex digit" in with_zip.stdout, with_zip.stderr
