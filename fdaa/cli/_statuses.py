"""How a command ends: its exit statuses, and the error that ends it."""

YES = 0
NO = 1
WRONG = 2
UNKNOWN = 3
INTERRUPTED = 130

STATUS_OF = {True: YES, False: NO, None: UNKNOWN}  # an answer -> its status


class CommandError(Exception):
    """Ends a command; its text is printed.

    The status is 2, but 3 where it is not known whether something was done.
    """

    def __init__(self, message: str, status: int = WRONG) -> None:
        super().__init__(message)
        self.status = status
