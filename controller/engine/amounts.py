"""Amounts of money as people write them. Money is whole cents everywhere else."""

from __future__ import annotations


def dollars(cents: int) -> str:
    """As short as people at a table write it.

    >>> dollars(300), dollars(250)
    ('$3', '$2.50')
    """
    whole, rest = divmod(cents, 100)
    return f"${whole}.{rest:02d}" if rest else f"${whole}"


def money(cents: int) -> str:
    """As in a column of a report.

    >>> money(123450), money(-1500)
    ('$1,234.50', '-$15.00')
    """
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02}"
