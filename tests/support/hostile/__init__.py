"""What somebody might send to do harm: bytes, inputs, crowds of clients."""
