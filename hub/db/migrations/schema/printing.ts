/** Printers and print jobs. */
export const printing = `
    -- body: a printer as JSON.
    CREATE TABLE printers (
      printer_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      body TEXT NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    -- body: the assignment of documents to printers, as JSON.
    CREATE TABLE print_routes (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      body TEXT NOT NULL,
      seal INTEGER
    ) STRICT;

    -- cause and printer_id identify a job, except for copies. sent_to: the printer that gets the job, printer_id or its
    -- fallback. has_begun: bytes may have been sent. is_open: shown to a person. pulse: opens a drawer.
    CREATE TABLE print_jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id TEXT NOT NULL UNIQUE,
      cause TEXT NOT NULL,
      printer_id TEXT NOT NULL,
      sent_to TEXT NOT NULL,
      document TEXT NOT NULL,
      state TEXT NOT NULL,
      blocks TEXT NOT NULL,
      pos_reference TEXT,
      station_id TEXT,
      terminal_id TEXT,
      held_until INTEGER,
      pulse TEXT,
      copy INTEGER NOT NULL DEFAULT 0,
      copy_of TEXT,
      created_at INTEGER NOT NULL,
      printed_at INTEGER,
      has_begun INTEGER NOT NULL DEFAULT 0,
      is_open INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      seal INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX print_job_original ON print_jobs (cause, printer_id) WHERE copy_of IS NULL;
    CREATE INDEX print_job_by_cause ON print_jobs (cause, printer_id);
    CREATE INDEX print_job_unfinished ON print_jobs (sent_to, id) WHERE state IN ('held', 'waiting', 'printing');
    CREATE INDEX print_job_open ON print_jobs (terminal_id, id) WHERE is_open = 1;
    CREATE INDEX print_job_finished ON print_jobs (created_at) WHERE state NOT IN ('held', 'waiting', 'printing');
`;
