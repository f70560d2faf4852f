"""The page's server: screens, console, and the HTTP API.

connections how many connections there are, from whom, for how long
door        who has connected, and when it is his turn
feed        the newest document for any number of watchers; a slow one skips
clients     who a request comes from
house_pictures  the house's logo and slides, checked and served by their content
hosts       which names in a Host header mean this table
assets      the page's own files, read once
pages       what every page's server has: names, headers, sign-in, doors; the floor's page too
server      the aiohttp application: page, view, acts, health
streams     server-sent events, and who has a place
tls         the page's certificate
glossary    the glossary of each game, made of the screens' words
languages/  the words of the pages, in Fluent, a folder for each language
static/     the page itself: HTML, CSS and JavaScript modules, no build step, nothing loaded from elsewhere
table_api   state and round for programs
words       the languages of the pages: ours, and the house's own words

It may import `operator`, `engine` and what is below them. HTTP statuses are decided here and nowhere else.
"""
