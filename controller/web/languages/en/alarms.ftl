## What is wrong

alarm-is = { $name } is { $state }: { $name2 }
alarm-box = { $name } box: { $said }
alarm-the-box-is-out = the box is out
alarm-the-door-is-open = the door is open
alarm-its-sensor-restarted-what-fell = its sensor restarted; what fell meanwhile is not known
alarm-its-counter-went-where-it = its counter went where it cannot go
alarm-its-sensor-reports-a-fault = its sensor reports a fault
alarm-its-sensor-does-not-answer = its sensor does not answer
alarm-owes-the-box-fell = { $whose } owes the { $name } box { $money }; { $pieces } fell
alarm-owes-the-box-fell-at = { $whose } owes the { $name } box { $money }; { $pieces } fell, at least { $money2 }
alarm-owes-the-box-fell-which = { $whose } owes the { $name } box { $money }; { $pieces } fell, which cannot be that amount
alarm-owes-the-box-fell-as = { $whose } owes the { $name } box { $money }; { $pieces } fell, as far as is known: { $said }
alarm-its-sensor-restarted-meanwhile = its sensor restarted meanwhile
alarm-its-counter-went-where-it-cannot = its counter went where it cannot go meanwhile
alarm-fell-into-the-box-that = { $pieces } fell into the { $name } box that nobody owed it
alarm-fell-through-the-slot-of = { $pieces } fell through the slot of the { $name } box while no box was in it
alarm-of-not-seen-to-fall = { $money } of { $whose } not seen to fall
alarm-id-and-seal-of-the = id and seal of the box in the slot were not keyed
alarm-the-box-was-taken-out = the { $name } box was taken out while a round was running
alarm-number-left-number-was-expected = number { $n } left, number { $n2 } was expected: { $n3 } left without a report
alarm-number-left-a-second-time = number { $n } left a second time, number { $n2 } was expected
alarm-its-event-came-event-was = its event { $n } came, event { $n2 } was expected: what is between them is lost
alarm-its-event-came-a-second = its event { $n } came a second time, event { $n2 } was expected
alarm-cards-are-left-in-it = { $n } cards are left in it by its own count, { $n2 } should be
alarm-a-card-left-it-and = a card left it, and none should have been in it any more
alarm-of-have-left-the-shoe = { $n } of { $card } have left the shoe, the decks hold { $n2 }: { $name }
alarm-cards-came-out-of-the = { $n } cards came out of the shuffler, { $n2 } should have
alarm-too-many-wrong-pins-or = too many wrong PINs or badges
alarm-wrong-pins-or-badges-at = wrong PINs or badges at the { $name }, from { $name2 }
alarm-entry-of-the-journal-does = entry { $n } of the journal does not come out the same: { $name }
alarm-sent-a-message-that-kind = { $name } sent a message that { $name2 }: kind { $name3 }, { $n } bytes; the journal has them
alarm-the-board-s-clock-was = the board's clock was set ahead by { $name }
alarm-the-board-s-clock-was-set = the board's clock was set back by { $name }

## What to do about it

alarm-check-the-power-and-the = Check the power and the cable of { $name }. If it stays away, call a technician (`cutcard doctor`). A round that gets its cards from it is held.
alarm-take-the-deck-out-of = Take the deck out of { $name }, count it and put in another. Keep it if cards are missing.
alarm-look-for-a-card-on = Look for a card on the floor, count the cards in { $name }, and look up the last draws on video. Load a new shoe, or state what was found.
alarm-find-out-what-happened-at = Find out what happened at { $name } at that time, and state it. Call a technician: its firmware may be newer than this program, or faulty.
alarm-look-at-the-cable-of = Look at the cable of { $name } from end to end for equipment that does not belong there, and call surveillance. State what was found.
alarm-call-a-technician-find-out = Call a technician: find out what was done to { $name }, then `cutcard firmware enroll { $name2 }` or `cutcard firmware accept { $name3 }`.
alarm-do-not-deal-from-this = Do not deal from this shoe. If a card was misread, correct the round. If not, count the shoe, call surveillance and load a new one. To deal on from it, state what the inspection found.
alarm-look-for-a-card-on-the = Look for a card on the floor and in the shoe, count the cards and load a new shoe. To deal on from this one, state what the count found.
alarm-load-a-shoe-with-the = Load a shoe with the number of decks that the rules want.
alarm-do-not-deal-from-this-shoe = Do not deal from this shoe. Keep it as it is, call surveillance and load a new one. To deal on from it, state what the inspection found.
alarm-put-the-box-in-while = Put the { $name } box in. While the drop team exchanges it, there is nothing else to do.
alarm-close-the-door-of-the = Close the door of the { $name } box.
alarm-nothing-at-once-the-count = Nothing at once: the count room's figure decides. State what was found if it should not wait for the next drop.
alarm-clean-the-slot-of-the = Clean the slot of the { $name } box. If the fault stays, call a technician: cable, or another sensor.
alarm-drop-what-is-missing-if = Drop what is missing. If it cannot be dropped, look it up on video and explain the drop. A box without a tag: key its id and seal.
alarm-call-a-technician-move-archives = Call a technician: move archives to another disk, and find out what else fills this one.
alarm-call-a-technician-at-once = Call a technician at once: move archives to another disk, and find out what else fills this one.
alarm-find-out-who-it-is = Find out who it is, if you do not know. A technician ends it with Ctrl-C, or it ends by itself after its time.
alarm-ask-who-it-was-then = Ask who it was, then sign in at the console as floor.
alarm-call-a-technician-cutcard-config = Call a technician: `cutcard config check`, correct the file, `cutcard config apply`.
alarm-sign-in-at-the-console = Sign in at the console as floor. Send the log to us (`journalctl -u cutcard`).
alarm-the-table-is-held-read = The table is held. Read what differs, then resume, or void the round that was running, and give the reason.
alarm-call-a-technician-make-room = Call a technician: make room on the disk, or replace it. Devices send again what was not taken.
alarm-compare-the-board-s-clock = Compare the board's clock with a right one. If it is wrong, call a technician: battery, time server (`timedatectl`). Then state what was found.

## What ends it

said-ends = { $ends }
end-a-new-shoe-is-loaded = a new shoe is loaded
end-the-floor-states-what-the = the floor states what the inspection found
end-the-floor-states-what-was = the floor states what was found
end-answers-again = { $name } answers again
end-is-taken-out-of-the = is taken out of the configuration
end-is-taken-out-of-the-configuration = { $name } is taken out of the configuration
end-reports-a-good-deck = { $name } reports a good deck
end-is-enrolled = { $name } is enrolled
end-accepted = accepted
end-is-as-it-was-again = is as it was again
end-a-correction-shows-that-a = a correction shows that a card was misread
end-a-shoe-with-the-right = a shoe with the right number of decks is loaded
end-another-game-is-chosen = another game is chosen
end-a-box-is-in-the = a box is in the slot
end-the-door-is-closed = the door is closed
end-the-box-is-exchanged = the { $name } box is exchanged
end-the-sensor-reports-no-fault = the sensor reports no fault
end-what-was-missing-has-fallen = what was missing has fallen
end-the-floor-has-explained-the = the floor has explained the drop
end-the-box-is-keyed = the box is keyed
end-another-box-is-in = another box is in
end-there-is-room-again-it = there is room again; it is looked at every ten seconds
end-a-floor-person-signs-in = a floor person signs in
end-a-good-file-was-read = a good file was read
end-nobody-records-any-more = nobody records any more
end-the-floor-resumes-the-table = the floor resumes the table
end-voids-the-round = voids the round
end-an-entry-can-be-written = an entry can be written; it is tried every ten seconds

## Of the drop

pieces-nothing = nothing
pieces-one = 1 piece
pieces-n = { $n } pieces
whose-round = round { $n }
whose-clock = the clock
whose-rounds = rounds { $name }
whose-earlier = earlier rounds
state-offline = offline
state-faulty = faulty
state-wrong-device = wrong device
state-not-trusted = not trusted

## A call

alarm-floor-is-called = the floor is called
alarm-go-to-the-table = Go to the table. `Seen to` shows the dealer that somebody is on the way, `The floor was here` ends the call.
end-somebody-ends-the-call = somebody at the table ends the call
