import { OFFERS_CAPABILITY, type HubMessage, type HubMessageOf, type PosSession } from "@comanda/protocol";
import library from "../package.json" with { type: "json" };
import { createEmitter } from "./emitter.ts";
import { createOrderCommands } from "./orders/order-commands.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import type { OutboxEntry } from "./outbox/outbox-entry.ts";
import type { DeviceKey } from "./outbox/outbox-storage.ts";
import { TerminalRefusal } from "./refusal.ts";
import { createConnection } from "./session/connection.ts";
import { createDeviceClock } from "./session/device-clock.ts";
import { createDeviceKeys } from "./session/device-keys.ts";
import { createHubClock } from "./session/hub-clock.ts";
import { createLeases } from "./session/leases.ts";
import { createHeartbeat } from "./session/heartbeat.ts";
import { createPresence, PRESENCE_ID } from "./session/presence.ts";
import { createRequests } from "./session/requests.ts";
import { createResync, RESYNC_ID } from "./session/resync.ts";
import { createTableRequests } from "./session/table-requests.ts";
import { createHubState, type StateChange, type StateMessage } from "./state/hub-state.ts";
import { createLocalOrders } from "./state/local-orders.ts";
import { countOrdersPerTable, localTables } from "./state/local-tables.ts";
import { createOffers } from "./state/offers.ts";
import { readReservations } from "./state/read-reservations.ts";
import { watchReservations } from "./state/watch-reservations.ts";
import type { HubStatus, SignedIn, Terminal, TerminalEvents, TerminalOptions } from "./terminal-interface.ts";
import { realWorld } from "./world.ts";

/** A terminal of one device. Opens the outbox (and fails when another process has it); `start` connects. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const loaded = await options.storage.load();
  const deviceKeys = await options.storage.loadDeviceKeys();
  return createTerminal(options, loaded, deviceKeys);
}

function createTerminal(
  options: TerminalOptions,
  loaded: readonly OutboxEntry[],
  loadedKeys: readonly DeviceKey[],
): Terminal {
  const { deviceId, storage } = options;
  const world = options.world ?? realWorld();
  const emitter = createEmitter<TerminalEvents>();
  const trouble = (error: unknown) => emitter.emit("trouble", { error });
  const hub = createHubState();
  const hubClock = createHubClock(world.clock);
  const deviceClock = createDeviceClock(world.clock);
  let signedIn: SignedIn | null = null;
  let session: PosSession | null = null;
  let hubStatus: HubStatus | null = null;
  let leaseTtlMs = 60_000;
  let heartbeatSentAt = 0;
  let awaitedState = false;
  let takesOffers = false;

  const deviceKeys = createDeviceKeys({ loaded: loadedKeys, storage, onTrouble: trouble });
  const connection = createConnection({
    url: async () => (typeof options.url === "string" ? options.url : options.url()),
    deviceId,
    token: options.token,
    clientVersion: options.clientVersion ?? library.version,
    deviceKey: deviceKeys.of,
    renewToken: options.renewToken ?? (async () => null),
    openSocket: options.openSocket,
    world,
    since: () => hub.since(),
    outbox: () => outbox.report(),
    clientTime: deviceClock.report,
    events: {
      state: (state) => emitter.emit("connection", state),
      authenticated: handleAuthOk,
      token: (token) => emitter.emit("token", token),
      message: receive,
      lost: handleLostConnection,
      // A piece of the shared state that cannot be read leaves a hole, which the next message reveals.
      unreadable: trouble,
    },
  });
  const isOnline = () => connection.state().name === "online";
  const requests = createRequests(world, (message) => connection.send(message));
  const presence = createPresence({
    world,
    isOnline,
    send: connection.send,
    changed: (others) => emitter.emit("presence", others),
  });
  const resync = createResync(world, (requestId) => {
    connection.send({ type: "RESYNC", requestId, since: hub.since() });
  });
  const offers = createOffers({
    send: (message) => requests.send(message, "the hub did not answer an offer"),
    isAccepted: () => takesOffers && isOnline(),
  });
  const leases = createLeases({
    deviceId,
    requests,
    userName: () => signedIn?.user.name ?? "",
    now: hubClock.now,
    isOnHub: (posReference) => hub.order(posReference) !== undefined,
    events: {
      granted: () => heartbeat.reschedule(),
      changed: (posReference, holder) => emitter.emit("leases", { posReference, holder }),
      lost: (posReference, by) => emitter.emit("leaseLost", { posReference, by }),
    },
  });
  const heartbeat = createHeartbeat(world, leases.isAnyKept, beat);
  const outbox: Outbox = createOutbox({
    storage,
    loaded,
    world,
    hub,
    now: deviceClock.now,
    send(message) {
      if (!isOnline()) return false;
      // The hub corrects `queuedAt` by what it knows of this clock.
      if (deviceClock.wasSet()) sendHeartbeat();
      return connection.send(message);
    },
    events: {
      changed: ordersChanged,
      acknowledged(entry, answer) {
        emitter.emit("acknowledged", { entry, answer });
        emitter.emit("outbox", outbox.report());
      },
      conflict: (conflict) => emitter.emit("conflict", conflict),
      trouble,
    },
  });
  const orders = createLocalOrders(hub, outbox);
  const reservationWatch = watchReservations({
    timers: world.timers,
    now: hubClock.now,
    read: reservations,
    changed: (changed) => emitter.emit("reservations", changed),
  });
  const commands = createOrderCommands(orders, (intent) => {
    const mutation = outbox.add(intent);
    emitter.emit("outbox", outbox.report());
    return mutation;
  });

  ordersChanged(outbox.orders());
  return {
    deviceId,
    on: emitter.on,
    start: connection.start,
    async stop() {
      connection.stop();
      reservationWatch.stop();
      requests.stop();
      await outbox.stop();
    },
    useToken: connection.useToken,
    connection: connection.state,
    signedIn: () => signedIn,
    session: () => session,
    hubStatus: () => hubStatus,
    now: hubClock.now,
    seq: hub.seq,

    orders: () => [...orders.all()],
    order: orders.get,
    tables,
    pluginRecords: () => [...hub.pluginRecords()],
    reservations,
    presence: presence.others,

    ...commands,

    outbox: outbox.report,
    conflicts: outbox.conflicts,
    retry: outbox.retry,
    discard: outbox.discard,
    idle: outbox.idle,

    acquireLease: leases.acquire,
    releaseLease: leases.release,
    leaseHolder: leases.holder,
    ...createTableRequests(requests),
    setPresence: presence.show,
  };

  // --- the session

  function handleAuthOk(answer: HubMessageOf<"AUTH_OK">, sentAt: number): void {
    hubClock.forget();
    hubClock.learn(answer.serverTime, sentAt, world.clock.monotonic());
    ({ leaseTtlMs } = answer);
    const { terminalId, user, minClientVersion, offline } = answer;
    deviceKeys.accepted(answer.hubId, answer.deviceKey);
    signedIn = { terminalId, user, minClientVersion, offline };
    outbox.limitRate(answer.mutationRate);
    takesOffers = answer.caps.includes(OFFERS_CAPABILITY);
    presence.forgetOthers();
    emitter.emit("signedIn", signedIn);
    sessionChanged(answer.session);
    heartbeat.start(answer);
  }

  function handleLostConnection(): void {
    heartbeat.stop();
    hub.dropPages();
    presence.lost();
    resync.lost();
    outbox.pause();
  }

  function beat(): void {
    sendHeartbeat();
    // An answer named a state that did not arrive within a heartbeat: something was lost.
    if (awaitedState && outbox.awaitsState()) resync.request();
    awaitedState = outbox.awaitsState();
    void offers.send();
  }

  function sendHeartbeat(): void {
    heartbeatSentAt = world.clock.monotonic();
    connection.send({ type: "HEARTBEAT", outbox: outbox.report(), clientTime: deviceClock.report() });
  }

  function receive(message: HubMessage): void {
    if (requests.answer(message)) return;
    switch (message.type) {
      case "SYNC":
        return handleSync(message);
      case "ORDER_CHANGED":
      case "ORDER_REMOVED":
      case "TABLE_CHANGED":
      case "PLUGIN_RECORD":
      case "PLUGIN_REMOVED":
        return handleState(message);
      case "ORDER_ACK":
        return outbox.acknowledge(message);
      case "ORDER_REJECTED":
        return outbox.reject(message);
      case "ERROR":
        return handleError(message);
      case "HEARTBEAT_ACK":
        hubClock.learn(message.serverTime, heartbeatSentAt, world.clock.monotonic());
        return leases.renewed(new Date(Date.parse(message.serverTime) + leaseTtlMs).toISOString());
      case "LEASE_CHANGED":
        return leases.changed(message.posReference, message.holder);
      case "LEASE_REVOKED":
        return leases.revoked(message.posReference, message.by);
      case "SESSION_CHANGED":
        return sessionChanged(message.session);
      case "PRESENCE":
        return presence.received(message);
      case "TERMINAL_JOINED":
        return emitter.emit("terminalJoined", { terminalId: message.terminalId, userName: message.userName });
      case "TERMINAL_LEFT":
        presence.left(message.terminalId);
        return emitter.emit("terminalLeft", { terminalId: message.terminalId, userName: message.userName });
      case "HUB_STATUS": {
        const { type: _, ...status } = message;
        hubStatus = status;
        return emitter.emit("hubStatus", status);
      }
      case "AUTH_OK":
      case "AUTH_FAILED":
      case "TOKEN_CHANGED":
      case "LEASE_GRANTED":
      case "LEASE_DENIED":
      case "LEASE_RELEASED":
      case "TABLE_LOCKED":
      case "TABLE_LOCK_DENIED":
      case "TABLE_UNLOCKED":
      case "TABLE_ACK":
      case "ORDER_OFFER_ACK":
        // The connection handles the first three; the others answer requests that have timed out.
        return;
    }
  }

  function handleSync(page: HubMessageOf<"SYNC">): void {
    const change = hub.sync(page);
    if (change === null) return;
    resync.done();
    const missing = leases.replaced(hub.leases());
    if (change.former !== undefined) offers.add(change.former);
    stateChanged(change);
    if (connection.state().name !== "authenticated") return void offers.send();
    connection.synced();
    requests.resume();
    presence.resume();
    for (const lease of missing) void leases.reacquire(lease);
    outbox.resume();
    void offers.send();
  }

  function handleState(message: StateMessage): void {
    const change = hub.apply(message);
    if (change === "known") return;
    if (change === "hole") resync.request();
    else stateChanged(change);
  }

  function handleError(message: HubMessageOf<"ERROR">): void {
    const { requestId: mutationId, errorCode, error, retryable } = message;
    if (errorCode === "RATE_LIMITED" && mutationId === PRESENCE_ID) return presence.refused();
    if (errorCode === "RATE_LIMITED" && mutationId === RESYNC_ID) return resync.refused();
    trouble(new TerminalRefusal(errorCode, error));
    if (mutationId !== undefined) outbox.reject({ mutationId, errorCode, error, retryable });
  }

  function sessionChanged(newSession: PosSession): void {
    session = newSession;
    emitter.emit("session", newSession);
  }

  // --- the local view

  function tables() {
    const counts = countOrdersPerTable(hub.orders());
    return localTables(hub.tables(), { shown: orders.all(), onHub: counts }, hubClock.now());
  }

  function reservations() {
    return readReservations(hub.pluginRecords(), orders.all(), hubClock.now());
  }

  function stateChanged(change: StateChange): void {
    ordersChanged(change.orders);
    outbox.hubChanged(change);
    if (change.tables.length > 0) tablesChanged();
    if (change.plugins) emitter.emit("plugins", [...hub.pluginRecords()]);
    // A reconnect may have changed the hub's time, and with it the phases.
    if (change.plugins || change.leases) reservationWatch.refresh();
  }

  function ordersChanged(changed: readonly string[]): void {
    if (changed.length === 0) return;
    orders.changed(changed);
    emitter.emit("orders", changed);
    tablesChanged();
  }

  /** Computed only for listeners: with a thousand orders the list is expensive. */
  function tablesChanged(): void {
    if (emitter.has("tables")) emitter.emit("tables", tables());
  }
}
