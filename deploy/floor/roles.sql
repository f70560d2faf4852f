-- Roles of the floor's store in PostgreSQL. Run it as the owner of the database, after `cutcard floor migrate`, and again after
-- each migration: psql --dbname cutcard --file roles.sql
-- floor_writer  a collector; it can neither change nor delete an event
-- floor_reader  pages and books; not the payloads of messages that are kept apart
-- floor_auditor reads everything
-- floor_counter the count room: reads the books, and adds count sheets; it changes none
-- floor_page    the floor page: what a reader may, what people do there, and count sheets; it changes no event
-- floor_company the company's subscription (docs/floor/company.md); give it to a role with REPLICATION

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['floor_writer', 'floor_reader', 'floor_auditor', 'floor_counter', 'floor_page', 'floor_company'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    END IF;
  END LOOP;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION floor_events_month(text) FROM PUBLIC;

GRANT SELECT, INSERT ON events, gaps TO floor_writer;
GRANT SELECT, INSERT, UPDATE ON sites, tables, journals, checkpoints, quarantine TO floor_writer;
GRANT SELECT, INSERT, DELETE ON waiting, documents, rounds, wagers, fee_ledger, drops, pieces, boxes, counts, alarms,
  staff_acts, devices, jackpots, positions, packs TO floor_writer;
GRANT SELECT ON alembic_version TO floor_writer;
GRANT EXECUTE ON FUNCTION floor_events_month(text) TO floor_writer;

GRANT SELECT ON sites, tables, journals, events, gaps, documents, checkpoints, rounds, wagers, fee_ledger, drops, pieces, boxes,
  counts, alarms, staff_acts, devices, jackpots, positions, packs, count_sheets, page_acts, marks, marked_journals, room_alarms, drops_begun, rollouts, rollout_tables
  TO floor_reader, floor_auditor, floor_counter, floor_page;
GRANT INSERT ON count_sheets TO floor_counter, floor_page;
GRANT INSERT ON page_acts, marks, marked_journals, room_alarms, drops_begun, rollouts, rollout_tables TO floor_page;
GRANT UPDATE ON room_alarms, drops_begun, rollouts, rollout_tables TO floor_page;
GRANT SELECT ON alembic_version TO floor_reader, floor_counter, floor_page;
GRANT SELECT ON sites, tables, journals, events, gaps, checkpoints, rounds, wagers, fee_ledger, drops, pieces, boxes, counts, alarms,
  staff_acts, devices, jackpots, positions, packs, count_sheets TO floor_company;
GRANT SELECT (digest, first_at, last_at, times, reason, text, broker, topic, site, table_name, journal, seq)
  ON quarantine TO floor_reader, floor_page;
GRANT SELECT (journal, seq, link, received_at, topic) ON waiting TO floor_reader;
GRANT SELECT ON quarantine, waiting, alembic_version TO floor_auditor;
