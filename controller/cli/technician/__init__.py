"""Commands of a technician at a table: doctor, devices, capture, firmware."""
