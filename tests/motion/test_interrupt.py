"""Ctrl-C that somebody caught is still known of."""

import os
import signal
import threading

import pytest

from rollick.motion.interrupt import listening

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture(autouse=True)
def by_default():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press():
    """Ctrl-C, heard before this returns."""
    os.kill(os.getpid(), signal.SIGINT)
    raise AssertionError("not heard")


def test_it_is_known_after_it_was_caught():
    with listening() as pressed:
        assert not pressed()
        with pytest.raises(KeyboardInterrupt):
            press()
        assert pressed()
        assert pressed()
    assert signal.set_wakeup_fd(-1) == -1


def test_contexts_within_each_other_and_other_signals():
    heard = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        with listening() as outer:
            with listening() as inner:
                os.kill(os.getpid(), signal.SIGUSR1)
                assert not inner()
            with pytest.raises(KeyboardInterrupt):
                press()
            assert outer()
    finally:
        signal.signal(signal.SIGUSR1, heard)


def test_another_thread_never_hears_of_it():
    told = []

    def work():
        with listening() as pressed:
            told.append(pressed())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told == [False]
