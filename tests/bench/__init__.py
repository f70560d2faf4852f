"""The figures: `make bench`, or `python -m tests.bench --json FILE`.

A machine that is shared is never twice the same, so a figure is shown beside a peer or a floor that was measured in the
same run, in turns with ours; the ratio is what counts.

measure    runs in turns, and what came out
figures    a figure, its target, and the table of all of them
compared   what became slower since the recorded run, and what was left out
rounds     EZ Baccarat: verifying a journal, the bare engine, a recorder with durable commits
commits    one durable commit beside a bare SQLite insert
codecs     each wire's codec beside its line rate, and an idle daemon
poker      no-limit hold'em and seven-card hands beside PokerKit

docs/development/benchmarks.md says what was measured when and where, and what it means.
"""
