"""What is built for another processor, run by emulation: `make board-test`.

Everything here takes minutes, and much longer where this machine has not made its roots yet. So `make test` lists it
among what did not run.
"""
