import {
  OFFERS_CAPABILITY,
  PROPOSALS_CAPABILITY,
  type HubMessage,
  type HubMessageOf,
  type PosSession,
} from "@comanda/protocol";
import { createEmitter } from "./emitter.ts";
import { createHubCopies } from "./http/hub-copies.ts";
import { createGuestRecords } from "./http/guest-records.ts";
import { createHubHttpWith } from "./http/hub-http.ts";
import { createOrderCommands } from "./commands/order-commands.ts";
import { createRefundCommands } from "./http/refund-commands.ts";
import { takeBackLeftMs } from "./orders/take-back.ts";
import type { Signature } from "./outbox/intake.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import type { Actor, OutboxEntry } from "./outbox/outbox-entry.ts";
import type { CacheRecord, DeviceKey } from "./outbox/outbox-storage.ts";
import { createUnsentNote } from "./outbox/unsent-note.ts";
import { createPromptReport } from "./outbox/prompt-report.ts";
import { createConflictSteps } from "./commands/conflict-steps.ts";
import type { SavedStayedLines } from "./outbox/stayed-lines.ts";
import { TerminalRefusal } from "./refusal.ts";
import { isCertain, refusalByRule } from "./refusal-by-rule.ts";
import type { Schemas } from "./schemas.ts";
import { createActors, type SavedActor } from "./session/actors.ts";
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
import { createHubState } from "./state/hub-state.ts";
import { createLocalState } from "./state/local-state.ts";
import { newestEndFirst } from "./state/newest-end-first.ts";
import { createOffers, type SavedOffer } from "./state/offers.ts";
import { createStateCache, readSavedState } from "./state/state-cache.ts";
import type { StateChange, StateMessage } from "./state/state-change.ts";
import { createView } from "./state/view.ts";
import type {
  ApprovedCommands,
  HubStatus,
  SignedIn,
  Terminal,
  TerminalEvents,
  TerminalOptions,
} from "./terminal-interface.ts";
import { realWorld } from "./world.ts";

type VersionedOptions = TerminalOptions & { clientVersion: string };

/** A terminal of one device. Opens the outbox (and fails when another process has it); `start` connects. */
export async function openTerminalWith(schemas: Schemas, options: VersionedOptions): Promise<Terminal> {
  const { storage } = options;
  const loaded = await storage.load();
  const deviceKeys = await storage.loadDeviceKeys();
  // What is cached is a convenience: without it the terminal waits for the hub.
  const cached = await storage.loadCache().catch((): CacheRecord[] => []);
  const cache = new Map(cached);
  if (!schemas.readsOtherVersions) await forgetOtherVersion(storage, cache, options.clientVersion);
  return createTerminal(options, { schemas, loaded, deviceKeys, cache });
}

/** Drops the copy of the hub's state that another version kept; its own offers and people stay. */
async function forgetOtherVersion(
  storage: TerminalOptions["storage"],
  cache: Map<string, unknown>,
  version: string,
): Promise<void> {
  if (cache.get("version") === version) return;
  const copies = [...cache.keys()].filter((key) => !ownRecords.has(key));
  for (const key of copies) cache.delete(key);
  await storage
    .saveCache([...copies.map((key): CacheRecord => [key, undefined]), ["version", version]])
    .catch(() => {});
}

/** What is this device's own, in the same form in every version. */
const ownRecords: ReadonlySet<string> = new Set(["actor", "offers", "stayed"]);

interface Stored {
  schemas: Schemas;
  loaded: readonly OutboxEntry[];
  deviceKeys: readonly DeviceKey[];
  cache: ReadonlyMap<string, unknown>;
}

function createTerminal(
  options: VersionedOptions,
  { schemas, loaded, deviceKeys: loadedKeys, cache }: Stored,
): Terminal {
  const { deviceId, storage } = options;
  const world = options.world ?? realWorld();
  const emitter = createEmitter<TerminalEvents>();
  const trouble = (error: unknown) => emitter.emit("trouble", { error });
  const hubClock = createHubClock(world.clock);
  const hub = createHubState(hubClock.now);
  const deviceClock = createDeviceClock(world.clock);
  let signedIn: SignedIn | null = null;
  let session: PosSession | null = null;
  let hubStatus: HubStatus | null = null;
  let leaseTtlMs = 60_000;
  let takeBackMs = 30_000;
  let heartbeatSentAt = 0;
  let checks: ((roundTripMs: number | null) => void)[] = [];
  let awaitedState = false;
  /** What the hub of this session takes: ORDER_OFFER of its own history, of another hub's. */
  const takesOffers = { own: false, others: false };
  /** Where the hub is, and the one that the local copy is of. */
  let address: string | undefined;
  let heldFrom: string | undefined;
  let menuVersion: string | null = null;
  /** The hub's time in ms when it was heard last with the state complete. */
  let heardAt: number | null = null;
  const isEmptied = loaded.length + loadedKeys.length + cache.size === 0;
  const noteStorage = options.unsentNote ?? { read: () => null, write: () => {} };
  const unsent = createUnsentNote(noteStorage, isEmptied, deviceClock.now);
  emitter.on("outbox", unsent.follow);
  restore();

  const deviceKeys = createDeviceKeys({ loaded: loadedKeys, storage, onTrouble: trouble });
  const connection = createConnection({
    url: async () => (address = await hubUrl()),
    deviceId,
    isRenamed: options.isRenamed === true,
    token: options.token,
    clientVersion: options.clientVersion,
    deviceKey: deviceKeys.of,
    renewToken: options.renewToken ?? (async () => null),
    openSocket: options.openSocket,
    world,
    schemas,
    since: () => hub.since(),
    outbox: () => prompt.tell(),
    clientTime: deviceClock.report,
    events: {
      state: (state) => emitter.emit("connection", state),
      authenticated: handleAuthOk,
      token(token) {
        actors.renewed(token);
        emitter.emit("token", token);
      },
      message: receive,
      lost: handleLostConnection,
      // A piece of the shared state that cannot be read leaves a hole, which the next message reveals.
      unreadable: trouble,
    },
  });
  const isOnline = () => connection.state().name === "online";
  const prompt = createPromptReport({
    world,
    isOnline,
    report: () => unsent.report(outbox.report()),
    send: sendHeartbeat,
  });
  for (const name of ["outbox", "conflict"] as const) emitter.on(name, prompt.follow);
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
  const saveCached = (key: string, value: unknown) => void storage.saveCache([[key, value]]).catch(trouble);
  const offers = createOffers({
    schemas,
    loaded: (cache.get("offers") as SavedOffer[] | undefined) ?? [],
    save: (list) => saveCached("offers", list.length === 0 ? undefined : list),
    send: (message) => requests.send(message, "the hub did not answer an offer"),
    isAccepted: (whose) => takesOffers[whose] && isOnline(),
    now: () => world.clock.now(),
    changed: () => emitter.emit("formerChecks", offers.formerChecks()),
  });
  const leases = createLeases({
    deviceId,
    requests,
    userName: () => (actors.current() ?? signedIn)?.user.name ?? "",
    actor: () => actors.current()?.token,
    now: hubClock.now,
    isOnHub: (posReference) => hub.order(posReference) !== undefined,
    events: {
      granted: () => heartbeat.reschedule(),
      changed(posReference, holder) {
        emitter.emit("leases", { posReference, holder });
        if (holder === null || holder.terminalId === deviceId) outbox.leaseEnded(posReference);
      },
      lost: (posReference, by) => emitter.emit("leaseLost", { posReference, by }),
    },
  });
  const heartbeat = createHeartbeat(world, leases.isAnyKept, beat);
  const outbox: Outbox = createOutbox({
    storage,
    loaded,
    world,
    schemas,
    hub,
    now: deviceClock.now,
    menu: () => copies.menu(),
    stayed: (cache.get("stayed") as SavedStayedLines | undefined) ?? [],
    keepStayed: (lines) => storage.saveCache([["stayed", lines ?? undefined]]).catch(trouble),
    whenCached: (seq, act) => stateCache.whenKept(seq, act),
    send(message) {
      if (!isOnline()) return false;
      // The hub corrects `queuedAt` by what it knows of this clock.
      if (deviceClock.wasSet()) sendHeartbeat();
      return connection.send(message);
    },
    events: {
      changed: (intents) => view.outboxChanged(intents),
      acknowledged(entry, answer) {
        if (answer.type === "ORDER_ACK") emitter.emit("acknowledged", { entry, answer });
        emitter.emit("outbox", outbox.report());
      },
      conflict: (conflict) => emitter.emit("conflict", conflict),
      awaitedPins() {
        emitter.emit("awaitedPins", outbox.awaitedPins());
        emitter.emit("outbox", outbox.report());
      },
      storage(failure) {
        if (failure !== null) trouble(failure);
        emitter.emit("outbox", outbox.report());
      },
    },
  });
  const stateCache = createStateCache({ storage, hub, world, asOf, from: () => heldFrom, trouble });
  const actors = createActors({
    saved: (cache.get("actor") as SavedActor | undefined) ?? null,
    token: options.token,
    save: (saved) => saveCached("actor", saved ?? undefined),
  });
  const local = createLocalState(hub, outbox, {
    deviceId,
    userName: () => signedIn?.user.name ?? "",
    menu: () => copies.menu(),
    takeBackMs: () => takeBackMs,
    hubTime: (deviceTime) => Date.parse(deviceTime) + hubClock.now() - world.clock.now(),
  });
  const view = createView({
    hub,
    local,
    waiting: outbox.entries,
    emitter,
    timers: world.timers,
    now: hubClock.now,
  });
  const hubUrl = async () => (typeof options.url === "string" ? options.url : options.url());
  const http = createHubHttpWith(schemas, {
    url: async () => options.httpUrl ?? (await hubUrl()).replace(/^ws/, "http"),
    token: () => connection.token() || null,
  });
  const copies = createHubCopies({ http, schemas, cache, save: saveCached, deviceKey: deviceKeys.of });
  const commands = commandsWith(undefined);
  const steps = createConflictSteps({
    outbox,
    hubOrder: hub.order,
    commands,
    add: (intent) => queueMutation(outbox.entryOf(intent, signatureWith(undefined))),
    signature: () => signatureWith(undefined),
    uuid: world.uuid,
    trouble,
  });

  view.outboxChanged(outbox.entries().map(({ intent }) => intent));
  return {
    deviceId,
    on: emitter.on,
    start: connection.start,
    reportOutbox: prompt.now,
    async stop() {
      prompt.now();
      connection.stop();
      view.stop();
      requests.stop();
      await stateCache.stop();
      await outbox.stop();
    },
    useToken(token) {
      actors.renewed(token);
      connection.useToken(token);
    },
    switchUser(token) {
      actors.switched(token);
      const isRunning = connection.state().name !== "stopped";
      connection.stop();
      connection.useToken(token);
      if (isRunning) connection.start();
      emitter.emit("actor", actors.current());
    },
    useActor,
    async signInWithPin(userId, pin) {
      const given = await copies.enterPin(userId, pin);
      useActor({ token: given.actorToken, user: given.user });
      return given;
    },
    actor: actors.current,
    awaitedPins: outbox.awaitedPins,
    renewActor(actor) {
      if (String(actors.current()?.user.id) === String(actor.user.id)) useActor(actor);
      else outbox.renewActor(actor);
    },
    answerFor: outbox.answerFor,
    giveUpPin: outbox.giveUpPin,
    approvedBy: commandsWith,
    connection: connection.state,
    async checkConnection() {
      if (!connection.wake()) return null;
      const { promise, resolve } = Promise.withResolvers<number | null>();
      checks.push(resolve);
      sendHeartbeat();
      return promise;
    },
    signedIn: () => signedIn,
    session: () => session,
    hubStatus: () => hubStatus,
    now: hubClock.now,
    seq: hub.seq,
    asOf,

    formerChecks: offers.formerChecks,
    forgetFormerChecks: offers.forgetAnswered,

    orders: () => [...local.all()],
    order: local.get,
    tables: view.tables,
    tickets: () => local.tickets().filter(({ isOver }) => !isOver),
    recentTickets: () =>
      local
        .tickets()
        .filter(({ isOver }) => isOver)
        .toSorted(newestEndFirst),
    ticket: (id) => local.tickets().find((ticket) => ticket.id === id),
    itemStates: view.itemStates,
    takeBackLeftMs: (posReference, lineId) =>
      takeBackLeftMs(local.tickets(), { posReference, lineId }, { deviceId, now: hubClock.now(), takeBackMs }),
    pluginRecords: () => [...hub.pluginRecords()],
    reservations: view.reservations,
    presence: presence.others,

    http,
    ...copies,
    ...createGuestRecords({ http, isOnline, records: hub.pluginRecords }),

    ...commands,
    ...steps,

    outbox: outbox.report,
    lostWork: unsent.lost,
    forgetLostWork() {
      unsent.forget();
      emitter.emit("outbox", outbox.report());
    },
    conflicts: outbox.conflicts,
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
    ({ leaseTtlMs, takeBackMs = takeBackMs } = answer);
    const { terminalId, user, minClientVersion, offline } = answer;
    deviceKeys.accepted(answer.hubId, answer.deviceKey);
    actors.authenticated(answer);
    if (answer.actorToken !== undefined) {
      const { id, name } = answer.user;
      outbox.renewActor({ token: answer.actorToken, user: { id, name } });
    }
    signedIn = { terminalId, user, minClientVersion, offline };
    outbox.limitRate(answer.mutationRate);
    takesOffers.own = answer.caps.includes(OFFERS_CAPABILITY);
    takesOffers.others = answer.caps.includes(PROPOSALS_CAPABILITY);
    presence.forgetOthers();
    emitter.emit("signedIn", signedIn);
    emitter.emit("actor", actors.current());
    menuChanged(answer.menuVersion ?? null);
    sessionChanged(answer.session);
    heartbeat.start(answer);
  }

  function handleLostConnection(): void {
    heartbeat.stop();
    checked(null);
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
    connection.send({ type: "HEARTBEAT", outbox: prompt.tell(), clientTime: deviceClock.report() });
  }

  function checked(roundTripMs: number | null): void {
    const waiting = checks;
    checks = [];
    for (const resolve of waiting) resolve(roundTripMs);
  }

  function receive(message: HubMessage): void {
    if (isOnline()) heardAt = hubClock.now();
    if (requests.answer(message)) return;
    switch (message.type) {
      case "SYNC":
        return handleSync(message);
      case "ORDER_CHANGED":
      case "ORDER_REMOVED":
      case "TABLE_CHANGED":
      case "TICKET_CHANGED":
      case "ITEM_STATE_CHANGED":
      case "PLUGIN_RECORD":
      case "PLUGIN_REMOVED":
        return handleState(message);
      case "ORDER_ACK":
      case "ITEM_STATE_ACK":
        return outbox.acknowledge(message);
      case "ORDER_REJECTED":
        return outbox.reject(message);
      case "ERROR":
        return handleError(message);
      case "HEARTBEAT_ACK":
        hubClock.learn(message.serverTime, heartbeatSentAt, world.clock.monotonic());
        checked(world.clock.monotonic() - heartbeatSentAt);
        stateCache.heard();
        return leases.renewed(new Date(Date.parse(message.serverTime) + leaseTtlMs).toISOString());
      case "LEASE_CHANGED":
        return leases.changed(message.posReference, message.holder);
      case "LEASE_REVOKED":
        return leases.revoked(message.posReference, message.by);
      case "SESSION_CHANGED":
        return sessionChanged(message.session);
      case "MENU_CHANGED":
        return menuChanged(message.menuVersion);
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
    leases.replaced(hub.leases());
    offerFormer(change, page.hubId);
    stateChanged(change);
    if (connection.state().name !== "authenticated") return void offers.send();
    heardAt = hubClock.now();
    connection.synced();
    requests.resume();
    leases.resume(hub.leases());
    presence.resume();
    outbox.resume();
    void offers.send();
  }

  /** What this terminal held of the hub's former history, or of the hub that answered at this address before. */
  function offerFormer({ former }: StateChange, hubId: string): void {
    const isOfAnother = former !== undefined && former.hubId !== hubId;
    if (former !== undefined && (!isOfAnother || (heldFrom === address && options.proposes !== false)))
      offers.add(former, isOfAnother);
    heldFrom = address;
    offers.forget((posReference, formerHubId) => formerHubId === hubId || hub.order(posReference) !== undefined);
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
    saveCached("session", newSession);
    emitter.emit("session", newSession);
  }

  function menuChanged(version: string | null): void {
    if (version === menuVersion) return;
    menuVersion = version;
    emitter.emit("menuVersion", version);
  }

  // --- mutations and who makes them

  function useActor(actor: Actor | null): void {
    actors.use(actor);
    if (actor !== null) outbox.renewActor(actor);
    emitter.emit("actor", actors.current());
  }

  function signatureWith(approval: string | undefined): Signature {
    return { actor: actors.current() ?? undefined, approval };
  }

  function queueMutation(entry: OutboxEntry) {
    const mutation = outbox.queueEntry(entry);
    emitter.emit("outbox", outbox.report());
    return mutation;
  }

  function commandsWith(approval: string | undefined): ApprovedCommands {
    return {
      ...createOrderCommands({
        orders: local,
        ask(intent) {
          const entry = outbox.entryOf(intent, signatureWith(approval));
          const refusal = local.refusalOf(entry);
          if (refusal !== null && isCertain(refusal, copies.menu() !== null)) throw refusalByRule(refusal);
          return queueMutation(entry);
        },
        uuid: world.uuid,
        menu: copies.menu,
      }),
      retry: (id, resolved) => outbox.retry(id, resolved, signatureWith(approval)),
      takeOver: (posReference) => leases.acquire(posReference, { takeover: true, approval }),
      ...createRefundCommands({
        http,
        uuid: world.uuid,
        deviceKey: deviceKeys.of,
        signature: () => signatureWith(approval),
      }),
    };
  }

  // --- the local view

  /** Shows what was saved, until the hub sends what has changed since. */
  function restore(): void {
    try {
      const saved = readSavedState(cache, schemas);
      if (saved === null) return;
      hub.restore(saved);
      heardAt = Date.parse(saved.asOf);
      heldFrom = saved.from;
      session = (cache.get("session") as PosSession | undefined) ?? null;
    } catch (error) {
      // Written by another version: the hub sends everything.
      queueMicrotask(() => trouble(error));
    }
  }

  function asOf(): string | null {
    return heardAt === null ? null : new Date(heardAt).toISOString();
  }

  function stateChanged(change: StateChange): void {
    view.ordersOnHubChanged(change);
    if (change.orders.length > 0) offers.forget((posReference) => hub.order(posReference) !== undefined);
    outbox.hubChanged(change.fork);
    stateCache.changed(change);
    view.restOnHubChanged(change);
  }
}
