"""Updates by signed reference: the floor sends where a bundle is and what was signed of it; the table fetches it.

rejection  why a reference, or what it names, is not taken
statement  what is signed, and who may sign it
fetching   from an allowed address into a private file, as large as signed and with the hash that was signed
broker_certificates  a certificate: for which broker, and putting it in place
bundles    what is in a bundle: the staff, no private key, a Debian package, a certificate
software   a package that waits for a technician, and installing it
service    one reference from request to effect, at a table

It imports configuration, recorder and staff. docs/mqtt/references.md is its page.
"""
