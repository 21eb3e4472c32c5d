import { crc32 } from "node:zlib";
import {
  ForwardState,
  isActive,
  type Snapshot,
  type StoredOrder,
  type VersionKind as OperatorVersionKind,
} from "@comanda/protocol";
import type { ChangeOf, OrderEvent, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { DamagedPack } from "../db/pack.ts";
import { parseColumn } from "../db/parse-column.ts";
import { createVersionChains } from "../db/version-chains.ts";
import { HubError } from "../platform/errors.ts";
import { sqlTime } from "../platform/world.ts";
import { createRecentOrders } from "./recent-orders.ts";
import { BODY, isSoundBody, readShowableBody, type Body } from "./stored-body.ts";

/** What a version did; only `content` kinds count in a terminal's conflict rule. */
export type VersionKind = Exclude<OperatorVersionKind, "discarded">;

const kitchenKinds: ReadonlySet<VersionKind> = new Set<VersionKind>(["sent", "seen", "bumped"]);

/** A new version of an order, before it is stored. */
export interface OrderWrite {
  posReference: string;
  snapshot: Snapshot;
  kind: VersionKind;
  origin: string;
  userName: string | null;
  /** The stored order that this version follows; null for a new one. */
  previous: StoredOrder | null;
  forward?: ForwardState;
}

export interface VersionRow {
  version: number;
  origin: string;
  userName: string | null;
  kind: VersionKind;
  at: number;
}

/** The mark that a discarded check leaves; its last content is the version before. */
export interface RemovedOrder {
  version: number;
  origin: string;
  reason: string | null;
  removedAt: number;
}

export interface OrderHead {
  posReference: string;
  version: number;
}

export type OrderStore = ReturnType<typeof createOrderStore>;

interface BodyRow extends Body {
  id: number;
  forward: string;
}

/** So many versions are remembered to be fit for a list. */
const SHOWABLE_KEPT = 20_000;

/** The newest bodies of orders, which are named `o`. */
function selectBody(orders: string): string {
  return `SELECT v.id AS id, ${BODY} AS body, v.checksum AS checksum, o.forward AS forward
    FROM ${orders} o JOIN order_versions v ON v.id = o.body_id`;
}

/** The few orders that are active: left to itself the planner may walk all there are, to have them in their order. */
const ACTIVE_ORDERS = "orders INDEXED BY order_active";

/** Those and what was finished since then, as two short lists: by `OR` the planner would walk all there are. */
const CURRENT_ORDERS = `(
  SELECT body_id, forward, seq FROM ${ACTIVE_ORDERS} WHERE is_active = 1
  UNION ALL SELECT body_id, forward, seq FROM orders INDEXED BY order_resting
  WHERE is_active = 0 AND packing IN (0, 1, 2) AND updated_at >= ?)`;

/**
 * Orders, every version of them, and the marks of removed ones. Rows stay in here; `onDamage` hears of one that does not
 * match its checksum, or that no reader could make sense of, in words.
 */
export function createOrderStore(db: Db, onDamage: (what?: string) => void = () => {}) {
  // As subselects: a join with a parameter is planned anew at each call.
  const newest = db.prepare<[string], Body>(`
    SELECT ${BODY} AS body, checksum FROM order_versions v
    WHERE id = (SELECT body_id FROM orders WHERE pos_reference = ?)`);
  const newestIf = db.prepare<{ posReference: string; version: number }, Body>(`
    SELECT ${BODY} AS body, checksum FROM order_versions v
    WHERE id = (SELECT body_id FROM orders WHERE pos_reference = @posReference) AND version = @version`);
  const newestVersion = db.prepare<[string], { version: number }>("SELECT version FROM orders WHERE pos_reference = ?");
  const get = db.prepare<[string], BodyRow>(`${selectBody("orders")} WHERE o.pos_reference = ?`);
  const insertVersion = db.prepare<{
    posReference: string;
    version: number;
    origin: string;
    userName: string | null;
    kind: string;
    isContent: number;
    at: number;
    body: string;
    checksum: number;
  }>(`
    INSERT INTO order_versions
      (pos_reference, version, origin, user_name, kind, is_content, at, body, checksum, previous_id)
    VALUES (@posReference, @version, @origin, @userName, @kind, @isContent, @at, @body, @checksum,
      (SELECT body_id FROM orders WHERE pos_reference = @posReference))`);
  const upsert = db.prepare<{
    posReference: string;
    version: number;
    bodyId: number | bigint;
    seq: number;
    status: string;
    isActive: number;
    tableId: number | null;
    checkNumber: number | null;
    orderType: string;
    searchText: string;
    updatedAt: number;
    forward: string;
  }>(`
    INSERT INTO orders (pos_reference, version, body_id, seq, status, is_active, table_id, check_number, order_type,
      search_text, updated_at, forward)
    VALUES (@posReference, @version, @bodyId, @seq, @status, @isActive, @tableId, @checkNumber, @orderType,
      @searchText, @updatedAt, @forward)
    ON CONFLICT (pos_reference) DO UPDATE SET
      version = excluded.version, body_id = excluded.body_id, seq = excluded.seq, status = excluded.status,
      is_active = excluded.is_active, table_id = excluded.table_id, check_number = excluded.check_number,
      order_type = excluded.order_type, search_text = excluded.search_text, updated_at = excluded.updated_at,
      forward = excluded.forward, packing = 0`);
  // The everyday edit leaves these columns out, so that the indexes over the others are not touched.
  const update = db.prepare<{
    posReference: string;
    version: number;
    bodyId: number | bigint;
    seq: number;
    status: string;
    updatedAt: number;
    forward: string;
  }>(`
    UPDATE orders SET version = @version, body_id = @bodyId, seq = @seq, status = @status, updated_at = @updatedAt,
      forward = @forward, packing = 0
    WHERE pos_reference = @posReference`);
  const statusOf = db.prepare<[string], { status: Snapshot["status"] }>(
    "SELECT status FROM orders WHERE pos_reference = ?",
  );
  const seqOf = db.prepare<[string], { seq: number }>("SELECT seq FROM orders WHERE pos_reference = ?");
  const setForward = db.prepare<{ posReference: string; forward: string; seq: number }>(
    "UPDATE orders SET forward = @forward, seq = @seq WHERE pos_reference = @posReference",
  );
  // It is asked about orders that take changes, and those are never packed.
  const otherWriter = db.prepare<{ posReference: string; above: number; writer: string; contentOnly: number }>(`
    WITH RECURSIVE later (version, origin, is_content, previous_id) AS (
      SELECT version, origin, is_content, previous_id FROM order_versions
      WHERE id = (SELECT body_id FROM orders WHERE pos_reference = @posReference) AND version > @above
      UNION ALL
      SELECT v.version, v.origin, v.is_content, v.previous_id
      FROM later JOIN order_versions v ON v.id = later.previous_id WHERE v.version > @above)
    SELECT 1 FROM later WHERE origin <> @writer AND is_content >= @contentOnly LIMIT 1`);
  const deleteOrder = db.prepare<[string]>("DELETE FROM orders WHERE pos_reference = ?");
  const insertRemoved = db.prepare<{
    posReference: string;
    version: number;
    seq: number;
    origin: string;
    reason: string | null;
    at: number;
  }>(`
    INSERT INTO removed_orders (pos_reference, version, last_id, seq, origin, reason, removed_at,
      search_text, check_number, table_id, order_type)
    SELECT @posReference, @version, body_id, @seq, @origin, @reason, @at, search_text, check_number, table_id, order_type
    FROM orders WHERE pos_reference = @posReference`);
  const getRemoved = db.prepare<[string], RemovedOrder>(`
    SELECT version, origin, reason, removed_at AS removedAt FROM removed_orders WHERE pos_reference = ?`);
  const activeOnTable = db.prepare<[number], { posReference: string; checkNumber: number | null }>(`
    SELECT pos_reference AS posReference, check_number AS checkNumber FROM orders
    WHERE table_id = ? AND is_active = 1 ORDER BY seq`);
  const activeReferences = db.prepare<[], { posReference: string }>(
    `SELECT pos_reference AS posReference FROM ${ACTIVE_ORDERS} WHERE is_active = 1`,
  );
  const activeHeads = db.prepare<[], OrderHead>(
    `SELECT pos_reference AS posReference, version FROM ${ACTIVE_ORDERS} WHERE is_active = 1 ORDER BY seq DESC`,
  );
  const countActive = db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${ACTIVE_ORDERS} WHERE is_active = 1`);
  const changedSince = db.prepare<[number], BodyRow>(`${selectBody("orders")} WHERE o.seq > ? ORDER BY o.seq`);
  const countChanged = db.prepare<{ seq: number; most: number }, { n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM orders WHERE seq > @seq LIMIT @most)",
  );
  const current = db.prepare<[number], BodyRow>(`${selectBody(CURRENT_ORDERS)} ORDER BY o.seq`);
  const countCurrent = db.prepare<[number], { n: number }>(`SELECT count(*) AS n FROM ${CURRENT_ORDERS}`);
  const removedSince = db.prepare<[number], { posReference: string }>(
    "SELECT pos_reference AS posReference FROM removed_orders WHERE seq > ? ORDER BY seq",
  );
  const newestId = db.prepare<{ posReference: string }, { id: number }>(`
    SELECT body_id AS id FROM orders WHERE pos_reference = @posReference
    UNION ALL SELECT last_id FROM removed_orders WHERE pos_reference = @posReference`);
  const lastContent = db.prepare<{ posReference: string }, Body>(`
    SELECT ${BODY} AS body, checksum FROM order_versions v
    WHERE id = (SELECT body_id FROM orders WHERE pos_reference = @posReference
      UNION ALL SELECT last_id FROM removed_orders WHERE pos_reference = @posReference)`);
  const chains = createVersionChains(db);
  const insertTaking = db.prepare<{ posReference: string; at: number; total: number; payments: string }>(`
    INSERT OR REPLACE INTO takings (at, pos_reference, total, payments) VALUES (@at, @posReference, @total, @payments)`);
  const ticketOwner = db.prepare<[string], { posReference: string }>(
    "SELECT pos_reference AS posReference FROM kitchen_tickets WHERE ticket_id = ?",
  );
  const insertTicket = db.prepare<[string, string]>(
    "INSERT INTO kitchen_tickets (ticket_id, pos_reference) VALUES (?, ?)",
  );

  const setFloor = db.prepare<{ posReference: string; version: number }>(`
    INSERT INTO version_floors (pos_reference, version) VALUES (@posReference, @version)
    ON CONFLICT (pos_reference) DO UPDATE SET version = max(version, excluded.version)`);
  const floorOf = db.prepare<[string], { version: number }>(
    "SELECT version FROM version_floors WHERE pos_reference = ?",
  );

  const recent = createRecentOrders();

  /** Versions that a restore has lost were told to others: none of them is given again. */
  function versionAfter(posReference: string, previous: StoredOrder | null): number {
    return Math.max(previous?.version ?? 0, floorOf.get(posReference)?.version ?? 0) + 1;
  }

  /** Money depends on these rows: a body whose bits flipped is an error, never an answer. */
  function parseBody(row: Body): StoredOrder {
    if (isSound(row)) return JSON.parse(row.body) as StoredOrder;
    throw new Error("a stored order does not match its checksum");
  }

  function isSound(row: Body): boolean {
    return isSoundBody(row, onDamage);
  }

  /** Versions that were found fit for a list. The checksum guards against a number that an undone write had before. */
  const showable = new Set<string>();

  function readShowable(row: Body): StoredOrder | null {
    return readShowableBody(row, onDamage);
  }

  function readForward(row: Pick<BodyRow, "forward">): ForwardState | null {
    const forward = ForwardState.safeParse(parseColumn<unknown>(row.forward, null));
    if (!forward.success) onDamage(`the forward state of an order cannot be read: ${row.forward.slice(0, 160)}`);
    return forward.success ? forward.data : null;
  }

  /** One damaged order must not keep the others from anybody. */
  function fitToShow<R extends BodyRow>(rows: R[]): R[] {
    return rows.filter((row) => {
      if (!isSound(row) || readForward(row) === null) return false;
      const key = `${row.id} ${row.checksum}`;
      if (showable.has(key)) return true;
      if (readShowable(row) === null) return false;
      if (showable.size >= SHOWABLE_KEPT) showable.clear();
      showable.add(key);
      return true;
    });
  }

  /** Reads the versions of an order that is stored or was discarded; `nothing` where there is none. */
  function readChain<T>(posReference: string, read: (id: number) => T, nothing: T): T {
    const row = newestId.get({ posReference });
    if (row === undefined) return nothing;
    try {
      return read(row.id);
    } catch (error) {
      if (error instanceof DamagedPack) onDamage();
      throw error;
    }
  }

  /** A version's JSON; the newest one is asked for most often, and found without following the chain. */
  function bodyOf(posReference: string, version: number): Body | null {
    const newestRow = newestIf.get({ posReference, version });
    return newestRow ?? readChain(posReference, (id) => chains.find(id, version), null);
  }

  /** A version and its JSON as it is stored, or null. */
  function versionText(posReference: string, version: number): { order: StoredOrder; text: string } | null {
    const row = bodyOf(posReference, version);
    return row === null ? null : { order: parseBody(row), text: row.body };
  }

  return {
    /** The stored order without its forward state, or null. */
    get(posReference: string): StoredOrder | null {
      const known = recent.get(posReference);
      if (known !== undefined) return known;
      const row = newest.get(posReference);
      return row === undefined ? null : parseBody(row);
    },

    /** The stored order as it is now: `known` itself where that is its newest version. */
    renew(known: StoredOrder): StoredOrder | null {
      return newestVersion.get(known.posReference)?.version === known.version ? known : this.get(known.posReference);
    },

    /** Why an order takes no changes any more: paid, closed or discarded; null while it does, or is not known. */
    whyFinished(posReference: string): HubError | null {
      const row = statusOf.get(posReference);
      if (row !== undefined && isActive(row.status)) return null;
      if (row !== undefined) return new HubError("ORDER_LOCKED", "this check is paid");
      return getRemoved.get(posReference) === undefined ? null : new HubError("NOT_FOUND", "this check was discarded");
    },

    exists: (posReference: string): boolean => statusOf.get(posReference) !== undefined,

    /** To be told first of what each commit made durable. */
    noteCommitted: recent.note,

    /** The stored order as terminals and the operator API see it, or null. */
    getWithForward(posReference: string): StoredOrder | null {
      const row = get.get(posReference);
      return row === undefined ? null : { ...parseBody(row), forward: JSON.parse(row.forward) as ForwardState };
    },

    /** The stored order with its forward state as a list shows it; null when there is none, or none that can be shown. */
    shown(posReference: string): StoredOrder | null {
      const row = get.get(posReference);
      if (row === undefined) return null;
      const [order, forward] = [readShowable(row), readForward(row)];
      return order === null || forward === null ? null : { ...order, forward };
    },

    /** A version as a list shows it; null when it is missing or cannot be shown. */
    shownVersion(posReference: string, version: number): StoredOrder | null {
      const row = bodyOf(posReference, version);
      return row === null ? null : readShowable(row);
    },

    /** Stores a new version and says what changed; the caller emits it. */
    save(tx: Tx, write: OrderWrite): ChangeOf<"order.stored"> {
      recent.forget(write.posReference);
      const version = versionAfter(write.posReference, write.previous);
      const { snapshot } = write;
      const head = {
        posReference: write.posReference,
        version,
        tableId: snapshot.tableId,
        terminalId: write.origin,
        createdAt: write.previous?.createdAt ?? sqlTime(tx.now),
        updatedAt: sqlTime(tx.now),
      };
      const order: StoredOrder = { ...head, snapshot };
      const snapshotJson = JSON.stringify(snapshot);
      const body = `${JSON.stringify(head).slice(0, -1)},"snapshot":${snapshotJson}}`;
      const forward = JSON.stringify(write.forward ?? { state: "none" });
      const bodyId = insertVersion.run({
        posReference: write.posReference,
        version,
        origin: write.origin,
        userName: write.userName,
        kind: write.kind,
        isContent: kitchenKinds.has(write.kind) ? 0 : 1,
        at: tx.now,
        body,
        checksum: crc32(body),
      }).lastInsertRowid;
      const seq = tx.nextSeq();
      const row = {
        posReference: write.posReference,
        version,
        bodyId,
        seq,
        status: snapshot.status,
        updatedAt: tx.now,
        forward,
      };
      const place = placeOf(snapshot);
      if (write.previous !== null && isSamePlace(placeOf(write.previous.snapshot), place)) update.run(row);
      else upsert.run({ ...row, ...place });
      if (write.kind === "paid") {
        const { totals, payments = [] } = snapshot;
        const { posReference } = write;
        insertTaking.run({ posReference, at: tx.now, total: totals.total, payments: JSON.stringify(payments) });
      }
      const wire = spliceForward(body, forward);
      const { kind: did, origin } = write;
      return { kind: "order.stored", seq, event: eventOf(did), did, origin, order, wire, snapshotJson };
    },

    /** Changes only where the order stands on its way to the back-office: no new version. */
    saveForward(tx: Tx, posReference: string, state: ForwardState): ChangeOf<"order.stored"> | null {
      const row = get.get(posReference);
      if (row === undefined || !isSound(row)) return null;
      recent.forget(posReference);
      const forward = JSON.stringify(state);
      const seq = tx.nextSeq();
      setForward.run({ posReference, forward, seq });
      const order = parseBody(row);
      const wire = spliceForward(row.body, forward);
      const snapshotJson = JSON.stringify(order.snapshot);
      const origin = order.terminalId;
      return { kind: "order.stored", seq, event: "forwarded", did: null, origin, order, wire, snapshotJson };
    },

    remove(tx: Tx, order: StoredOrder, origin: string, reason: string | null): ChangeOf<"order.removed"> {
      const version = versionAfter(order.posReference, order);
      const seq = tx.nextSeq();
      recent.forget(order.posReference);
      insertRemoved.run({ posReference: order.posReference, version, seq, origin, reason, at: tx.now });
      deleteOrder.run(order.posReference);
      return { kind: "order.removed", seq, origin, posReference: order.posReference, version, last: order };
    },

    /** No later write of this order gets a version as low as this. */
    raiseFloor: (posReference: string, version: number): void => void setFloor.run({ posReference, version }),

    /** The place of an order's newest change in the shared state. */
    seqOf: (posReference: string): number => seqOf.get(posReference)?.seq ?? 0,
    wasRemoved: (posReference: string): boolean => getRemoved.get(posReference) !== undefined,
    /** How and when a check was discarded, or null. */
    removal: (posReference: string): RemovedOrder | null => getRemoved.get(posReference) ?? null,

    /** Did someone other than `writer` write a version above `above`? */
    hasOtherWriter(posReference: string, above: number, writer: string, contentOnly: boolean): boolean {
      return otherWriter.get({ posReference, above, writer, contentOnly: contentOnly ? 1 : 0 }) !== undefined;
    },

    activeOnTable: (tableId: number) => activeOnTable.all(tableId),
    activeReferences: (): string[] => activeReferences.all().map((row) => row.posReference),
    countActive: (): number => countActive.get()?.n ?? 0,
    /** Which version of each active order is the newest, newest activity first. */
    activeHeads: (): OrderHead[] => activeHeads.all(),

    /** Whether more orders than `most` changed after `seq`. */
    hasChangedMore: (seq: number, most: number): boolean => (countChanged.get({ seq, most: most + 1 })?.n ?? 0) > most,
    /** Serialized orders changed after `seq`, oldest change first. */
    wireSince: (seq: number): string[] => fitToShow(changedSince.all(seq)).map(wireOf),
    /** How many orders `wireCurrent` answers at most. */
    countCurrent: (updatedSince: number): number => countCurrent.get(updatedSince)?.n ?? 0,
    /** Serialized orders a newcomer needs: the active ones and those written since `updatedSince` (ms). */
    wireCurrent: (updatedSince: number): string[] => fitToShow(current.all(updatedSince)).map(wireOf),
    removedSince: (seq: number): string[] => removedSince.all(seq).map((row) => row.posReference),

    /** The content of an order as it is, or as it was when it was discarded; null when there never was one. */
    lastContent(posReference: string): StoredOrder | null {
      const row = lastContent.get({ posReference });
      return row === undefined ? null : parseBody(row);
    },
    versions: (posReference: string): VersionRow[] => readChain(posReference, chains.heads, []) as VersionRow[],
    /** Every version with its content, oldest first. */
    history: (posReference: string): (VersionRow & { order: StoredOrder })[] =>
      readChain(posReference, chains.all, []).map(({ version, origin, userName, kind, at, ...row }) => ({
        version,
        origin,
        userName,
        kind: kind as VersionKind,
        at,
        order: parseBody(row),
      })),
    versionBody: (posReference: string, version: number): StoredOrder | null =>
      versionText(posReference, version)?.order ?? null,
    versionText,

    ticketOwner: (ticketId: string): string | null => ticketOwner.get(ticketId)?.posReference ?? null,
    saveTicket: (ticketId: string, posReference: string): void => void insertTicket.run(ticketId, posReference),
  };
}

/** What an order is found by; it changes seldom. */
function placeOf(snapshot: Snapshot) {
  return {
    isActive: isActive(snapshot.status) ? 1 : 0,
    tableId: snapshot.tableId,
    checkNumber: snapshot.checkNumber ?? null,
    orderType: snapshot.orderType,
    searchText: searchTextOf(snapshot),
  };
}

function isSamePlace(a: ReturnType<typeof placeOf>, b: ReturnType<typeof placeOf>): boolean {
  return (
    a.isActive === b.isActive &&
    a.tableId === b.tableId &&
    a.checkNumber === b.checkNumber &&
    a.orderType === b.orderType &&
    a.searchText === b.searchText
  );
}

/** What people look an order up by, in lower case. */
function searchTextOf({ posReference, ticketNumber, customerName, staffName }: Snapshot): string {
  return [posReference, ticketNumber, customerName, staffName].filter(Boolean).join("\n").toLowerCase();
}

function wireOf(row: BodyRow): string {
  return spliceForward(row.body, row.forward);
}

function spliceForward(body: string, forward: string): string {
  return `${body.slice(0, -1)},"forward":${forward}}`;
}

function eventOf(kind: VersionKind): OrderEvent {
  if (kind === "created") return "created";
  return kind === "paid" ? "paid" : "updated";
}
