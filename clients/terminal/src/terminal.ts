import {
  isActive,
  messageBudgets,
  OFFERS_CAPABILITY,
  type HubMessage,
  type HubMessageOf,
  type Lease,
  type LeaseHolder,
  type LeaseRole,
  type PosSession,
  type TerminalMessageInput,
} from "@comanda/protocol";
import { createEmitter } from "./emitter.ts";
import { contentOf, type OrderContent } from "./orders/order-content.ts";
import { replayOrder, type LocalOrder } from "./orders/replay-order.ts";
import { createOutbox, type Mutation, type Outbox } from "./outbox/outbox.ts";
import type { OutboxEntry } from "./outbox/outbox-entry.ts";
import { LeaseDeniedError, TerminalRefusal } from "./refusal.ts";
import { createConnection } from "./session/connection.ts";
import { createHubClock } from "./session/hub-clock.ts";
import { createPacedSender } from "./session/paced-sender.ts";
import { createRequests } from "./session/requests.ts";
import { createOffers } from "./state/offers.ts";
import { createHubState, type StateChange, type StateMessage } from "./state/hub-state.ts";
import { createLeaseBook } from "./state/lease-book.ts";
import { localTables } from "./state/local-tables.ts";
import { readReservations } from "./state/read-reservations.ts";
import type {
  HubStatus,
  SignedIn,
  Terminal,
  TerminalEvents,
  TerminalOptions,
  Whereabouts,
} from "./terminal-interface.ts";
import { realWorld } from "./world.ts";

/** By these a refusal of what has no other id is known. */
const PRESENCE_ID = "presence";
const RESYNC_ID = "resync";

/** A device's clock that moved by more against the monotonic one was set. */
const CLOCK_SET_MS = 60_000;

/** A terminal of one device. Opens the outbox (and fails when another process has it); `start` connects. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const loaded = await options.storage.load();
  return createTerminal(options, loaded);
}

function createTerminal(options: TerminalOptions, loaded: readonly OutboxEntry[]): Terminal {
  const { deviceId, storage } = options;
  const world = options.world ?? realWorld();
  const emitter = createEmitter<TerminalEvents>();
  const hub = createHubState();
  const hubClock = createHubClock(world.clock);
  const leases = createLeaseBook();
  const shown = new Map<string, LocalOrder | undefined>();
  const others = new Map<string, Whereabouts>();
  let signedIn: SignedIn | null = null;
  let session: PosSession | null = null;
  let hubStatus: HubStatus | null = null;
  let place: Pick<Whereabouts, "posReference" | "tableId"> = {};
  let timing = { heartbeatMs: 20_000, leaseTtlMs: 60_000 };
  let heartbeatSentAt = 0;
  let sentClockLead = 0;
  let resyncing = false;
  let awaitedState = false;
  let takesOffers = false;
  let cancelHeartbeat = () => {};
  let cancelPhase = () => {};

  const connection = createConnection({
    url: async () => (typeof options.url === "string" ? options.url : options.url()),
    deviceId,
    token: options.token,
    clientVersion: options.clientVersion,
    renewToken: options.renewToken ?? (async () => null),
    openSocket: options.openSocket,
    world,
    since: () => hub.since(),
    outbox: () => outbox.report(),
    clientTime: clientTimeToSend,
    events: {
      state: (state) => emitter.emit("connection", state),
      authenticated: welcome,
      message: receive,
      lost,
      // A piece of the shared state that cannot be read leaves a hole, which the next one shows.
      misunderstood: (error) => emitter.emit("trouble", { error }),
    },
  });
  const requests = createRequests(world, (message) => connection.send(message));
  const presence = createPacedSender(world, messageBudgets.presence, () => {
    connection.send({ type: "PRESENCE", ...place, requestId: PRESENCE_ID });
  });
  const resyncs = createPacedSender(world, messageBudgets.resync, () => {
    const since = hub.since();
    connection.send({ type: "RESYNC", requestId: RESYNC_ID, ...(since === undefined ? {} : { since }) });
  });
  const offers = createOffers({
    ask: (message) => requests.ask(message, "the hub did not answer an offer"),
    isTaken: () => takesOffers && connection.state().name === "online",
  });
  const outbox: Outbox = createOutbox({
    storage,
    loaded,
    world,
    hub,
    now: deviceTime,
    send(message) {
      if (connection.state().name !== "online") return false;
      // What was queued is judged by the clock that the hub knows of.
      if (Math.abs(clockLead() - sentClockLead) > CLOCK_SET_MS) heartbeat();
      return connection.send(message);
    },
    events: {
      changed: ordersChanged,
      acknowledged(entry, answer) {
        emitter.emit("acknowledged", { entry, answer });
        emitter.emit("outbox", outbox.report());
      },
      conflict: (conflict) => emitter.emit("conflict", conflict),
      trouble: (error) => emitter.emit("trouble", { error }),
    },
  });

  const terminal: Terminal = {
    deviceId,
    on: (name, listener) => emitter.on(name, listener),
    start: () => connection.start(),
    async stop() {
      connection.stop();
      cancelPhase();
      requests.stop();
      await outbox.stop();
    },
    useToken: (token) => connection.useToken(token),
    connection: () => connection.state(),
    signedIn: () => signedIn,
    session: () => session,
    hubStatus: () => hubStatus,
    now: () => hubClock.now(),
    seq: () => hub.seq(),

    orders: () => [...shownOrders()],
    order: shownOrder,
    tables: () => localTables(hub.tables(), { shown: shownOrders(), onHub: ordersPerTable() }, hubClock.now()),
    pluginRecords: () => [...hub.pluginRecords()],
    reservations: () => readReservations(hub.pluginRecords(), shownOrders(), hubClock.now()),
    presence: () => [...others.values()],

    openOrder({ posReference, ...next }) {
      if (shownOrder(posReference) !== undefined) {
        throw new TerminalRefusal("CONFLICT", `there is an order ${posReference} already`);
      }
      return enqueue({ type: "ORDER_UPSERT", posReference, base: null, next });
    },
    editOrder(posReference, edit) {
      const base = editable(posReference);
      const draft = structuredClone(base);
      return enqueue({ type: "ORDER_UPSERT", posReference, base, next: edit(draft) ?? draft });
    },
    changeOrders(changes) {
      const orders = changes.map(({ posReference, content }) => {
        const base = shownOrder(posReference) === undefined ? null : editable(posReference);
        return { posReference, base, next: content };
      });
      return enqueue({ type: "ORDER_BATCH", orders });
    },
    sendToKitchen(posReference, lineIds) {
      return enqueue({
        type: "ORDER_SEND",
        posReference,
        ...(lineIds === undefined ? {} : { lineIds: [...lineIds] }),
      });
    },
    kitchenSeen(kitchenTicketId, stationId) {
      const order = terminal
        .orders()
        .find(({ snapshot }) => snapshot.kitchenTickets?.some(({ id }) => id === kitchenTicketId));
      if (order === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no kitchen ticket ${kitchenTicketId}`);
      return enqueue({ type: "KITCHEN_SEEN", posReference: order.posReference, kitchenTicketId, stationId });
    },
    bump(posReference, lineId, preparedQuantity, kitchenItemStatus) {
      const progress = kitchenItemStatus === undefined ? { preparedQuantity } : { preparedQuantity, kitchenItemStatus };
      return enqueue({ type: "KITCHEN_BUMP", posReference, lineId, ...progress });
    },
    checkOut: (posReference) => enqueue({ type: "ORDER_CHECKOUT", ...asSeen(posReference) }),
    reopen: (posReference) => enqueue({ type: "ORDER_REOPEN", ...asSeen(posReference) }),
    pay: (posReference, payment) => enqueue({ type: "ORDER_PAY", ...asSeen(posReference), ...payment }),
    discardOrder(posReference, reason) {
      return enqueue({ type: "ORDER_DISCARD", ...asSeen(posReference), ...(reason === undefined ? {} : { reason }) });
    },

    outbox: () => outbox.report(),
    conflicts: () => outbox.conflicts(),
    retry: (id, resolved) => outbox.retry(id, resolved),
    discard: (id) => outbox.discard(id),
    idle: () => outbox.idle(),

    acquireLease,
    async releaseLease(posReference) {
      const held = leases.kept().find((lease) => lease.posReference === posReference);
      leases.forget(posReference);
      const leaseId = held === undefined ? {} : { leaseId: held.leaseId };
      refuseError(await requests.ask({ type: "LEASE_RELEASE", posReference, ...leaseId }, "lease release timed out"));
    },
    leaseHolder: (posReference) => leases.holder(posReference, deviceId, hubClock.now()),
    async lockTable(tableId, ttlMs) {
      const message: TerminalMessageInput = { type: "TABLE_LOCK", tableId, ...(ttlMs === undefined ? {} : { ttlMs }) };
      const answer = refuseError(await requests.ask(message, "table lock request timed out"));
      if (answer.type === "TABLE_LOCK_DENIED") {
        throw new TerminalRefusal("LEASE_HELD", `table ${tableId} is locked by ${answer.lock.userName}`);
      }
      return answer.type === "TABLE_LOCKED" ? answer.lock : null;
    },
    async unlockTable(tableId) {
      refuseError(await requests.ask({ type: "TABLE_UNLOCK", tableId }, "table unlock request timed out"));
    },
    async reserveTable(tableId) {
      refuseError(await requests.ask({ type: "TABLE_RESERVE", tableId }, "table reservation timed out"));
    },
    async unreserveTable(tableId) {
      refuseError(await requests.ask({ type: "TABLE_UNRESERVE", tableId }, "table reservation timed out"));
    },
    setPresence(newPlace) {
      place = newPlace ?? {};
      if (connection.state().name === "online") presence.request();
    },
  };
  ordersChanged(outbox.orders());
  return terminal;

  // --- the session

  /** The hub knows how far this clock is off, and corrects what it is told. */
  function deviceTime(): string {
    return new Date(world.clock.now()).toISOString();
  }

  /** This device's time; what the hub knows of this clock from then on. */
  function clientTimeToSend(): string {
    sentClockLead = clockLead();
    return deviceTime();
  }

  function clockLead(): number {
    return world.clock.now() - world.clock.monotonic();
  }

  function welcome(answer: HubMessageOf<"AUTH_OK">, sentAt: number): void {
    hubClock.forget();
    hubClock.learn(answer.serverTime, sentAt, world.clock.monotonic());
    timing = { heartbeatMs: answer.heartbeatMs, leaseTtlMs: answer.leaseTtlMs };
    const { terminalId, user, minClientVersion, offline } = answer;
    signedIn = { terminalId, user, minClientVersion, offline };
    outbox.keepBelow(answer.mutationRate);
    takesOffers = answer.caps.includes(OFFERS_CAPABILITY);
    others.clear();
    emitter.emit("signedIn", signedIn);
    if (answer.token !== undefined) emitter.emit("token", answer.token);
    sessionChanged(answer.session);
    beat();
  }

  function lost(): void {
    cancelHeartbeat();
    hub.dropPages();
    presence.reset();
    resyncs.reset();
    resyncing = false;
    outbox.pause();
  }

  /** Shorter than the hub's interval while a lease would run out before it. */
  function beat(): void {
    cancelHeartbeat();
    const { heartbeatMs, leaseTtlMs } = timing;
    const everyMs = leases.kept().length > 0 ? Math.min(heartbeatMs, leaseTtlMs / 3) : heartbeatMs;
    cancelHeartbeat = world.timers.after(everyMs, () => {
      heartbeat();
      // An answer spoke of a state that did not come within a heartbeat: something was lost on the way.
      if (awaitedState && outbox.awaitsState()) resync();
      awaitedState = outbox.awaitsState();
      void offers.send();
      beat();
    });
  }

  function heartbeat(): void {
    heartbeatSentAt = world.clock.monotonic();
    connection.send({ type: "HEARTBEAT", outbox: outbox.report(), clientTime: clientTimeToSend() });
  }

  function receive(message: HubMessage): void {
    if (requests.answer(message)) return;
    switch (message.type) {
      case "SYNC":
        return takeSync(message);
      case "ORDER_CHANGED":
      case "ORDER_REMOVED":
      case "TABLE_CHANGED":
      case "PLUGIN_RECORD":
      case "PLUGIN_REMOVED":
        return takeState(message);
      case "ORDER_ACK":
        return outbox.acknowledge(message);
      case "ORDER_REJECTED":
        return outbox.reject(message);
      case "ERROR":
        return takeError(message);
      case "HEARTBEAT_ACK":
        hubClock.learn(message.serverTime, heartbeatSentAt, world.clock.monotonic());
        return leases.renewed(deviceId, new Date(Date.parse(message.serverTime) + timing.leaseTtlMs).toISOString());
      case "LEASE_CHANGED":
        return leaseChanged(message.posReference, message.holder);
      case "LEASE_REVOKED":
        leases.forget(message.posReference);
        return emitter.emit("leaseLost", { posReference: message.posReference, by: message.by });
      case "SESSION_CHANGED":
        return sessionChanged(message.session);
      case "PRESENCE":
        return presenceChanged(message);
      case "TERMINAL_JOINED":
        return emitter.emit("terminalJoined", { terminalId: message.terminalId, userName: message.userName });
      case "TERMINAL_LEFT":
        if (others.delete(message.terminalId)) emitter.emit("presence", [...others.values()]);
        return emitter.emit("terminalLeft", { terminalId: message.terminalId, userName: message.userName });
      case "HUB_STATUS": {
        const { type: _, ...status } = message;
        hubStatus = status;
        return emitter.emit("hubStatus", status);
      }
      case "AUTH_OK":
      case "AUTH_FAILED":
      case "LEASE_GRANTED":
      case "LEASE_DENIED":
      case "LEASE_RELEASED":
      case "TABLE_LOCKED":
      case "TABLE_LOCK_DENIED":
      case "TABLE_UNLOCKED":
      case "TABLE_ACK":
      case "ORDER_OFFER_ACK":
        // Answers to a question that is no longer asked.
        return;
    }
  }

  function takeSync(page: HubMessageOf<"SYNC">): void {
    const change = hub.sync(page);
    if (change === null) return;
    resyncing = false;
    const missing = leases.replaced(hub.leases(), deviceId);
    if (change.former !== undefined) offers.add(change.former);
    stateChanged(change);
    if (connection.state().name !== "authenticated") return void offers.send();
    connection.synced();
    requests.resume();
    if (Object.keys(place).length > 0) presence.request();
    for (const posReference of missing) void reacquire(posReference);
    outbox.resume();
    void offers.send();
  }

  function takeState(message: StateMessage): void {
    const change = hub.apply(message);
    if (change === "known") return;
    if (change !== "hole") return stateChanged(change);
    resync();
  }

  function resync(): void {
    if (resyncing) return;
    resyncing = true;
    resyncs.request();
  }

  function takeError(message: HubMessageOf<"ERROR">): void {
    const { requestId: mutationId, errorCode, error, retryable } = message;
    if (errorCode === "RATE_LIMITED" && mutationId === PRESENCE_ID) return presence.refused();
    if (errorCode === "RATE_LIMITED" && mutationId === RESYNC_ID) return resyncs.refused();
    emitter.emit("trouble", { error: new TerminalRefusal(errorCode, error) });
    if (mutationId !== undefined) outbox.reject({ mutationId, errorCode, error, retryable });
  }

  function stateChanged(change: StateChange): void {
    ordersChanged(change.orders);
    outbox.hubChanged(change);
    if (change.tables.length > 0) tablesChanged();
    if (change.plugins) emitter.emit("plugins", [...hub.pluginRecords()]);
    // After a reconnect the clock may be another one, and with it the phases.
    if (change.plugins || change.leases) reservationsChanged();
  }

  function sessionChanged(newSession: PosSession): void {
    session = newSession;
    emitter.emit("session", newSession);
  }

  function presenceChanged(message: HubMessageOf<"PRESENCE">): void {
    const { type: _, ...whereabouts } = message;
    others.set(whereabouts.terminalId, whereabouts);
    emitter.emit("presence", [...others.values()]);
  }

  function reservationsChanged(): void {
    const reservations = terminal.reservations();
    cancelPhase();
    const { nextChangeAt } = reservations;
    if (nextChangeAt !== null) {
      const waitMs = Math.min(Math.max(nextChangeAt - hubClock.now(), 1), 2 ** 31 - 1);
      cancelPhase = world.timers.after(waitMs, reservationsChanged);
    }
    emitter.emit("reservations", reservations);
  }

  // --- the local view

  function shownOrder(posReference: string): LocalOrder | undefined {
    if (!shown.has(posReference)) {
      shown.set(posReference, replayOrder(posReference, hub.order(posReference), outbox.entriesOf(posReference)));
    }
    return shown.get(posReference);
  }

  function* shownOrders(): Generator<LocalOrder> {
    const names = new Set([...[...hub.orders()].map((order) => order.posReference), ...outbox.orders()]);
    for (const posReference of names) {
      const order = shownOrder(posReference);
      if (order !== undefined) yield order;
    }
  }

  function ordersPerTable(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { snapshot } of hub.orders()) {
      if (snapshot.tableId !== null && isActive(snapshot.status)) {
        counts.set(snapshot.tableId, (counts.get(snapshot.tableId) ?? 0) + 1);
      }
    }
    return counts;
  }

  function ordersChanged(orders: readonly string[]): void {
    if (orders.length === 0) return;
    for (const posReference of orders) shown.delete(posReference);
    emitter.emit("orders", orders);
    tablesChanged();
  }

  /** The list is made only for those who listen: with a thousand orders it is no small one. */
  function tablesChanged(): void {
    if (emitter.has("tables")) emitter.emit("tables", terminal.tables());
  }

  function editable(posReference: string): OrderContent {
    const order = unfinished(posReference);
    if (order.snapshot.status === "checkout")
      throw new TerminalRefusal("ORDER_LOCKED", `order ${posReference} is checked out`);
    return contentOf(order.snapshot);
  }

  function asSeen(posReference: string): { posReference: string; seen: OrderContent; seenVersion: number } {
    const order = unfinished(posReference);
    return { posReference, seen: contentOf(order.snapshot), seenVersion: order.version };
  }

  /** A second tap on the till does not take the money twice. */
  function unfinished(posReference: string): LocalOrder {
    const order = shownOrder(posReference);
    if (order === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no order ${posReference}`);
    const { status } = order.snapshot;
    if (!isActive(status)) throw new TerminalRefusal("ORDER_LOCKED", `order ${posReference} is ${status}`);
    return order;
  }

  function enqueue(intent: OutboxEntry["intent"]): Mutation {
    const mutation = outbox.add(intent);
    emitter.emit("outbox", outbox.report());
    return mutation;
  }

  // --- leases

  async function acquireLease(
    posReference: string,
    { role = "editor", takeover = false }: { role?: LeaseRole; takeover?: boolean } = {},
  ): Promise<Omit<Lease, "terminalId" | "userName">> {
    const message: TerminalMessageInput = {
      type: "LEASE_ACQUIRE",
      posReference,
      role,
      ...(takeover ? { takeover } : {}),
      ...(hub.order(posReference) === undefined ? { new: true } : {}),
    };
    const answer = refuseError(await requests.ask(message, "lease request timed out"));
    if (answer.type === "LEASE_DENIED") throw new LeaseDeniedError(answer.errorCode, answer.error, answer.holder);
    if (answer.type !== "LEASE_GRANTED") throw new TerminalRefusal("INTERNAL_ERROR", `answered with ${answer.type}`);
    leases.granted(answer, { terminalId: deviceId, userName: signedIn?.user.name ?? "" });
    beat();
    const { leaseId, expiresAt } = answer;
    return { posReference, leaseId, role: answer.role, expiresAt };
  }

  /** A lease that ended while we were away: ours again if nobody else has it. */
  async function reacquire(posReference: string): Promise<void> {
    const wanted = leases.kept().find((lease) => lease.posReference === posReference);
    if (wanted === undefined) return;
    try {
      await acquireLease(posReference, { role: wanted.role });
    } catch (error) {
      leases.forget(posReference);
      const by = error instanceof LeaseDeniedError ? error.holder : null;
      emitter.emit("leaseLost", { posReference, by });
    }
  }

  function leaseChanged(posReference: string, holder: LeaseHolder | null): void {
    leases.changed(posReference, holder);
    emitter.emit("leases", { posReference, holder });
    const kept = leases.kept().some((lease) => lease.posReference === posReference);
    if (!kept || holder?.terminalId === deviceId) return;
    leases.forget(posReference);
    emitter.emit("leaseLost", { posReference, by: holder });
  }

  function refuseError<T extends HubMessage>(answer: T): Exclude<T, { type: "ERROR" }> {
    if (answer.type === "ERROR") throw new TerminalRefusal(answer.errorCode, answer.error);
    return answer as Exclude<T, { type: "ERROR" }>;
  }
}
