"""The floor page: every table of the site on one screen, and commands from there.

attention  which table needs somebody, and how much: the order of the tiles
tiles      a table as its tile shows it
board      all tiles; who watches gets what changed
figures    what the tiles show from the store
detail     one table: its live view, its last rounds step by step
gate       who may read and act, and what is answered where something is wrong
server     the aiohttp application; book_routes: books and count sheets
serving    `cutcard floor page`
static/    the page itself: HTML, CSS and JavaScript modules, no build step, nothing loaded from elsewhere

docs/floor/page.md is its page. HTTP statuses are decided here and nowhere else.
"""
