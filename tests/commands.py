"""The command line within the process of the tests: what a new process adds, `test_cli` tests."""

import contextlib
import io
import os
import warnings

from rollick.cli.main import app, guarded


@contextlib.contextmanager
def wide():
    """A terminal of 200 columns."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "200"
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def rollick(*args, cwd=None):
    """Run the command; (exit code, standard output, standard error)."""
    out, err = io.StringIO(), io.StringIO()
    with (
        warnings.catch_warnings(),
        wide(),
        contextlib.chdir(cwd or os.getcwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        warnings.simplefilter("always")  # told, not raised, as to a person
        try:
            code = guarded(lambda: app([str(a) for a in args], prog_name="rollick", standalone_mode=True))
        except SystemExit as end:
            code = end.code or 0
    return code, out.getvalue(), err.getvalue()
