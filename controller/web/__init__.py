"""The page: what the players see.

view_types  the view document, as the types that its writer and the page share
feed        the newest view for any number of watchers, a slow one skips
hosts       which names in a Host header mean this table
assets      the page's own files, read once
server      the aiohttp application: page, view, stream, acts, health
static/     the page itself: HTML, CSS and JavaScript modules, no build step, nothing from elsewhere
"""
