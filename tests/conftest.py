"""What holds for all tests."""

import signal
import threading

# A shell that starts `make test &` lets it ignore Ctrl-C, and so would every process that a test starts and interrupts.
if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
