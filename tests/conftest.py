"""What holds for all tests."""

import functools
import signal
import threading

import pytest

# A shell that starts `make test &` lets it ignore Ctrl-C, and so would every process that a test starts and interrupts.
if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def the_command_is_built_once():
    """Typer builds the whole tree of commands for every call, a tenth of a second; tests call it hundreds of times."""
    import typer.main
    import typer.testing

    once = functools.cache(typer.main.get_command)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", once)
        patch.setattr(typer.testing, "_get_command", once, raising=False)
        yield
