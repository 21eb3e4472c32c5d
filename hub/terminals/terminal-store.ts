import type { OutboxReport, Role } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { digestOf } from "../keys/key-token.ts";
import { HubError } from "../platform/errors.ts";

/** What the hub stores about a terminal, connected or not. Times in ms. */
export interface StoredTerminal {
  terminalId: string;
  userId: number;
  userName: string;
  role: Role;
  clientVersion: string | null;
  protocolVersion: number;
  address: string | null;
  firstSeenAt: number;
  lastSeenAt: number;
  clockOffsetMs: number | null;
  outboxPending: number | null;
  outboxOldestAt: number | null;
  outboxPayments: number | null;
  outboxAmount: number | null;
  /** When the terminal last reported an empty outbox. */
  outboxEmptyAt: number | null;
  /** SHA-256 of the device's key, or null if it has none. */
  keyDigest: string | null;
  /** Whether a manager has signed in there or confirmed it. */
  isConfirmed: 0 | 1;
}

/** What a sign-in changes about a device. */
export interface DeviceChange {
  /** Hash of the device's new key, or null if it keeps its current key. */
  keyDigest: string | null;
  /** The new value, or null to keep the current one. */
  isConfirmed: boolean | null;
}

/** What changes about a terminal while it is connected. */
export type TerminalFacts = Omit<StoredTerminal, "firstSeenAt" | "keyDigest" | "isConfirmed">;

/** How many devices the hub stores: more than ten times what a large restaurant has. */
export const MAX_DEVICES = 500;

export type TerminalStore = ReturnType<typeof createTerminalStore>;

const COLUMNS = `terminal_id AS terminalId, user_id AS userId, user_name AS userName, role,
  client_version AS clientVersion, protocol_version AS protocolVersion, address, first_seen_at AS firstSeenAt, last_seen_at AS lastSeenAt, clock_offset_ms AS clockOffsetMs,
  outbox_pending AS outboxPending, outbox_oldest_at AS outboxOldestAt, outbox_payments AS outboxPayments,
  outbox_amount AS outboxAmount, outbox_empty_at AS outboxEmptyAt, key_digest AS keyDigest, is_confirmed AS isConfirmed`;

/** A terminal that reports no outbox keeps its last report: nothing shows that it has sent those changes. */
const FACTS = `
      user_id = @userId, user_name = @userName, role = @role, client_version = @clientVersion,
      protocol_version = @protocolVersion, address = @address, last_seen_at = @lastSeenAt,
      clock_offset_ms = @clockOffsetMs,
      outbox_pending = coalesce(@outboxPending, outbox_pending),
      outbox_oldest_at = iif(@outboxPending IS NULL, outbox_oldest_at, @outboxOldestAt),
      outbox_payments = iif(@outboxPending IS NULL, outbox_payments, @outboxPayments),
      outbox_amount = iif(@outboxPending IS NULL, outbox_amount, @outboxAmount),
      outbox_empty_at = coalesce(@outboxEmptyAt, outbox_empty_at)`;

export function createTerminalStore(db: Db) {
  const list = db.prepare<[], StoredTerminal>(`SELECT ${COLUMNS} FROM terminals ORDER BY terminal_id`);
  const get = db.prepare<[string], StoredTerminal>(`SELECT ${COLUMNS} FROM terminals WHERE terminal_id = ?`);
  const signIn = db.prepare<TerminalFacts & { keyDigest: string | null; isConfirmed: 0 | 1 | null }>(`
    INSERT INTO terminals (terminal_id, user_id, user_name, role, client_version, protocol_version, address,
      first_seen_at, last_seen_at, clock_offset_ms, outbox_pending, outbox_oldest_at, outbox_payments,
      outbox_amount, outbox_empty_at, key_digest, is_confirmed)
    VALUES (@terminalId, @userId, @userName, @role, @clientVersion, @protocolVersion, @address,
      @lastSeenAt, @lastSeenAt, @clockOffsetMs, @outboxPending, @outboxOldestAt, @outboxPayments,
      @outboxAmount, @outboxEmptyAt, @keyDigest, coalesce(@isConfirmed, 0))
    ON CONFLICT (terminal_id) DO UPDATE SET
      ${FACTS},
      key_digest = coalesce(excluded.key_digest, key_digest),
      is_confirmed = coalesce(@isConfirmed, is_confirmed)`);
  const update = db.prepare<TerminalFacts>(`UPDATE terminals SET ${FACTS} WHERE terminal_id = @terminalId`);

  const findDevice = db.prepare<[string], string>("SELECT terminal_id FROM terminals WHERE key_digest = ?").pluck();
  const confirm = db.prepare<[string]>("UPDATE terminals SET is_confirmed = 1 WHERE terminal_id = ?");
  const rename = db.prepare<{ from: string; to: string }>(
    "UPDATE terminals SET terminal_id = @to WHERE terminal_id = @from",
  );
  const remove = db.prepare<[string]>("DELETE FROM terminals WHERE terminal_id = ?");
  const count = db.prepare<[], number>("SELECT count(*) FROM terminals").pluck();
  // Confirmed devices with unsent changes stay listed. Unconfirmed ones may be made up: the user with most of them loses one
  // first, so that no user pushes out another's.
  const expendable = db
    .prepare<[], string>(
      `SELECT terminal_id FROM terminals WHERE is_confirmed = 0 OR coalesce(outbox_pending, 0) = 0
       ORDER BY is_confirmed, iif(is_confirmed, 0, count(*) OVER (PARTITION BY user_id, is_confirmed)) DESC,
         coalesce(outbox_pending, 0) > 0, last_seen_at`,
    )
    .pluck();

  const deviceOf = (key: string): string | null => findDevice.get(digestOf(key)) ?? null;

  function requireDevice(key: string): string {
    const terminalId = deviceOf(key);
    if (terminalId === null) throw new HubError("UNAUTHENTICATED", "deviceKey: this hub knows no device with this key");
    return terminalId;
  }

  return {
    list: (): StoredTerminal[] => list.all(),
    get: (terminalId: string): StoredTerminal | null => get.get(terminalId) ?? null,
    /** Returns the terminal with this device key, or null. */
    deviceOf,
    /** Returns the terminal with this device key. Throws UNAUTHENTICATED if there is none. */
    requireDevice,
    signIn: (facts: TerminalFacts, { keyDigest, isConfirmed }: DeviceChange): void =>
      void signIn.run({ ...facts, keyDigest, isConfirmed: isConfirmed === null ? null : isConfirmed ? 1 : 0 }),
    /** Marks a device as the restaurant's own; call in a transaction. Returns false if the device is unknown. */
    confirm: (terminalId: string): boolean => confirm.run(terminalId).changes === 1,
    /** Renames a device to a name that no other device has; call in a transaction. */
    rename: (from: string, to: string): void => void rename.run({ from, to }),
    /** Updates a terminal. Does nothing if it was deleted in the meantime. */
    update: (facts: TerminalFacts): void => void update.run(facts),
    /**
     * Makes room for one more device; call in a transaction. Deletes disconnected devices: first unconfirmed ones of the user
     * with the most of them, then those not seen for longest. A deleted device counts as new when it returns.
     */
    makeRoom(isConnected: (terminalId: string) => boolean): void {
      let surplus = (count.get() ?? 0) - MAX_DEVICES + 1;
      if (surplus <= 0) return;
      for (const terminalId of expendable.all()) {
        if (isConnected(terminalId)) continue;
        remove.run(terminalId);
        surplus -= 1;
        if (surplus === 0) return;
      }
    },
    forget: (terminalId: string): boolean => remove.run(terminalId).changes === 1,
  };
}

export function outboxColumns(report: OutboxReport | undefined) {
  return {
    outboxPending: report?.pending ?? null,
    outboxOldestAt: report?.oldestAt == null ? null : Date.parse(report.oldestAt),
    outboxPayments: report?.payments ?? null,
    outboxAmount: report?.amount ?? null,
  };
}
