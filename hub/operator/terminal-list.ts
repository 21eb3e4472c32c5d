import type { OperatorTerminal } from "@comanda/protocol";
import type { LeaseBook } from "../leases/lease-book.ts";
import type { ActiveTerminal, TerminalSession } from "../terminals/terminal-session.ts";
import type { KnownTerminal, TerminalStore } from "../terminals/terminal-store.ts";
import { isoTime, type World } from "../world.ts";

export type TerminalBook = ReturnType<typeof createTerminalList>;

interface Connected {
  session: TerminalSession;
  active: ActiveTerminal;
}

/** Every terminal that the hub has met: the connected ones as they are, the others as they were last seen. */
export function createTerminalList(deps: {
  world: World;
  store: TerminalStore;
  connected: () => Connected[];
  leases: LeaseBook;
  graceMs: number;
}) {
  const { world, store, connected, leases, graceMs } = deps;

  function list(): OperatorTerminal[] {
    const here = new Map(connected().map((each) => [each.active.terminalId, each]));
    const held = Map.groupBy(leases.list(), (lease) => lease.terminalId);
    const known = store.list();
    const strangers = [...here.values()].filter(
      ({ active }) => !known.some((row) => row.terminalId === active.terminalId),
    );
    const leasesOf = (id: string) => (held.get(id) ?? []).map((lease) => lease.posReference);
    return [
      ...known.map((row) => {
        const present = here.get(row.terminalId);
        return present === undefined
          ? away(row, leasesOf(row.terminalId))
          : connectedTerminal(present, row, leasesOf(row.terminalId));
      }),
      ...strangers.map((each) => connectedTerminal(each, null, leasesOf(each.active.terminalId))),
    ];
  }

  function connectedTerminal(
    { session, active }: Connected,
    row: KnownTerminal | null,
    leased: string[],
  ): OperatorTerminal {
    const { identity, outbox } = active;
    const heardMsAgo = Math.max(0, world.clock.monotonic() - session.lastHeardAt());
    const lastSeenAt = isoTime(Math.round(world.clock.now() - heardMsAgo));
    return {
      terminalId: active.terminalId,
      user: { id: identity.userId, name: identity.userName, role: identity.role },
      state: "connected",
      offlineIdentity: active.offline,
      slow: active.isBehind,
      clientVersion: active.clientVersion,
      protocolVersion: active.protocolVersion,
      address: session.address,
      connectedAt: isoTime(active.connectedAt),
      lastSeenAt,
      pingMs: session.pingMs(),
      clockOffsetMs: -active.clock.offsetMs(),
      presence: Object.keys(active.presence).length === 0 ? null : active.presence,
      outbox:
        outbox === undefined
          ? null
          : {
              pending: outbox.pending,
              oldestAt: outbox.oldestAt ?? null,
              reportedAt: isoTime(row?.lastSeenAt ?? active.connectedAt),
            },
      leases: leased,
    };
  }

  function away(row: KnownTerminal, leased: string[]): OperatorTerminal {
    const isGrace = world.clock.now() - row.lastSeenAt < graceMs;
    return {
      terminalId: row.terminalId,
      user: { id: row.userId, name: row.userName, role: row.role },
      state: isGrace ? "grace" : "away",
      offlineIdentity: false,
      slow: false,
      clientVersion: row.clientVersion,
      protocolVersion: row.protocolVersion,
      address: row.address,
      connectedAt: null,
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
    get: (terminalId: string): OperatorTerminal | null => list().find((each) => each.terminalId === terminalId) ?? null,
    isConnected: (terminalId: string): boolean => connected().some(({ active }) => active.terminalId === terminalId),
    /** Work that terminals have told of and not handed in, those that went dark included. */
    unsent: (): OperatorTerminal[] => list().filter((each) => each.outbox !== null && each.outbox.pending > 0),
  };
}

function outboxOf(row: KnownTerminal): OperatorTerminal["outbox"] {
  if (row.outboxPending === null) return null;
  return {
    pending: row.outboxPending,
    oldestAt: row.outboxOldestAt === null ? null : isoTime(row.outboxOldestAt),
    reportedAt: isoTime(row.lastSeenAt),
  };
}
