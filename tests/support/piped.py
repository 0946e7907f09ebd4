"""A process that a test talks to through pipes."""

from __future__ import annotations

import subprocess
from typing import IO, AnyStr


class Piped(subprocess.Popen[AnyStr]):
    """A process with a pipe for each stream that the test uses.

    `Popen` cannot say in types which of its streams are pipes: each may be None.
    """

    stdin: IO[AnyStr]
    stdout: IO[AnyStr]
    stderr: IO[AnyStr]
