------------------------------- MODULE delivery -------------------------------
(* How a device's report comes to a store, and what survives a crash.           *)
(*                                                                               *)
(* A device repeats its lowest unacknowledged report. The table applies it,      *)
(* commits it, and acknowledges it. Every entry of the journal is published to   *)
(* each broker in order; the cursor follows the broker's acknowledgements. A     *)
(* store takes events from any broker and confirms them by a receipt. A crash    *)
(* loses what is in memory. A rollback puts an older copy of the disk back:      *)
(* what is entered after it has another life, so another link in the chain.      *)
(*                                                                               *)
(* tests/model/delivery.py is the same relation in Python; a test compares the   *)
(* two by the number of states that each finds.                                  *)
EXTENDS Naturals, Sequences

CONSTANTS Brokers,      \* the brokers
          Reports,      \* how many reports the device has
          Window,       \* events on their way over one connection
          MayRollBack   \* whether an older copy of the disk may be put back, once

VARIABLES journal,      \* entries: the number of the report, and the life of the disk
          life,         \* 1; 2 after a rollback
          applied,      \* the report that the engine has applied and the journal has not; 0: none
          deviceAck,    \* reports that the device need not send again
          up,           \* by broker: connected
          sent,         \* by broker: events sent over this connection, or before it
          received,     \* by broker: the same, as the broker has them
          acked,        \* by broker: acknowledged, in memory
          cursor,       \* by broker: acknowledged, on the disk
          got,          \* by broker: the events that it has
          looked,       \* by broker: the retained checkpoint was compared, over this connection
          head,         \* by broker: the retained checkpoint, 0 or 1 entries: its seq and entry
          stored,       \* events that the store has
          receipt,      \* up to where the journal knows that the store has them
          alarm,        \* a rollback was noticed
          evidenceLost  \* a checkpoint that would have shown a rollback was overwritten unseen

vars == <<journal, life, applied, deviceAck, up, sent, received, acked, cursor, got, looked, head,
          stored, receipt, alarm, evidenceLost>>
connection == <<up, sent, received, acked, looked>>
outside == <<got, head, stored>>

Min(a, b) == IF a < b THEN a ELSE b
LastReport == IF journal = <<>> THEN 0 ELSE journal[Len(journal)][1]
Contradicts(h) == /\ h # <<>>
                  /\ \/ h[1][1] > Len(journal)
                     \/ journal[h[1][1]] # h[1][2]
IsPrefix(a, b) == Len(a) <= Len(b) /\ \A n \in 1..Len(a) : a[n] = b[n]

Init == /\ journal = <<>> /\ life = 1 /\ applied = 0 /\ deviceAck = 0
        /\ up = [b \in Brokers |-> FALSE] /\ looked = [b \in Brokers |-> FALSE]
        /\ sent = [b \in Brokers |-> 0] /\ received = [b \in Brokers |-> 0]
        /\ acked = [b \in Brokers |-> 0] /\ cursor = [b \in Brokers |-> 0]
        /\ got = [b \in Brokers |-> <<>>] /\ head = [b \in Brokers |-> <<>>]
        /\ stored = <<>> /\ receipt = 0 /\ alarm = FALSE /\ evidenceLost = FALSE

(* The device and the journal *)

Apply == /\ applied = 0 /\ deviceAck < Reports /\ deviceAck + 1 > LastReport
         /\ applied' = deviceAck + 1
         /\ UNCHANGED <<journal, life, deviceAck, connection, cursor, outside, receipt, alarm, evidenceLost>>

Commit == /\ applied # 0
          /\ journal' = Append(journal, <<applied, life>>)
          /\ applied' = 0
          /\ UNCHANGED <<life, deviceAck, connection, cursor, outside, receipt, alarm, evidenceLost>>

CommitFails == /\ applied # 0
               /\ applied' = 0
               /\ UNCHANGED <<journal, life, deviceAck, connection, cursor, outside, receipt, alarm, evidenceLost>>

Acknowledge == /\ applied = 0 /\ deviceAck < Reports /\ deviceAck + 1 <= LastReport
               /\ deviceAck' = deviceAck + 1
               /\ UNCHANGED <<journal, life, applied, connection, cursor, outside, receipt, alarm, evidenceLost>>

(* A broker *)

Connect(b) == /\ ~up[b]
              /\ up' = [up EXCEPT ![b] = TRUE]
              /\ sent' = [sent EXCEPT ![b] = acked[b]]
              /\ received' = [received EXCEPT ![b] = acked[b]]
              /\ looked' = [looked EXCEPT ![b] = FALSE]
              /\ UNCHANGED <<journal, life, applied, deviceAck, acked, cursor, outside, receipt, alarm, evidenceLost>>

Lose(b) == /\ up[b]
           /\ up' = [up EXCEPT ![b] = FALSE]
           /\ sent' = [sent EXCEPT ![b] = 0]
           /\ received' = [received EXCEPT ![b] = 0]
           /\ looked' = [looked EXCEPT ![b] = FALSE]
           /\ UNCHANGED <<journal, life, applied, deviceAck, acked, cursor, outside, receipt, alarm, evidenceLost>>

Send(b) == /\ up[b] /\ sent[b] < Len(journal) /\ sent[b] - acked[b] < Window
           /\ sent' = [sent EXCEPT ![b] = @ + 1]
           /\ UNCHANGED <<journal, life, applied, deviceAck, up, received, acked, looked, cursor, outside, receipt,
                          alarm, evidenceLost>>

Receive(b) == /\ up[b] /\ received[b] < sent[b]
              /\ LET seq == received[b] + 1
                 IN /\ received' = [received EXCEPT ![b] = seq]
                    /\ got' = [got EXCEPT ![b] = IF seq <= Len(@) THEN [@ EXCEPT ![seq] = journal[seq]]
                                                                ELSE Append(@, journal[seq])]
              /\ UNCHANGED <<journal, life, applied, deviceAck, up, sent, acked, looked, cursor, head, stored, receipt,
                             alarm, evidenceLost>>

PubAck(b) == /\ up[b] /\ acked[b] < received[b]
             /\ acked' = [acked EXCEPT ![b] = @ + 1]
             /\ UNCHANGED <<journal, life, applied, deviceAck, up, sent, received, looked, cursor, outside, receipt,
                            alarm, evidenceLost>>

\* It is written a moment after it was read: more may have been acknowledged since.
WriteCursor(b) == /\ \E seq \in (cursor[b] + 1)..acked[b] : cursor' = [cursor EXCEPT ![b] = seq]
                  /\ UNCHANGED <<journal, life, applied, deviceAck, connection, outside, receipt, alarm, evidenceLost>>

\* What is retained matters only where an older disk may come back.
Look(b) == /\ MayRollBack /\ up[b] /\ ~looked[b]
           /\ looked' = [looked EXCEPT ![b] = TRUE]
           /\ alarm' = (alarm \/ Contradicts(head[b]))
           /\ UNCHANGED <<journal, life, applied, deviceAck, up, sent, received, acked, cursor, outside, receipt,
                          evidenceLost>>

PublishHead(b) == /\ up[b] /\ looked[b] /\ Len(journal) > 0 /\ sent[b] = Len(journal)
                  /\ head' = [head EXCEPT ![b] = << <<Len(journal), journal[Len(journal)]>> >>]
                  /\ head' # head
                  /\ evidenceLost' = (evidenceLost \/ (Contradicts(head[b]) /\ ~alarm))
                  /\ UNCHANGED <<journal, life, applied, deviceAck, connection, cursor, got, stored, receipt, alarm>>

(* The store *)

\* Each event names the link of the one before it: a store goes on only behind what it has.
StoreTakes(b) == /\ Len(stored) < Len(got[b]) /\ IsPrefix(stored, got[b])
                 /\ stored' = Append(stored, got[b][Len(stored) + 1])
                 /\ UNCHANGED <<journal, life, applied, deviceAck, connection, cursor, got, head, receipt, alarm,
                                evidenceLost>>

Receipt(b) == /\ up[b] /\ Len(stored) > 0
              /\ IF Len(stored) <= Len(journal) /\ journal[Len(stored)] = stored[Len(stored)]
                 THEN receipt' = Len(stored) /\ UNCHANGED alarm
                 ELSE alarm' = TRUE /\ UNCHANGED receipt
              /\ <<receipt', alarm'>> # <<receipt, alarm>>
              /\ UNCHANGED <<journal, life, applied, deviceAck, connection, cursor, outside, evidenceLost>>

(* What goes wrong *)

Forgotten(there) == /\ applied' = 0
                    /\ up' = [b \in Brokers |-> FALSE] /\ looked' = [b \in Brokers |-> FALSE]
                    /\ sent' = [b \in Brokers |-> 0] /\ received' = [b \in Brokers |-> 0]
                    /\ acked' = there

Crash == /\ Forgotten(cursor)
         /\ UNCHANGED <<journal, life, deviceAck, cursor, outside, receipt, alarm, evidenceLost>>
         /\ vars' # vars

RollBack == /\ MayRollBack /\ life = 1
            /\ \E kept \in 0..(Len(journal) - 1) :
                 /\ journal' = SubSeq(journal, 1, kept)
                 /\ cursor' = [b \in Brokers |-> Min(cursor[b], kept)]
                 /\ receipt' = Min(receipt, kept)
                 /\ Forgotten([b \in Brokers |-> Min(cursor[b], kept)])
            /\ Len(journal) > 0
            /\ life' = 2
            /\ UNCHANGED <<deviceAck, outside, alarm, evidenceLost>>

Next == \/ Apply \/ Commit \/ CommitFails \/ Acknowledge \/ Crash \/ RollBack
        \/ \E b \in Brokers : \/ Connect(b) \/ Lose(b) \/ Send(b) \/ Receive(b) \/ PubAck(b) \/ WriteCursor(b)
                              \/ Look(b) \/ PublishHead(b) \/ StoreTakes(b) \/ Receipt(b)

Spec == Init /\ [][Next]_vars

(* What must hold *)

NoReportIsLost == life = 1 => deviceAck <= LastReport
EachReportOnceInOrder == life = 1 => \A n \in 1..Len(journal) : journal[n] = <<n, 1>>
NothingIsInvented == life = 1 => \A b \in Brokers : IsPrefix(got[b], journal)
TheCursorIsBehind == \A b \in Brokers : cursor[b] <= acked[b] /\ acked[b] <= Len(got[b]) /\ acked[b] <= Len(journal)
TheStoreHasWhatWasPublished == life = 1 => IsPrefix(stored, journal)
AReceiptIsOfTheJournal == /\ receipt <= Len(journal)
                          /\ receipt <= Len(stored)
                          /\ \A n \in 1..receipt : journal[n] = stored[n]
ARollbackIsSeen == \A b \in Brokers : up[b] /\ looked[b] /\ Contradicts(head[b]) => alarm
NoEvidenceIsLost == ~evidenceLost
NoFalseAlarm == life = 1 => ~alarm
===============================================================================
