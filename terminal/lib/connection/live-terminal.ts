import type { Terminal, TerminalEvents } from "@comanda/terminal";

/** A value that is read again once something has changed, and only when somebody looks. */
export interface Live<T> {
  get(): T;
  subscribe(listener: () => void): () => void;
}

/** What the screens show of a terminal; each part is read again when one of its events says that it looks different. */
export type LiveTerminal = ReturnType<typeof watchTerminal>;

/** When what could not be read is read again, doubling. */
const FIRST_REPEAT_MS = 1_000;
const MOST_REPEAT_MS = 60_000;

export function watchTerminal(terminal: Terminal, { isKept }: { isKept: boolean }) {
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
  // Without its menu a new device shows no dish: what could not be read is read again, and the next sign-in reads all anyway.
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
    nextRead = setTimeout(() => void refresh(Math.min(afterMs * 2, MOST_REPEAT_MS)), afterMs);
  };
  terminal.on("signedIn", () => void refresh());
  terminal.on("menuVersion", () => void refresh());
  // A kitchen's screen stays on for weeks: what is learned each day comes with the shift.
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
    awaitedPins: live(["outbox", "acknowledged"], terminal.awaitedPins),
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
    /** False: the browser refuses to keep anything, and a reload loses what the hub does not have yet. */
    isKept,
    /** Since when the connection is what it is, online or not, by the hub's clock in ms. */
    connectionSince: () => line.since,
    /** Asks the hub who may use a PIN here; rejects when it refuses. */
    refreshPeople,
  };
}

/**
 * `watch` is called while somebody looks, and no longer: for an event that nobody listens to the terminal computes nothing,
 * and with hundreds of checks that is most of what a tap on a tile costs.
 */
function createLive<T>(read: () => T, watch: (changed: () => void) => () => void = () => () => {}) {
  const listeners = new Set<() => void>();
  let kept: { value: T } | null = null;
  let stop = () => {};
  const changed = () => {
    kept = null;
    for (const listener of listeners) listener();
  };
  return {
    get(): T {
      if (kept === null) {
        kept = { value: read() };
        // Nobody says when it changes yet.
        if (listeners.size === 0) queueMicrotask(() => (kept = listeners.size === 0 ? null : kept));
      }
      return kept.value;
    },
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        kept = null;
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
