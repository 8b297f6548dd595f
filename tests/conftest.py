"""What holds for all tests."""

import functools
import signal
import threading

import pytest

# A shell that starts `make test &` lets it ignore Ctrl-C, and so would every process that a test starts and interrupts.
if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Files that need the same large pieces of machine code, by words in their names: side by side they go to one process, which compiles each piece once.
TOGETHER = (
    "filippov",
    "flowmeter",
    "wheelset",
    "dual_point",
    "modes_many",
    "modes_told",
    "forks",
    "futures",
    "straight_slip",
    "steady_forms",
)


def pytest_collection_modifyitems(items):
    """Put the files that need the solver of Filippov systems behind all others."""
    items.sort(key=lambda item: any(word in item.path.name for word in TOGETHER))


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
