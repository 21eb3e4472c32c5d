import type { Block, PrintDocument, PrintError, PrintJobState } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";

/** A job without its content. */
export interface JobRow {
  /** Its position in the order of causes. */
  id: number;
  jobId: string;
  cause: string;
  printerId: string;
  /** The printer that the job is sent to: its own, or that printer's fallback. */
  sentTo: string;
  document: PrintDocument;
  /** `held`: a receipt waiting for its fiscal answer. */
  state: PrintJobState | "held";
  posReference: string | null;
  stationId: string | null;
  terminalId: string | null;
  heldUntil: number | null;
  pulse: "wanted" | "sent" | "late" | null;
  copy: number;
  copyOf: string | null;
  createdAt: number;
  printedAt: number | null;
  /** Whether bytes of it may have been sent. */
  hasBegun: 0 | 1;
  /** Whether it needs a person's attention. */
  isOpen: 0 | 1;
  error: PrintError | null;
  /** Whether it only opens a drawer. */
  isPulseOnly: 0 | 1;
}

export type NewJobRow = Pick<
  JobRow,
  "jobId" | "cause" | "printerId" | "document" | "posReference" | "stationId" | "terminalId" | "heldUntil" | "pulse"
> &
  Pick<JobRow, "copy" | "copyOf" | "createdAt"> & { blocks: string };

/** A change of a job; omitted fields stay. */
export type JobChange = Partial<Pick<JobRow, "state" | "sentTo" | "pulse" | "printedAt" | "hasBegun" | "isOpen">> &
  Partial<Pick<JobRow, "error" | "heldUntil">>;

export interface JobFilter {
  state?: PrintJobState | undefined;
  printerId?: string | undefined;
  cause?: string | undefined;
  isOpen?: boolean;
}

export type JobStore = ReturnType<typeof createJobStore>;

/** Stores print jobs, each with its complete content, so that a late print says what was true then. */
export function createJobStore(db: Db) {
  const COLUMNS = `id, job_id AS jobId, cause, printer_id AS printerId, sent_to AS sentTo, document, state,
    pos_reference AS posReference, station_id AS stationId, terminal_id AS terminalId, held_until AS heldUntil, pulse,
    copy, copy_of AS copyOf, created_at AS createdAt, printed_at AS printedAt, has_begun AS hasBegun, is_open AS isOpen,
    error, blocks = '[]' AS isPulseOnly`;
  const UNFINISHED = "state IN ('held', 'waiting', 'printing')";
  const insert = db.prepare<NewJobRow>(`
    INSERT INTO print_jobs (job_id, cause, printer_id, sent_to, document, state, blocks, pos_reference, station_id,
      terminal_id, held_until, pulse, copy, copy_of, created_at)
    VALUES (@jobId, @cause, @printerId, @printerId, @document, iif(@heldUntil IS NULL, 'waiting', 'held'), @blocks,
      @posReference, @stationId, @terminalId, @heldUntil, @pulse, @copy, @copyOf, @createdAt)
    ON CONFLICT DO NOTHING`);
  const selectByJobId = db.prepare<[string], JobRow>(`SELECT ${COLUMNS} FROM print_jobs WHERE job_id = ?`);
  const blocksOf = db.prepare<[number], string>("SELECT blocks FROM print_jobs WHERE id = ?").pluck();
  const next = db.prepare<[string], JobRow>(`
    SELECT ${COLUMNS} FROM print_jobs INDEXED BY print_job_unfinished
    WHERE sent_to = ? AND ${UNFINISHED} AND state = 'waiting' ORDER BY id LIMIT 1`);
  const listUnfinished = db.prepare<[], JobRow>(`
    SELECT ${COLUMNS} FROM print_jobs INDEXED BY print_job_unfinished WHERE ${UNFINISHED} ORDER BY sent_to, id`);
  const listByCause = db.prepare<[string], JobRow>(`SELECT ${COLUMNS} FROM print_jobs WHERE cause = ? ORDER BY id`);
  const listByPrefix = db.prepare<{ first: string; beyond: string }, JobRow>(`
    SELECT ${COLUMNS} FROM print_jobs WHERE cause >= @first AND cause < @beyond ORDER BY id`);
  const listOpenByTerminal = db.prepare<[string], JobRow>(`
    SELECT ${COLUMNS} FROM print_jobs INDEXED BY print_job_open WHERE terminal_id = ? AND is_open = 1 ORDER BY id`);
  const countOpen = db
    .prepare<[], number>("SELECT count(*) FROM print_jobs INDEXED BY print_job_open WHERE is_open = 1")
    .pluck();
  const pageOf = (source: string) =>
    db.prepare<{ [name: string]: string | number | null }, JobRow>(`
      SELECT ${COLUMNS} FROM print_jobs ${source} AND id < @below
        AND (@state IS NULL OR state = @state OR (@state = 'waiting' AND state = 'held'))
        AND (@printerId IS NULL OR printer_id = @printerId OR sent_to = @printerId) AND is_open >= @isOpen
      ORDER BY id DESC LIMIT @limit`);
  const page = pageOf("WHERE true");
  const pageOfCause = pageOf("INDEXED BY print_job_by_cause WHERE cause = @cause");
  const countWaiting = db.prepare<[], { sentTo: string; waiting: number }>(`
    SELECT sent_to AS sentTo, count(*) AS waiting FROM print_jobs INDEXED BY print_job_unfinished
    WHERE ${UNFINISHED} GROUP BY sent_to`);
  const update = db.prepare<Required<JobChange> & { id: number }>(`
    UPDATE print_jobs SET state = @state, sent_to = @sentTo, pulse = @pulse, printed_at = @printedAt,
      has_begun = @hasBegun, is_open = @isOpen, error = @error, held_until = @heldUntil WHERE id = @id`);
  const setBlocks = db.prepare<[string, number]>("UPDATE print_jobs SET blocks = ? WHERE id = ?");

  return {
    /** Returns false if this cause already has a job for this printer. */
    add: (row: NewJobRow): boolean => insert.run(row).changes === 1,
    get: (jobId: string): JobRow | null => selectByJobId.get(jobId) ?? null,
    /** Returns null if the content cannot be read. */
    blocks: ({ id }: JobRow): Block[] | null => parseColumn<Block[] | null>(blocksOf.get(id) ?? "", null),
    /** Returns the first job waiting for a printer. */
    next: (printerId: string): JobRow | null => next.get(printerId) ?? null,
    /** Returns jobs that are held, waiting or printing, by cause for each printer. */
    listUnfinished: (): JobRow[] => listUnfinished.all(),
    listByCause: (cause: string): JobRow[] => listByCause.all(cause),
    /** Returns the jobs whose cause begins with `first`, such as those of a ticket. */
    listByPrefix: (first: string): JobRow[] => listByPrefix.all({ first, beyond: `${first}\u{10ffff}` }),
    /** Returns a terminal's jobs that need a person's attention. */
    listOpenByTerminal: (terminalId: string): JobRow[] => listOpenByTerminal.all(terminalId),
    countOpen: (): number => countOpen.get() ?? 0,
    page({ state, printerId, cause, isOpen = false }: JobFilter, below: number | null, limit: number): JobRow[] {
      const query = {
        state: state ?? null,
        printerId: printerId ?? null,
        isOpen: isOpen ? 1 : 0,
        below: below ?? Number.MAX_SAFE_INTEGER,
        limit,
      };
      return cause === undefined ? page.all(query) : pageOfCause.all({ ...query, cause });
    },
    /** Counts the jobs waiting for each printer, by printer id. */
    countWaiting: (): Map<string, number> =>
      new Map(countWaiting.all().map(({ sentTo, waiting }) => [sentTo, waiting])),

    /** Returns the changed job. */
    update(row: JobRow, change: JobChange): JobRow {
      const changed = { ...row, ...change };
      const { id, state, sentTo, pulse, printedAt, hasBegun, isOpen, error, heldUntil } = changed;
      update.run({ id, state, sentTo, pulse, printedAt, hasBegun, isOpen, error, heldUntil });
      return changed;
    },
    setBlocks: ({ id }: JobRow, blocks: readonly Block[]): void => void setBlocks.run(JSON.stringify(blocks), id),
  };
}
