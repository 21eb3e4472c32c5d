import { logEvent } from "../../platform/log-event.ts";
import {
  type Auth,
  BATCH_CAPABILITY,
  CloseCode,
  type HubMessageOf,
  OFFERS_CAPABILITY,
  PROPOSALS_CAPABILITY,
  PROTOCOL_VERSION,
} from "@comanda/protocol";
import type { Identified } from "../../back-office/confirmations.ts";
import { createTurns } from "../../platform/turns.ts";
import { createTurnstile } from "../../platform/turnstile.ts";
import { isoTime } from "../../platform/world.ts";
import { admitDevice } from "./admit-device.ts";
import type { Broadcaster } from "../broadcasts/broadcaster.ts";
import { identifyUser, readAuth } from "./identify-user.ts";
import { createMessageBudget } from "../messages/message-budget.ts";
import { createSharedBudgets, type SharedBudgets } from "../messages/shared-budgets.ts";
import { requirePlace } from "./connection-limits.ts";
import type { SessionRegistry } from "../sessions/session-registry.ts";
import type { SyncSender } from "../sync/sync-sender.ts";
import { createTerminalClock } from "../terminal-clock.ts";
import { noSession, type TerminalDeps } from "../terminal-deps.ts";
import {
  type ActiveTerminal,
  type EarlyMessages,
  takesBatches,
  type TerminalSession,
} from "../sessions/terminal-session.ts";

/** Sign-ins per event-loop turn, at about a millisecond each. A whole restaurant reconnects within a few turns. */
const ADMITTED_PER_TURN = 4;

export type SignIn = ReturnType<typeof createSignIn>;

/**
 * Signs a connection in with its first message, the AUTH. Resolves with the terminal once AUTH_OK and its first SYNC are sent,
 * or with null if the connection has ended meanwhile. Throws AuthRefused.
 */
export function createSignIn(parts: {
  deps: TerminalDeps;
  sessions: SessionRegistry;
  broadcaster: Broadcaster;
  syncs: SyncSender;
  isStopping: () => boolean;
  onActive: (session: TerminalSession) => void;
}) {
  const { deps, sessions, broadcaster, syncs, isStopping, onActive } = parts;
  const shared = createSharedBudgets(deps.world.clock.monotonic, deps.config.mutationRateMax);
  /** One sign-in per device at a time: the second must see which user the first one stored. */
  const inTurn = createTurns();
  const enter = createTurnstile(deps.world, ADMITTED_PER_TURN);

  function canAnswer({ socket }: TerminalSession): boolean {
    return !isStopping() && socket.readyState === socket.OPEN;
  }

  async function admit(session: TerminalSession, auth: Auth, identified: Identified): Promise<ActiveTerminal | null> {
    await enter();
    const { state } = session;
    // The socket may have closed, or the hub stopped, during the back-office request.
    if (state.kind !== "identifying" || !canAnswer(session)) return null;
    const older = sessions.sessionOf(auth.deviceId);
    if (older !== undefined && older.ordinal > session.ordinal) {
      replace(session);
      return null;
    }
    const requireOwnPlace = (): void => {
      const others = sessions.connected().filter(({ active }) => active.terminalId !== auth.deviceId);
      requirePlace(others, { userId: identified.identity.userId, address: session.address });
    };
    requireOwnPlace();
    const active = activeTerminal(deps, { auth, identified, address: session.address, early: state.early, shared });
    const { deviceKey, actorToken, formerName } = await admitDevice(deps, {
      active,
      address: session.address,
      shownKey: auth.deviceKey,
      isRenamed: auth.renamed === true,
      present: older?.state.kind === "active" ? older.state.active.identity : null,
      isConnected: (terminalId) => sessions.sessionOf(terminalId) !== undefined,
    });
    // Closes the device's connection under its former name, if the hub has not seen it end yet.
    if (formerName !== null)
      sessions.sessionOf(formerName)?.close(CloseCode.replaced, `this device is ${auth.deviceId} now`);
    // Only after the admission: the claim of a refused device proves nothing.
    await deps.reportLossOf(auth.since);
    if (session.state !== state || !canAnswer(session)) return null;
    // Others may have signed in meanwhile.
    requireOwnPlace();
    active.actorToken = actorToken;
    const replaced = sessions.sessionOf(auth.deviceId);
    const place = replaced?.state.kind === "active" ? replaced.state.active.arrival : undefined;
    if (replaced !== undefined) replace(replaced);
    sessions.use(active.terminalId, session);
    deps.onTerminal(replaced === undefined ? "joined" : "replaced", active);
    session.state = { kind: "active", active };
    onActive(session);
    deps.leases.connect(active.terminalId);
    const hello = authOk(deps, auth, identified, active, deviceKey);
    broadcaster.answer(session, hello, auth.requestId);
    await syncs.send(session, auth.since);
    active.takesBatches = takesBatches(auth.caps);
    syncs.sendUpdates(session, hello);
    sendPresences(session);
    broadcaster.join(active, place);
    const user = identified.identity.userName;
    deps.world.log.info(
      logEvent("terminal_connected", { terminalId: active.terminalId, user, offline: active.offline }),
      "terminal connected",
    );
    return active;
  }

  function sendPresences(session: TerminalSession): void {
    for (const { active } of sessions.connected()) {
      if (Object.keys(active.presence).length === 0) continue;
      const { terminalId, presentName: userName, presence } = active;
      broadcaster.answer(session, { type: "PRESENCE", terminalId, userName, ...presence });
    }
  }

  return async function signIn(session: TerminalSession, text: string): Promise<ActiveTerminal | null> {
    const auth = readAuth(text);
    session.state = { kind: "identifying", token: auth.token, early: { texts: [], bytes: 0 } };
    const identified = await identifyUser(deps, auth, session.address);
    return inTurn(() => admit(session, auth, identified), auth.deviceId);
  };
}

/** Closes a connection because a newer one of the same device replaces it. */
function replace(older: TerminalSession): void {
  older.state = { kind: "gone" };
  older.close(CloseCode.replaced, "replaced by a newer connection of this device");
}

function activeTerminal(
  { world: { clock }, terminalStore, config }: Pick<TerminalDeps, "world" | "terminalStore" | "config">,
  input: { auth: Auth; identified: Identified; address: string; early: EarlyMessages; shared: SharedBudgets },
): ActiveTerminal {
  const { auth, address, early, shared } = input;
  const { identity, offline, newToken } = input.identified;
  const from = { userId: identity.userId, address };
  const stored = terminalStore.get(auth.deviceId);
  return {
    terminalId: auth.deviceId,
    token: newToken ?? auth.token,
    identity,
    actorToken: null,
    offline,
    clientVersion: auth.clientVersion ?? null,
    protocolVersion: auth.protocolVersion,
    connectedAt: clock.now(),
    clock: createTerminalClock(clock, auth.clientTime, stored?.clockOffsetMs ?? null),
    outbox: auth.outbox,
    outboxEmptyAt: auth.outbox?.pending === 0 ? clock.now() : (stored?.outboxEmptyAt ?? null),
    presence: {},
    presentName: identity.userName,
    budget: createMessageBudget(clock.monotonic, config.mutationRateMax, 1, (...message) =>
      shared.admits(from, ...message),
    ),
    takesBatches: false,
    seq: 0,
    isBehind: false,
    isSynced: false,
    arrival: Infinity,
    early,
    resync: null,
  };
}

function authOk(
  { config, pos, sync, offers }: Pick<TerminalDeps, "config" | "pos" | "sync" | "offers">,
  auth: Auth,
  { identity: user, offline, newToken }: Identified,
  { terminalId, actorToken, connectedAt }: ActiveTerminal,
  deviceKey: string | null,
): HubMessageOf<"AUTH_OK"> {
  const { hubId, epoch } = sync.identity();
  const { own, others } = offers.areAccepted();
  const caps = [BATCH_CAPABILITY, ...(own ? [OFFERS_CAPABILITY] : []), ...(others ? [PROPOSALS_CAPABILITY] : [])];
  return {
    type: "AUTH_OK",
    terminalId,
    user: { id: user.userId, name: user.userName, role: user.role, permissions: user.permissions },
    ...(deviceKey !== null && { deviceKey }),
    session: pos.session() ?? noSession,
    hubId,
    epoch,
    protocolVersion: PROTOCOL_VERSION,
    caps: caps.filter((cap) => auth.caps?.includes(cap)),
    minClientVersion: pos.minClientVersion(),
    heartbeatMs: config.heartbeatMs,
    leaseTtlMs: config.leaseTtlMs,
    takeBackMs: config.takeBackMs,
    graceMs: config.graceMs,
    mutationRate: config.mutationRateMax,
    serverTime: isoTime(connectedAt),
    offline,
    menuVersion: pos.menuVersion(),
    ...(actorToken !== null && { actorToken }),
    ...(newToken !== undefined && { token: newToken }),
  };
}
