"""`make vectors`: writes docs/protocols/vectors again."""

from __future__ import annotations

import sys

from tests.support.wire.vectors.vector_files import FOLDER, documents


def main() -> int:
    for name, text in documents().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"docs/protocols/vectors/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
