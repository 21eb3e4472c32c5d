import type { PosSession } from "@comanda/protocol";
import { createActingPeople } from "./acting-people.ts";
import { createApprovedCommands } from "./approved-commands.ts";
import { createEmitter } from "./emitter.ts";
import { createLocalCopy } from "./local-copy.ts";
import { createHubCopies } from "./http/hub-copies.ts";
import { createGuestRecords } from "./http/guest-records.ts";
import { createPrintCommands } from "./http/print-commands.ts";
import { createHubHttpWith } from "./http/hub-http.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import { createPromptReport } from "./outbox/reports/prompt-report.ts";
import { createUnsentNote } from "./outbox/reports/unsent-note.ts";
import type { OutboxEntry } from "./outbox/entries/outbox-entry.ts";
import type { DeviceKey } from "./outbox/queue/outbox-storage.ts";
import { createReceiver } from "./receive-message.ts";
import type { Schemas } from "./schemas.ts";
import type { Receiver } from "./session/connection.ts";
import { createDeviceClock } from "./session/device-clock.ts";
import { createDeviceKeys } from "./session/device-keys.ts";
import { createHubClock } from "./session/hub-clock.ts";
import { createSession, type Session } from "./session.ts";
import { createSessionFacts } from "./session-facts.ts";
import { createTableRequests } from "./session/table-requests.ts";
import { createLocalState } from "./state/replay/local-state.ts";
import { createReads } from "./state/reads/reads.ts";
import { createView } from "./state/reads/view.ts";
import type { Terminal, TerminalEvents, VersionedOptions } from "./terminal-interface.ts";
import { realWorld } from "./world.ts";

interface Stored {
  schemas: Schemas;
  loaded: readonly OutboxEntry[];
  deviceKeys: readonly DeviceKey[];
  cache: ReadonlyMap<string, unknown>;
}

export function createTerminal(options: VersionedOptions, stored: Stored): Terminal {
  const { deviceId } = options;
  const parts = createParts(options, stored);
  const { world, trouble, emitter, facts, now, copy, deviceKeys, session, local, view, http, copies } = parts;
  const { unsent, outbox, prompt, tellOutbox } = parts;
  const { actors, connection, isOnline, leases, offers, presence, pulse, requests } = session;
  const { approvedBy, commands, steps } = createApprovedCommands({
    local,
    outbox,
    leases,
    actors,
    http,
    menu: copies.menu,
    deviceKey: deviceKeys.get,
    world,
    trouble,
  });
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
      await copy.cache.stop();
      await outbox.stop();
    },
    ...createActingPeople({ actors, connection, outbox, enterPin: copies.enterPin, presence, emitter }),
    approvedBy,
    connection: connection.state,
    async checkConnection() {
      return connection.wake() ? pulse.check() : null;
    },
    signedIn: facts.signedIn,
    session: facts.session,
    hubStatus: facts.hubStatus,
    printJobs: facts.printJobs,
    now,
    seq: copy.hub.seq,
    asOf: copy.asOf,

    formerChecks: offers.formerChecks,
    formerOrder: offers.formerOrder,
    forgetFormerChecks: offers.forgetAnswered,

    ...createReads({ local, view, deviceId, now, takeBackMs: facts.takeBackMs }),
    pluginRecords: () => [...copy.hub.pluginRecords()],
    presence: presence.others,

    http,
    ...copies,
    ...createPrintCommands({ http, deviceKey: deviceKeys.get, actorToken: () => actors.current()?.token }),
    ...createGuestRecords({ http, isOnline, records: copy.hub.pluginRecords }),

    ...commands,
    ...steps,

    outbox: outbox.report,
    lostWork: unsent.lost,
    forgetLostWork() {
      unsent.forget();
      tellOutbox();
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
}

/** Creates the parts of a terminal and connects them. */
function createParts(options: VersionedOptions, { schemas, loaded, deviceKeys: loadedKeys, cache }: Stored) {
  const { deviceId, storage } = options;
  const world = options.world ?? realWorld();
  const emitter = createEmitter<TerminalEvents>();
  const trouble = (error: unknown) => emitter.emit("trouble", { error });
  const hubClock = createHubClock(world.clock);
  const { now } = hubClock;
  const saveCached = (key: string, value: unknown) => void storage.saveCache([[key, value]]).catch(trouble);
  const facts = createSessionFacts({ emitter, keepSession: (session) => saveCached("session", session) });
  const copy = createLocalCopy({ storage, cache, schemas, world, hubClock, trouble });
  if (copy.origin.syncedAt !== null) facts.restored((cache.get("session") as PosSession | undefined) ?? null);

  const deviceKeys = createDeviceKeys({ loaded: loadedKeys, storage, onTrouble: trouble });
  const hubUrl = async () => (typeof options.url === "string" ? options.url : options.url());
  const session: Session = createSession({
    options,
    url: hubUrl,
    world,
    schemas,
    hubClock,
    copy,
    deviceKey: deviceKeys.get,
    facts,
    cache,
    saveCached,
    report: () => ({ outbox: prompt.tell(), clientTime: deviceClock.report() }),
    outbox: () => outbox,
    receiver: () => receiver,
    emitter,
    trouble,
  });
  const { isOnline, connection, pulse } = session;
  const tellOutbox = () => emitter.emit("outbox", outbox.report());
  const isEmptied = loaded.length + loadedKeys.length + cache.size === 0;
  const noteStorage = options.unsentNote ?? { read: () => null, write: () => {} };
  const deviceClock = createDeviceClock(world.clock);
  const unsent = createUnsentNote(noteStorage, isEmptied, deviceClock.now);
  emitter.on("outbox", unsent.follow);
  const outbox: Outbox = createOutbox({
    storage,
    loaded,
    world,
    schemas,
    hub: copy.hub,
    now: deviceClock.now,
    menu: () => copies.menu(),
    whenCached: copy.cache.whenSaved,
    send(message) {
      if (!isOnline()) return false;
      // The hub corrects `queuedAt` by the clock offset that it knows.
      if (deviceClock.wasSet()) pulse.sendNow();
      return connection.send(message);
    },
    events: {
      changed(intents, left) {
        view.outboxChanged(intents, left);
        tellOutbox();
      },
      acknowledged(entry, answer) {
        if (answer.type === "ORDER_ACK") emitter.emit("acknowledged", { entry, answer });
        tellOutbox();
      },
      conflict: (conflict) => emitter.emit("conflict", conflict),
      pendingPins() {
        emitter.emit("pendingPins", outbox.pendingPins());
        tellOutbox();
      },
      storage(failure) {
        if (failure !== null) trouble(failure);
        tellOutbox();
      },
    },
  });
  const reportOutbox = () => unsent.report(outbox.report());
  const prompt = createPromptReport({ world, isOnline, report: reportOutbox, send: pulse.sendNow });
  for (const name of ["outbox", "conflict"] as const) emitter.on(name, prompt.follow);
  const { hub } = copy;
  const local = createLocalState(hub, outbox, {
    deviceId,
    userName: () => facts.signedIn()?.user.name ?? "",
    menu: () => copies.menu(),
    takeBackMs: facts.takeBackMs,
    hubTime: (deviceTime) => Date.parse(deviceTime) + now() - world.clock.now(),
  });
  const view = createView({ hub, local, waiting: outbox.entries, emitter, timers: world.timers, now });
  const http = createHubHttpWith(schemas, {
    url: async () => options.httpUrl ?? (await hubUrl()).replace(/^ws/, "http"),
    token: () => connection.token() || null,
  });
  const copies = createHubCopies({ http, schemas, cache, save: saveCached, deviceKey: deviceKeys.get });
  const receiver: Receiver = createReceiver({
    session,
    copy,
    outbox,
    facts,
    deviceKeys,
    view,
    emitter,
    proposes: options.proposes !== false,
    trouble,
  });

  view.outboxChanged(outbox.entries().map(({ intent }) => intent));
  return {
    world,
    trouble,
    emitter,
    facts,
    now,
    copy,
    deviceKeys,
    session,
    unsent,
    outbox,
    tellOutbox,
    prompt,
    local,
    view,
    http,
    copies,
  };
}
