"""Debian's Firefox, driven by WebDriver BiDi, which it speaks itself: no driver and no patched build is needed.

bidi      the connection: commands and their results
firefox   a headless Firefox with a fresh profile, and its pages

Playwright's Firefox is a build of its own that no package registry has. What is tested here is what a cardroom has.
"""
