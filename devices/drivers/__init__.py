"""The drivers: one module or package for each kind of device, which declares its `KIND` (`devices.kinds`).

A driver may import `protocols`, `devices.link`, `devices.ports` and the modules of `devices`; no other driver.
"""
