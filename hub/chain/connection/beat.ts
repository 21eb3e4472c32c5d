import type { Overview } from "@comanda/protocol";
import { CHAIN_VERSION, type ChainBeat } from "@comanda/protocol/chain.ts";
import type { World } from "../../platform/world.ts";

const EVERY_MS = 10_000;
/** Shortest interval between two reads of the state while it changes. */
const CHECK_MS = 2_000;
const MAX_BYTES = 2_048;
/** Fields whose change alone does not trigger a beat. */
const ALWAYS_ANOTHER: ReadonlySet<string> = new Set([
  "at",
  "seq",
  "freeDiskBytes",
  "clockOffMs",
] satisfies (keyof ChainBeat)[]);

/** What a beat contains beside the overview. */
export interface BeatExtras {
  /** Newest change that headquarters receive. */
  seq: number;
  paidChecks: number;
  clockOffMs: number | null;
}

/** Reduces the overview to the few fields that headquarters watch continuously. */
export function beatOf(overview: Overview, { seq, paidChecks, clockOffMs }: BeatExtras): ChainBeat {
  const { hub, terminals, orders, kitchen, forward, fiscal, detail } = overview;
  const { pending, attention, setAside, oldestAt } = forward;
  return {
    v: CHAIN_VERSION,
    at: overview.at,
    version: hub.version,
    startedAt: hub.startedAt,
    seq,
    status: overview.status,
    reasons: overview.reasons.slice(0, 20),
    sessionOpen: overview.sessionOpen === true,
    terminals: { connected: terminals.connected, away: terminals.away },
    openChecks: orders.active,
    openTotal: detail?.openTotal ?? 0,
    paidChecks,
    paidTotal: detail?.paidTotal ?? 0,
    unsent: pending + attention + setAside,
    unsentSince: oldestAt,
    kitchen: { open: kitchen.open, late: kitchen.late },
    fiscal: (fiscal.sequences ?? [])
      .slice(0, 20)
      .map(({ type, left, expiresOn }) => ({ type, remaining: left, expiresOn })),
    lastBackupAt: overview.lastBackupAt,
    freeDiskBytes: overview.disk.freeBytes,
    lossesOpen: overview.losses,
    clockOffMs,
  };
}

/** Sends headquarters a beat every 10 s, and soon after the hub's state changes. */
export function createPresence(deps: { world: World; read(): ChainBeat; isUp(): boolean; send(beat: string): void }) {
  const { world } = deps;
  let timer: NodeJS.Timeout | undefined;
  let checkTimer: NodeJS.Timeout | undefined;
  let last = "";

  function beat(onlyIfChanged: boolean): void {
    if (!deps.isUp()) return;
    try {
      const read = deps.read();
      const digest = JSON.stringify(read, (key, value: unknown) => (ALWAYS_ANOTHER.has(key) ? undefined : value));
      if (onlyIfChanged && digest === last) return;
      last = digest;
      const text = JSON.stringify(read);
      deps.send(
        text.length <= MAX_BYTES ? text : JSON.stringify({ ...read, fiscal: [], reasons: read.reasons.slice(0, 5) }),
      );
    } catch (error) {
      world.log.warn({ err: error }, "headquarters could not be told that this hub is there");
    }
  }

  function tick(): void {
    beat(false);
    timer = world.timers.setTimeout(tick, EVERY_MS);
  }

  function stop(): void {
    world.timers.clearTimeout(timer);
    world.timers.clearTimeout(checkTimer);
    checkTimer = undefined;
  }

  return {
    /** Called when the connection is up: sends a beat at once. */
    onUp(): void {
      stop();
      tick();
    },
    /** Called when something changed. */
    wake(): void {
      if (checkTimer !== undefined || !deps.isUp()) return;
      checkTimer = world.timers.setTimeout(() => {
        checkTimer = undefined;
        beat(true);
      }, CHECK_MS);
    },
    stop,
  };
}
