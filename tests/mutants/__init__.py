"""Mutation testing: small mistakes put into the program, one at a time, each of which some test must notice.

`areas` has the parts of the program and the tests that judge each; `mutations` makes the mistakes, by the operators of
cosmic-ray; `run` is `make mutants`. docs/development/testing.md has the figures and what was tried before.
"""
