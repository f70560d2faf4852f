"""Packages for another architecture, the image, and the image on an emulated board: `make board-test`.

Everything here takes minutes, and much longer where this machine has not made its roots yet. So `make test` lists it
among what did not run.
"""
