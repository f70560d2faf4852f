"""The test vectors of docs/protocols/vectors: made here from the golden rows of the pages and from our own link.

    python -m tests.support.wire.vectors.write_vectors     writes them again (`make vectors`)

`vector_files` has the files, `refused_bytes` what a decoder must refuse, `conversations` whole sessions.
"""
