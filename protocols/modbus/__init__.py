"""Modbus RTU, both ends, without I/O: what the drop-box sensors speak.

A standard, not ours: MODBUS Application Protocol V1.1b3, MODBUS over Serial Line V1.02.

frames   one class per request and per answer, to bytes and back
ends     who asks and who answers: frames found in what arrives
"""
