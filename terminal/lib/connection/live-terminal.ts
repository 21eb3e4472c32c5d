import type { Terminal, TerminalEvents } from "@comanda/terminal";

/** A value that is read again after a change, and only while it is used. */
export interface Live<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

/** The terminal's state for the screens; each part is read again after one of its events. */
export type LiveTerminal = ReturnType<typeof watchTerminal>;

/** Delay before failed reads are repeated, doubling each time. */
const FIRST_REPEAT_MS = 1_000;
const MAX_REPEAT_MS = 60_000;

export function watchTerminal(terminal: Terminal, { isPersistent }: { isPersistent: boolean }) {
  let line = { isOnline: false, since: terminal.now() };
  terminal.on("connection", ({ name }) => {
    const isOnline = name === "online";
    if (isOnline !== line.isOnline) line = { isOnline, since: terminal.now() };
  });
  const live = <T>(names: readonly (keyof TerminalEvents)[], read: () => T): Live<T> =>
    createLive(read, (changed) => {
      const offs = names.map((name) => terminal.on(name, changed));
      return () => {
        for (const off of offs) off();
      };
    });
  const menu = createLive(terminal.menu);
  const floors = createLive(terminal.floors);
  const learned = createLive(terminal.learned);
  const people = createLive(terminal.people);
  const refreshPeople = () => terminal.loadPeople().then(people.changed);
  let nextRead: ReturnType<typeof setTimeout> | undefined;
  // Without its menu a new device shows no dish, so failed reads are repeated. The next sign-in reads everything anyway.
  const refresh = async (afterMs = FIRST_REPEAT_MS) => {
    clearTimeout(nextRead);
    const reads = await Promise.allSettled([
      terminal.loadMenu().then(menu.changed),
      terminal.loadFloors().then(floors.changed),
      terminal.loadLearned().then(learned.changed),
      refreshPeople(),
    ]);
    const isAll = reads.every(({ status }) => status === "fulfilled");
    if (isAll || terminal.connection().name !== "online") return;
    clearTimeout(nextRead);
    nextRead = setTimeout(() => void refresh(Math.min(afterMs * 2, MAX_REPEAT_MS)), afterMs);
  };
  terminal.on("signedIn", () => void refresh());
  terminal.on("menuVersion", () => void refresh());
  // A kitchen's screen stays on for weeks, so the hub's daily learning is loaded with each session.
  terminal.on("session", () => void terminal.loadLearned().then(learned.changed, () => {}));
  return {
    terminal,
    orders: live(["orders"], terminal.orders),
    tables: live(["tables", "orders"], terminal.tables),
    tickets: live(["tickets"], terminal.tickets),
    recentTickets: live(["tickets"], terminal.recentTickets),
    itemStates: live(["itemStates"], terminal.itemStates),
    tills: live(["tills"], terminal.tills),
    bookings: live(["reservations"], () => terminal.reservations().bookings),
    waiting: live(["plugins"], terminal.waiting),
    connection: live(["connection"], terminal.connection),
    outbox: live(["outbox", "orders", "acknowledged", "conflict"], terminal.outbox),
    conflicts: live(["outbox", "orders", "acknowledged", "conflict"], terminal.conflicts),
    formerChecks: live(["formerChecks"], terminal.formerChecks),
    pendingPins: live(["outbox", "acknowledged"], terminal.pendingPins),
    presence: live(["presence", "connection"], terminal.presence),
    actor: live(["actor", "signedIn"], terminal.actor),
    signedIn: live(["signedIn"], terminal.signedIn),
    session: live(["session", "signedIn"], terminal.session),
    hubStatus: live(["hubStatus"], terminal.hubStatus),
    printJobs: live(["printJobs"], terminal.printJobs),
    menu,
    floors,
    learned,
    people,
    /** False if the browser stores nothing: a reload then loses what the hub does not have yet. */
    isPersistent,
    /** When the connection last went online or offline, by the hub's clock in ms. */
    connectionSince: () => line.since,
    /** Loads the people who may use a PIN here. Rejects if the hub refuses. */
    refreshPeople,
  };
}

/**
 * `watch` is only called while there are listeners. The terminal computes nothing for an event without listeners, and with
 * hundreds of checks such reads are most of the cost of a tap on a tile.
 */
function createLive<T>(read: () => T, watch: (changed: () => void) => () => void = () => () => {}) {
  const listeners = new Set<() => void>();
  let cached: { value: T } | null = null;
  let stop = () => {};
  const changed = () => {
    cached = null;
    for (const listener of listeners) listener();
  };
  return {
    get(): T {
      if (cached === null) {
        cached = { value: read() };
        // Without listeners no event reports a change, so the value is only kept for this turn.
        if (listeners.size === 0) queueMicrotask(() => (cached = listeners.size === 0 ? null : cached));
      }
      return cached.value;
    },
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        cached = null;
        stop = watch(changed);
      }
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
    changed,
  };
}
