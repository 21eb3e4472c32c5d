import type { Emitter } from "./emitter.ts";
import type { LocalCopy } from "./local-copy.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Schemas } from "./schemas.ts";
import { createActors, type SavedActor } from "./session/actors.ts";
import { createConnection, type Receiver } from "./session/connection.ts";
import type { DeviceKeys } from "./session/device-keys.ts";
import { createHello, type DeviceReport } from "./session/hello.ts";
import type { HubClock } from "./session/hub-clock.ts";
import { createLeases } from "./session/leases.ts";
import { createPresence } from "./session/presence.ts";
import { createPulse } from "./session/pulse.ts";
import { createRequests } from "./session/requests.ts";
import { createResync } from "./session/resync.ts";
import type { SessionFacts } from "./session-facts.ts";
import { createOffers, type SavedOffer } from "./state/hub/offers.ts";
import type { TerminalEvents, VersionedOptions } from "./terminal-interface.ts";
import type { TerminalWorld } from "./world.ts";

export type Session = ReturnType<typeof createSession>;

/** The connection to the hub, with everything that uses it. */
export function createSession(deps: {
  options: Omit<VersionedOptions, "url" | "world">;
  url: () => Promise<string>;
  world: TerminalWorld;
  schemas: Schemas;
  hubClock: HubClock;
  copy: LocalCopy;
  deviceKey: DeviceKeys["get"];
  facts: SessionFacts;
  cache: ReadonlyMap<string, unknown>;
  saveCached: (key: string, value: unknown) => void;
  report: () => DeviceReport;
  outbox: () => Outbox;
  receiver: () => Receiver;
  emitter: Emitter<TerminalEvents>;
  trouble: (error: unknown) => void;
}) {
  const { options, world, schemas, hubClock, facts, cache, saveCached, report, outbox, receiver, emitter } = deps;
  const { deviceId, token, isRenamed = false, clientVersion, openSocket } = options;
  const { hub, origin } = deps.copy;
  const actors = createActors({
    saved: (cache.get("actor") as SavedActor | undefined) ?? null,
    token,
    save: (saved) => saveCached("actor", saved ?? undefined),
  });
  const connection = createConnection({
    url: async () => (origin.address = await deps.url()),
    hello: createHello({ deviceId, isRenamed, clientVersion, deviceKey: deps.deviceKey, since: hub.since, report }),
    token,
    renewToken: options.renewToken ?? (async () => null),
    openSocket,
    world,
    schemas,
    events: {
      state: (state) => emitter.emit("connection", state),
      authenticated: (answer, sentAt) => receiver().authenticated(answer, sentAt),
      token(token) {
        actors.renewed(token);
        emitter.emit("token", token);
      },
      message: (message) => receiver().message(message),
      lost: () => receiver().lost(),
      // An unreadable part of the shared state leaves a gap, which the next message reveals.
      unreadable: deps.trouble,
    },
  });
  const isOnline = () => connection.state().name === "online";
  const requests = createRequests(world, (message) => connection.send(message));
  const presence = createPresence({
    world,
    isOnline,
    actor: () => actors.current()?.token,
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
    order: hub.order,
    changed: () => emitter.emit("formerChecks", offers.formerChecks()),
  });
  const leases = createLeases({
    deviceId,
    requests,
    userName: () => (actors.current() ?? facts.signedIn())?.user.name ?? "",
    actor: () => actors.current()?.token,
    now: hubClock.now,
    events: {
      granted: () => pulse.reschedule(),
      changed(posReference, holder) {
        emitter.emit("leases", { posReference, holder });
        if (holder === null || holder.terminalId === deviceId) outbox().leaseEnded(posReference);
      },
      lost: (posReference, by) => emitter.emit("leaseLost", { posReference, by }),
    },
  });
  const pulse = createPulse({
    world,
    hubClock,
    send: connection.send,
    report,
    hasLease: leases.hasAny,
    awaitsState: () => outbox().awaitsState(),
    lostState: resync.request,
    beaten: () => void offers.send(),
  });

  return { actors, connection, isOnline, requests, presence, resync, offers, leases, pulse };
}
