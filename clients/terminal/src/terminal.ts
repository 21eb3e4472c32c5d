import type { HubMessageOf, PosSession } from "@comanda/protocol";
import { createActingPeople } from "./acting-people.ts";
import { createApprovedCommands } from "./approved-commands.ts";
import { createEmitter } from "./emitter.ts";
import { createHeldCopy } from "./held-copy.ts";
import { createHubCopies } from "./http/hub-copies.ts";
import { createGuestRecords } from "./http/guest-records.ts";
import { createPrintCommands } from "./http/print-commands.ts";
import { createHubHttpWith } from "./http/hub-http.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import type { OutboxEntry } from "./outbox/outbox-entry.ts";
import type { DeviceKey } from "./outbox/outbox-storage.ts";
import { createUnsentNote } from "./outbox/unsent-note.ts";
import { createPromptReport } from "./outbox/prompt-report.ts";
import type { SavedStayedLines } from "./outbox/stayed-lines.ts";
import { createReceiver } from "./receive-message.ts";
import type { Schemas } from "./schemas.ts";
import { createActors, type SavedActor } from "./session/actors.ts";
import { createConnection } from "./session/connection.ts";
import { createDeviceClock } from "./session/device-clock.ts";
import { createDeviceKeys } from "./session/device-keys.ts";
import { createHello } from "./session/hello.ts";
import { createHubClock } from "./session/hub-clock.ts";
import { createLeases } from "./session/leases.ts";
import { createPresence } from "./session/presence.ts";
import { createPulse } from "./session/pulse.ts";
import { createRequests } from "./session/requests.ts";
import { createResync } from "./session/resync.ts";
import { createSessionFacts } from "./session-facts.ts";
import { createTableRequests } from "./session/table-requests.ts";
import { createLocalState } from "./state/local-state.ts";
import { createOffers, type SavedOffer } from "./state/offers.ts";
import { createReads } from "./state/reads.ts";
import type { StateChange } from "./state/state-change.ts";
import { createView } from "./state/view.ts";
import type { Terminal, TerminalEvents, TerminalOptions } from "./terminal-interface.ts";
import { realWorld } from "./world.ts";

export type VersionedOptions = TerminalOptions & { clientVersion: string };

interface Stored {
  schemas: Schemas;
  loaded: readonly OutboxEntry[];
  deviceKeys: readonly DeviceKey[];
  cache: ReadonlyMap<string, unknown>;
}

/** Puts a terminal together from its options and what the device has stored. */
export function createTerminal(
  options: VersionedOptions,
  { schemas, loaded, deviceKeys: loadedKeys, cache }: Stored,
): Terminal {
  const { deviceId, storage } = options;
  const world = options.world ?? realWorld();
  const emitter = createEmitter<TerminalEvents>();
  const trouble = (error: unknown) => emitter.emit("trouble", { error });
  const hubClock = createHubClock(world.clock);
  const deviceClock = createDeviceClock(world.clock);
  const saveCached = (key: string, value: unknown) => void storage.saveCache([[key, value]]).catch(trouble);
  const facts = createSessionFacts({ emitter, keepSession: (session) => saveCached("session", session) });
  const isEmptied = loaded.length + loadedKeys.length + cache.size === 0;
  const noteStorage = options.unsentNote ?? { read: () => null, write: () => {} };
  const unsent = createUnsentNote(noteStorage, isEmptied, deviceClock.now);
  emitter.on("outbox", unsent.follow);
  const held = createHeldCopy({ storage, cache, schemas, world, now: hubClock.now, trouble });
  const { hub, origin } = held;
  if (origin.heardAt !== null) facts.restored((cache.get("session") as PosSession | undefined) ?? null);

  const deviceKeys = createDeviceKeys({ loaded: loadedKeys, storage, onTrouble: trouble });
  const report = () => ({ outbox: prompt.tell(), clientTime: deviceClock.report() });
  const hello = createHello({
    deviceId,
    isRenamed: options.isRenamed === true,
    clientVersion: options.clientVersion,
    deviceKey: deviceKeys.of,
    since: hub.since,
    report,
  });
  const connection = createConnection({
    url: async () => (origin.address = await hubUrl()),
    hello,
    token: options.token,
    renewToken: options.renewToken ?? (async () => null),
    openSocket: options.openSocket,
    world,
    schemas,
    events: {
      state: (state) => emitter.emit("connection", state),
      authenticated: handleAuthOk,
      token(token) {
        actors.renewed(token);
        emitter.emit("token", token);
      },
      message: (message) => receive(message),
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
    send: () => pulse.sendNow(),
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
  const offers = createOffers({
    schemas,
    loaded: (cache.get("offers") as SavedOffer[] | undefined) ?? [],
    save: (list) => saveCached("offers", list.length === 0 ? undefined : list),
    send: (message) => requests.send(message, "the hub did not answer an offer"),
    isAccepted: (whose) => facts.takesOffers(whose) && isOnline(),
    now: () => world.clock.now(),
    changed: () => emitter.emit("formerChecks", offers.formerChecks()),
  });
  const leases = createLeases({
    deviceId,
    requests,
    userName: () => (actors.current() ?? facts.signedIn())?.user.name ?? "",
    actor: () => actors.current()?.token,
    now: hubClock.now,
    isOnHub: (posReference) => hub.order(posReference) !== undefined,
    events: {
      granted: () => pulse.reschedule(),
      changed(posReference, holder) {
        emitter.emit("leases", { posReference, holder });
        if (holder === null || holder.terminalId === deviceId) outbox.leaseEnded(posReference);
      },
      lost: (posReference, by) => emitter.emit("leaseLost", { posReference, by }),
    },
  });
  const pulse = createPulse({
    world,
    hubClock,
    send: connection.send,
    report,
    isLeaseKept: leases.isAnyKept,
    awaitsState: () => outbox.awaitsState(),
    lostState: resync.request,
    beaten: () => void offers.send(),
  });
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
    whenCached: (seq, act) => held.cache.whenKept(seq, act),
    send(message) {
      if (!isOnline()) return false;
      // The hub corrects `queuedAt` by what it knows of this clock.
      if (deviceClock.wasSet()) pulse.sendNow();
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
  const actors = createActors({
    saved: (cache.get("actor") as SavedActor | undefined) ?? null,
    token: options.token,
    save: (saved) => saveCached("actor", saved ?? undefined),
  });
  const local = createLocalState(hub, outbox, {
    deviceId,
    userName: () => facts.signedIn()?.user.name ?? "",
    menu: () => copies.menu(),
    takeBackMs: facts.takeBackMs,
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
  const { approvedBy, commands, steps } = createApprovedCommands({
    local,
    hubOrder: hub.order,
    outbox,
    leases,
    actors,
    http,
    menu: copies.menu,
    deviceKey: deviceKeys.of,
    emitter,
    world,
    trouble,
  });

  const receive = createReceiver({
    connection,
    requests,
    outbox,
    leases,
    presence,
    resync,
    pulse,
    facts,
    hub,
    offers,
    origin,
    emitter,
    now: hubClock.now,
    proposes: options.proposes !== false,
    stateChanged,
    heard: held.cache.heard,
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
      await held.cache.stop();
      await outbox.stop();
    },
    ...createActingPeople({ actors, connection, outbox, enterPin: copies.enterPin, emitter }),
    approvedBy,
    connection: connection.state,
    async checkConnection() {
      return connection.wake() ? pulse.check() : null;
    },
    signedIn: facts.signedIn,
    session: facts.session,
    hubStatus: facts.hubStatus,
    printJobs: facts.printJobs,
    now: hubClock.now,
    seq: hub.seq,
    asOf: held.asOf,

    formerChecks: offers.formerChecks,
    forgetFormerChecks: offers.forgetAnswered,

    ...createReads({ local, view, deviceId, now: hubClock.now, takeBackMs: facts.takeBackMs }),
    pluginRecords: () => [...hub.pluginRecords()],
    presence: presence.others,

    http,
    ...copies,
    ...createPrintCommands({ http, deviceKey: deviceKeys.of, actorToken: () => actors.current()?.token }),
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

  function handleAuthOk(answer: HubMessageOf<"AUTH_OK">, sentAt: number): void {
    hubClock.forget();
    hubClock.learn(answer.serverTime, sentAt, world.clock.monotonic());
    facts.authenticated(answer);
    deviceKeys.accepted(answer.hubId, answer.deviceKey);
    actors.authenticated(answer);
    if (answer.actorToken !== undefined) {
      const { id, name } = answer.user;
      outbox.renewActor({ token: answer.actorToken, user: { id, name } });
    }
    outbox.limitRate(answer.mutationRate);
    presence.forgetOthers();
    const signedIn = facts.signedIn();
    if (signedIn !== null) emitter.emit("signedIn", signedIn);
    emitter.emit("actor", actors.current());
    facts.menuChanged(answer.menuVersion ?? null);
    facts.sessionChanged(answer.session);
    pulse.start(answer);
  }

  function handleLostConnection(): void {
    pulse.lost();
    hub.dropPages();
    presence.lost();
    resync.lost();
    outbox.pause();
  }

  function stateChanged(change: StateChange): void {
    view.ordersOnHubChanged(change);
    if (change.orders.length > 0) offers.forget((posReference) => hub.order(posReference) !== undefined);
    outbox.hubChanged(change.fork);
    held.cache.changed(change);
    view.restOnHubChanged(change);
  }
}
