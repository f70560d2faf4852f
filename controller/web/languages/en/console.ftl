## The console

page-other-hand =
    .aria-label = Buttons for the other hand
page-choose-language =
    .aria-label = Language
page-may-be-old = What is shown here may be old. Nothing is sent.
page-what-next =
    .aria-label = What to do next
page-the-table =
    .aria-label = The table
page-pay-and-take-section =
    .aria-label = Pay and take
page-pay-and-take = Pay and take
page-wagers =
    .aria-label = Wagers
page-more =
    .aria-label = More
page-alarms-section =
    .aria-label = Alarms
page-alarms = Alarms
page-floor-section =
    .aria-label = Floor
page-floor = Floor
page-table-section =
    .aria-label = Table
page-table = Table
page-correct-section =
    .aria-label = Correct
page-correct = Correct
page-reports-section =
    .aria-label = Reports
page-reports = Reports
page-shift-report = Shift report
page-act =
    .aria-label = Act
page-chips =
    .aria-label = Chips
page-more-offers =
    .aria-label = More offers
page-cancel = Cancel
page-ok = OK
page-sign-in = Sign in
page-sign-out = sign out
page-floor-please = Floor, please
page-pin-too = Key the PIN too, or hold the badge to the reader again.
page-not-reached = The table was not reached. Look whether it was done before you try again.
page-sign-in-name = Name or staff number
page-sign-in-pin = PIN
page-sign-in-badge = or hold a badge to the reader
page-role-dealer = dealer
page-role-floor = floor
page-role-technician = technician
page-role-monitor = monitor
page-role-store = store
page-out-of-date = This page is out of date. Nothing is sent until it is live again.
page-second-tap = That was a second tap within a moment. Nothing was sent for it.
page-still-sending = The last one is still being sent. Nothing was sent for this tap.
page-held-down = Nothing was sent: the key was held down.
page-key-it = Key it
page-bank = Bank
page-button = Button
page-seat = Seat { $seat }
page-seat-column = Seat
page-behind = { $money } behind
page-bet = Bet
page-bet-on = Bet on seat { $seat }
page-begin-at = begin at seat { $seat }
page-bank-even = Player-dealer even.
page-bank-net = Player-dealer { $money }.
page-goes-back = { $money } goes back
page-no-cover = { $money } has no cover
page-does-take = Take
page-does-pay = Pay
page-does-push = Push
page-does-back = Back
page-does-fee = Drop
page-why = Why
page-this-changes = This changes
page-correct-it = Correct it
page-strike = It did not happen: strike it out
page-nothing-seen = Nothing that anybody has seen.
page-joker-key = Joker
page-take-last-back = take the last one back
page-take-digit-back = take the last digit back
page-min = Min { $money }
page-max = Max { $money }
page-next-spot = Next spot
page-or-more = { $least } or more
page-to = { $least } to { $most }
page-must-be = It must be { $range }.
page-must-be-steps = It must be { $range }, in steps of { $step }.
page-same-for-all = The same for all
page-die = Die { $die }
page-key-or-scan = Key or scan it
page-few-words = In a few words
page-not-complete = That is not complete.
page-round-n = Round { $round }
page-round-small = round { $round }
page-shoe-n =
    Shoe { $shoe }, { $hands } { $hands ->
        [one] hand
       *[other] hands
    }
page-held = Held: { $text }
page-bank-hand-1 = first hand
page-bank-hand-2 = second hand
page-bank-hand = hand { $hand }
page-bank-at = Bank: seat { $place }, { $hand }
page-not-sent = { $cards }: not sent, the table waits for no card.
page-done = Done: { $what }
page-wager-of = Seat { $seat }, { $bet }: { $text }
page-place = Place
page-alarm-count =
    { $alarms } { $alarms ->
        [one] alarm
       *[other] alarms
    }
page-alarm-count-seen =
    { $alarms } { $alarms ->
        [one] alarm
       *[other] alarms
    }, seen to
page-cleared-when = It is cleared when { $ends }.
page-seen-to-by = Seen to by { $name }.
page-nobody-signed-in = Nobody signed in. Nothing was sent.
page-set = Set
page-choose = Choose: { $what }.
page-in-dollars = { $what }, in dollars
page-signed-in = Signed in: { $name }
