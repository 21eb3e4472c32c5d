import { crc32 } from "node:zlib";
import type { Loss, LossKind, LossState, Restore, StoredOrder } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { readRow } from "../db/rows/read-row.ts";

/** A loss of a restore. Times are ms since 1970. */
export interface LossRow {
  id: number;
  kind: LossKind;
  posReference: string;
  version: number;
  sources: string[];
  knownAt: number;
  knownBy: string | null;
  /** The lost order; null if it is unknown or cannot be read. */
  order: StoredOrder | null;
  backOffice: Loss["backOffice"];
  /** For a merged check, the checks that its lines moved to. */
  mergedInto: string[];
  foundAt: number;
  /** `noted`: a finished check that is not missing. It becomes a loss if another source contradicts it. */
  state: LossState | "noted";
  settledAt: number | null;
  settledBy: string | null;
  settledNote: string | null;
}

export type NewLoss = Pick<
  LossRow,
  "kind" | "posReference" | "version" | "sources" | "knownAt" | "knownBy" | "order"
> & {
  backOffice?: NonNullable<LossRow["backOffice"]>;
  mergedInto?: string[];
};

interface Row extends Omit<LossRow, "sources" | "order" | "backOffice" | "mergedInto"> {
  sources: string;
  body: string | null;
  checksum: number | null;
  detail: string | null;
}

export interface RestoreRow extends Omit<Restore, "at" | "keptAside"> {
  at: number;
  replaced: string | null;
}

export type LossStore = ReturnType<typeof createLossStore>;

/** Maximum number of sources per loss. More would not help a decision. */
const MAX_SOURCES = 50;

const COLUMNS = `
  id, kind, pos_reference AS posReference, version, sources, known_at AS knownAt, known_by AS knownBy, body, checksum,
  detail, found_at AS foundAt, state, settled_at AS settledAt, settled_by AS settledBy, settled_note AS settledNote`;

/** Stores losses of restores and managers' decisions on them. Losses of several restores may be open for the same order. */
export function createLossStore(db: Db) {
  const insert = db.prepare<Record<string, unknown>>(`
    INSERT INTO losses (kind, pos_reference, version, sources, known_at, known_by, body, checksum, detail, found_at, state)
    VALUES (@kind, @posReference, @version, @sources, @knownAt, @knownBy, @body, @checksum, @detail, @foundAt, @state)`);
  const renew = db.prepare<Record<string, unknown>>(`
    UPDATE losses SET kind = @kind, version = @version, sources = @sources, known_at = @knownAt, known_by = @knownBy,
      body = @body, checksum = @checksum, detail = @detail, state = @state
    WHERE id = @id`);
  const setSources = db.prepare<{ id: number; sources: string }>("UPDATE losses SET sources = @sources WHERE id = @id");
  const get = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM losses WHERE id = ?`);
  const findByState = db.prepare<{ posReference: string; state: "open" | "noted" }, Row>(
    `SELECT ${COLUMNS} FROM losses WHERE pos_reference = @posReference AND state = @state ORDER BY version DESC LIMIT 1`,
  );
  const settledVersion = db.prepare<[string], { version: number | null }>(
    "SELECT max(version) AS version FROM losses WHERE pos_reference = ? AND state NOT IN ('open', 'noted')",
  );
  const countOpen = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM losses WHERE state = 'open'");
  const countSettled = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM losses WHERE state NOT IN ('open', 'noted')",
  );
  const countOpenBySource = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM losses WHERE state = 'open' AND instr(sources, ?) > 0",
  );
  const offered = db.prepare<["open" | "noted"], { count: number; bytes: number }>(`
    SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes FROM losses
    WHERE state = ? AND (sources LIKE '["terminal:%' OR sources LIKE '["headquarters"%')`);
  const listOpen = db.prepare<{ below: number; limit: number }, Row>(`
    SELECT ${COLUMNS} FROM losses WHERE state = 'open' AND id < @below ORDER BY id DESC LIMIT @limit`);
  const listSettled = db.prepare<{ below: number; limit: number }, Row>(`
    SELECT ${COLUMNS} FROM losses WHERE state NOT IN ('open', 'noted') AND id < @below ORDER BY id DESC LIMIT @limit`);
  const settle = db.prepare<{ id: number; state: string; at: number; by: string; note: string | null }>(`
    UPDATE losses SET state = @state, settled_at = @at, settled_by = @by, settled_note = @note
    WHERE id = @id AND state = 'open'`);
  const listRestores = db.prepare<[number], RestoreRow>(`
    SELECT at, cause, by_name AS "by", backup, replaced, replaced_read AS read FROM restores ORDER BY id DESC LIMIT ?`);

  function columnsOf({ order, backOffice, mergedInto = [], sources, ...loss }: NewLoss) {
    const body = order === null ? null : JSON.stringify(order);
    return {
      ...loss,
      sources: JSON.stringify(sources),
      body,
      checksum: body === null ? null : crc32(body),
      detail: backOffice !== undefined || mergedInto.length > 0 ? JSON.stringify({ backOffice, mergedInto }) : null,
    };
  }

  return {
    add: (tx: Tx, loss: NewLoss, state: "open" | "noted" = "open"): number =>
      Number(insert.run({ ...columnsOf(loss), foundAt: tx.now, state }).lastInsertRowid),
    /** Replaces the content and state of a loss. */
    renew: (id: number, loss: NewLoss, state: "open" | "noted" = "open"): void =>
      void renew.run({ ...columnsOf(loss), id, state }),
    addSource({ id, sources }: LossRow, source: string): void {
      if (!sources.includes(source) && sources.length < MAX_SOURCES)
        setSources.run({ id, sources: JSON.stringify([...sources, source]) });
    },
    get: (id: number): LossRow | null => readRow(get.get(id), read),
    findOpen: (posReference: string): LossRow | null => readRow(findByState.get({ posReference, state: "open" }), read),
    /** The note on a finished order that is not missing, or null. */
    findNoted: (posReference: string): LossRow | null =>
      readRow(findByState.get({ posReference, state: "noted" }), read),
    /** The highest version of an order that was taken over or dismissed; 0 if none. */
    settledVersion: (posReference: string): number => settledVersion.get(posReference)?.version ?? 0,
    countOpen: (): number => countOpen.get()?.n ?? 0,
    countSettled: (): number => countSettled.get()?.n ?? 0,
    countOpenBySource: (source: string): number => countOpenBySource.get(JSON.stringify(source))?.n ?? 0,
    /** Count and size (bytes) of losses whose first source is a terminal or headquarters. */
    offered: (state: "open" | "noted"): { count: number; bytes: number } =>
      offered.get(state) ?? { count: 0, bytes: 0 },
    /** Losses below an id, newest first. */
    list: (state: "open" | "settled", below: number, limit: number): LossRow[] =>
      (state === "open" ? listOpen : listSettled).all({ below, limit }).map(read),
    /** Returns false if the loss is not open. */
    settle: (tx: Tx, id: number, state: Exclude<LossState, "open">, by: string, note: string | null): boolean =>
      settle.run({ id, state, at: tx.now, by, note }).changes === 1,
    /** The last restores, newest first. */
    listRestores: (limit: number): RestoreRow[] => listRestores.all(limit),
  };
}

function read({ sources, body, checksum, detail, ...row }: Row): LossRow {
  const isSound = body !== null && crc32(body) === checksum;
  const { backOffice = null, mergedInto = [] } = parseColumn<Detail>(detail ?? "{}", {});
  return {
    ...row,
    sources: parseColumn<string[]>(sources, []),
    order: isSound ? (JSON.parse(body) as StoredOrder) : null,
    backOffice,
    mergedInto,
  };
}

type Detail = Partial<Pick<NewLoss, "backOffice" | "mergedInto">>;
