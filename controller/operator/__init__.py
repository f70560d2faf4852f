"""The people at a table: who they are, what they may do, and the menus that offer it.

roles          four roles, their rights, and the right that each act needs
staff          the staff file, PINs and badges; staff_commands: add, list, remove
authenticator  checks them; sign_in_limits: how often somebody may be wrong
sessions       signing in
offers/        what may be done now, as buttons; batches: several acts in one touch
trial          what acts would come to, tried beside the table
slips          acts that are sent as one; moments: what they answer
settling       what the dealer takes and pays when a hand is over
console_view   the console's document
panel          key panels; panel_menu: the menu on each
act_result     what became of an act

It may import `engine`, and `devices` for the panels. It knows nothing of HTTP.
"""
