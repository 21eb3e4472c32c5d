import type { Lease, OperatorTerminal } from "@comanda/protocol";
import { isoTime, isoTimeOrNull, type World } from "../../platform/world.ts";
import type { ConnectedTerminal } from "../../terminals/sessions/session-registry.ts";
import type { TerminalServer } from "../../terminals/terminal-server.ts";
import type { StoredTerminal, TerminalStore } from "../../terminals/terminal-store.ts";
import type { PlaceOfOrder } from "../orders/place-of-order.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";

export type TerminalBook = ReturnType<typeof createTerminalList>;

/** All known terminals: connected ones as they are, the others as last seen. */
export function createTerminalList(deps: {
  world: World;
  leases: LeaseBook;
  store: TerminalStore;
  terminals: Pick<TerminalServer, "connected" | "find">;
  placeOfOrder: PlaceOfOrder;
  graceMs: number;
}) {
  const { world, store, terminals, leases, placeOfOrder, graceMs } = deps;

  function list(): OperatorTerminal[] {
    const connected = new Map(terminals.connected().map((each) => [each.active.terminalId, each]));
    const leasesByTerminal = Map.groupBy(leases.list(), (lease) => lease.terminalId);
    const stored = store.list().map((row) => {
      const present = connected.get(row.terminalId) ?? null;
      connected.delete(row.terminalId);
      return terminal(present, row, leasesByTerminal.get(row.terminalId) ?? []);
    });
    const unstored = [...connected].map(([terminalId, each]) =>
      terminal(each, null, leasesByTerminal.get(terminalId) ?? []),
    );
    return [...stored, ...unstored].filter((each) => each !== null);
  }

  function get(terminalId: string): OperatorTerminal | null {
    return terminal(terminals.find(terminalId), store.get(terminalId), leases.listByTerminal(terminalId));
  }

  function terminal(
    present: ConnectedTerminal | null,
    row: StoredTerminal | null,
    heldLeases: readonly Lease[],
  ): OperatorTerminal | null {
    const leased = heldLeases.map((lease) => lease.posReference);
    if (present !== null) return connectedTerminal(present, row, leased);
    return row === null ? null : away(row, leased);
  }

  function connectedTerminal(
    { session, active }: ConnectedTerminal,
    row: StoredTerminal | null,
    leased: string[],
  ): OperatorTerminal {
    const { identity, outbox } = active;
    const silentMs = Math.max(0, world.clock.monotonic() - session.lastHeardAt());
    const lastSeenAt = isoTime(Math.round(world.clock.now() - silentMs));
    return {
      terminalId: active.terminalId,
      user: { id: identity.userId, name: identity.userName, role: identity.role },
      isNew: row?.isConfirmed !== 1,
      state: "connected",
      offlineIdentity: active.offline,
      slow: active.isBehind,
      clientVersion: active.clientVersion,
      protocolVersion: active.protocolVersion,
      address: session.address,
      lastSeenAt,
      pingMs: session.pingMs(),
      clockOffsetMs: -active.clock.offsetMs(),
      presence: presenceOf(active.presence),
      outbox:
        outbox === undefined
          ? row && outboxOf(row)
          : {
              pending: outbox.pending,
              oldestAt: outbox.oldestAt ?? null,
              payments: outbox.payments ?? null,
              amount: outbox.amount ?? null,
              reportedAt: isoTime(row?.lastSeenAt ?? active.connectedAt),
            },
      leases: leased,
    };
  }

  function presenceOf(presence: ConnectedTerminal["active"]["presence"]): OperatorTerminal["presence"] {
    if (Object.keys(presence).length === 0) return null;
    const { posReference } = presence;
    return { ...presence, place: posReference === undefined ? null : placeOfOrder(posReference) };
  }

  function away(row: StoredTerminal, leased: string[]): OperatorTerminal {
    const isGrace = world.clock.now() - row.lastSeenAt < graceMs;
    return {
      terminalId: row.terminalId,
      user: { id: row.userId, name: row.userName, role: row.role },
      isNew: row.isConfirmed !== 1,
      state: isGrace ? "grace" : "away",
      offlineIdentity: false,
      slow: false,
      clientVersion: row.clientVersion,
      protocolVersion: row.protocolVersion,
      address: row.address,
      lastSeenAt: isoTime(row.lastSeenAt),
      pingMs: null,
      clockOffsetMs: row.clockOffsetMs === null ? null : -row.clockOffsetMs,
      presence: null,
      outbox: outboxOf(row),
      leases: leased,
    };
  }

  return {
    list,
    get,
    isConnected: (terminalId: string): boolean => terminals.find(terminalId) !== null,
    /** Terminals with reported unsent work, including disconnected ones. */
    unsent: (): OperatorTerminal[] => list().filter(hasUnsentWork),
  };
}

export function hasUnsentWork({ outbox }: OperatorTerminal): boolean {
  return outbox !== null && (outbox.pending > 0 || (outbox.payments ?? 0) > 0 || (outbox.amount ?? 0) !== 0);
}

function outboxOf(row: StoredTerminal): OperatorTerminal["outbox"] {
  if (row.outboxPending === null) return null;
  return {
    pending: row.outboxPending,
    oldestAt: isoTimeOrNull(row.outboxOldestAt),
    payments: row.outboxPayments,
    amount: row.outboxAmount,
    reportedAt: isoTime(row.lastSeenAt),
  };
}
