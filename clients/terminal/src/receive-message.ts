import type { HubMessage, HubMessageOf } from "@comanda/protocol";
import type { Emitter } from "./emitter.ts";
import type { LocalCopy } from "./local-copy.ts";
import type { Outbox } from "./outbox/outbox.ts";
import { TerminalRefusal } from "./refusal.ts";
import type { Session } from "./session.ts";
import type { Receiver } from "./session/connection.ts";
import type { DeviceKeys } from "./session/device-keys.ts";
import { PRESENCE_ID } from "./session/presence.ts";
import { RESYNC_ID } from "./session/resync.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { StateChange, StateMessage } from "./state/hub/state-change.ts";
import type { View } from "./state/reads/view.ts";
import type { TerminalEvents } from "./terminal-interface.ts";

interface ReceiverDeps {
  session: Session;
  copy: LocalCopy;
  outbox: Outbox;
  facts: SessionFacts;
  deviceKeys: DeviceKeys;
  view: View;
  emitter: Emitter<TerminalEvents>;
  /** Whether the state of another hub is offered to this one. */
  proposes: boolean;
  trouble: (error: unknown) => void;
}

/** Dispatches each message of the hub. */
export function createReceiver(deps: ReceiverDeps): Receiver {
  const { session, copy, outbox, facts, emitter } = deps;
  const { actors, connection, requests, leases, presence, resync, pulse } = session;
  const { hub } = copy;
  const stateChanged = createStateListener(deps);
  const handleSync = createSyncHandler(deps, stateChanged);

  return { authenticated, message: receive, lost };

  function authenticated(answer: HubMessageOf<"AUTH_OK">, sentAt: number): void {
    pulse.restart(answer.serverTime, sentAt);
    facts.authenticated(answer);
    deps.deviceKeys.accepted(answer.hubId, answer.deviceKey);
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

  function lost(): void {
    pulse.lost();
    hub.dropPages();
    presence.lost();
    resync.lost();
    outbox.pause();
  }

  function receive(message: HubMessage): void {
    if (connection.state().name === "online") copy.noteSync();
    if (requests.answer(message)) return;
    switch (message.type) {
      case "SYNC":
        return handleSync(message);
      case "ORDER_CHANGED":
      case "ORDER_REMOVED":
      case "TABLE_CHANGED":
      case "TICKET_CHANGED":
      case "ITEM_STATE_CHANGED":
      case "TILL_CHANGED":
      case "PLUGIN_RECORD":
      case "PLUGIN_REMOVED":
        return handleState(message);
      case "ORDER_ACK":
      case "ITEM_STATE_ACK":
      case "TILL_ACK":
        return outbox.acknowledge(message);
      case "ORDER_REJECTED":
      case "TILL_REJECTED":
        return outbox.reject(message);
      case "ERROR":
        return handleError(message);
      case "HEARTBEAT_ACK":
        pulse.answered(message);
        copy.cache.noteContact();
        return leases.renewed(new Date(Date.parse(message.serverTime) + facts.leaseTtlMs()).toISOString());
      case "LEASE_CHANGED":
        return leases.changed(message.posReference, message.holder);
      case "LEASE_REVOKED":
        return leases.revoked(message.posReference, message.by);
      case "SESSION_CHANGED":
        return facts.sessionChanged(message.session);
      case "MENU_CHANGED":
        return facts.menuChanged(message.menuVersion);
      case "PRINT_CHANGED":
        return facts.printChanged(message.job);
      case "PRESENCE":
        return presence.received(message);
      case "TERMINAL_JOINED":
        return emitter.emit("terminalJoined", { terminalId: message.terminalId, userName: message.userName });
      case "TERMINAL_LEFT":
        presence.left(message.terminalId);
        return emitter.emit("terminalLeft", { terminalId: message.terminalId, userName: message.userName });
      case "HUB_STATUS":
        return facts.statusChanged(message);
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
        // The connection handles the first three; the rest are late answers to requests that have timed out.
        return;
    }
  }

  function handleState(message: StateMessage): void {
    const change = hub.apply(message);
    if (change === "known") return;
    if (change === "hole") return resync.request();
    stateChanged(change);
    if (message.type !== "ORDER_REMOVED" || message.origin === facts.signedIn()?.terminalId) return;
    const { posReference, origin: writer, mergedInto = [] } = message;
    emitter.emit("removedByOther", { posReference, origin: writer, mergedInto });
  }

  function handleError(message: HubMessageOf<"ERROR">): void {
    const { requestId: mutationId, errorCode, error, retryable } = message;
    const isOneTooMany = errorCode === "RATE_LIMITED";
    if (isOneTooMany && mutationId === PRESENCE_ID) return presence.refused();
    // For any reason: the missing changes arrive in no other way.
    if (mutationId === RESYNC_ID) resync.refused();
    if (isOneTooMany && mutationId === RESYNC_ID) return;
    deps.trouble(new TerminalRefusal(errorCode, error));
    if (mutationId !== undefined) outbox.reject({ mutationId, errorCode, error, retryable });
  }
}

/** Updates the view, the outbox and the cache after a change of the hub's state. */
function createStateListener({ session, copy, outbox, view }: ReceiverDeps): (change: StateChange) => void {
  return (change) => {
    view.ordersOnHubChanged(change);
    if (change.orders.length > 0) session.offers.forget();
    outbox.hubChanged(change.fork);
    copy.cache.changed(change);
    view.restOnHubChanged(change);
  };
}

/** Handles the pages of a SYNC. After the last one the session is online. */
function createSyncHandler(
  deps: ReceiverDeps,
  stateChanged: (change: StateChange) => void,
): (page: HubMessageOf<"SYNC">) => void {
  const { outbox, facts } = deps;
  const { connection, requests, leases, presence, resync, offers } = deps.session;
  const { hub, origin } = deps.copy;

  return handleSync;

  function handleSync(page: HubMessageOf<"SYNC">): void {
    if (page.printJobs !== undefined) facts.printJobsRead(page.printJobs);
    const change = hub.sync(page);
    if (change === null) return;
    resync.done();
    leases.replaced(hub.leases());
    offerFormer(change, page.hubId);
    stateChanged(change);
    emitRemoved(change);
    if (connection.state().name !== "authenticated") {
      leases.resume(hub.leases());
      return void offers.send();
    }
    deps.copy.noteSync();
    connection.synced();
    requests.resume();
    leases.resume(hub.leases());
    presence.resume();
    outbox.resume();
    void offers.send();
  }

  /** Emits the removals found by a full SYNC. `origin` and `mergedInto` are null if the hub did not send them. */
  function emitRemoved({ orders }: StateChange): void {
    const removed = orders.filter((posReference) => hub.order(posReference) === undefined);
    if (removed.length === 0) return;
    const removals = new Map([...hub.removals()].map((removal) => [removal.posReference, removal]));
    for (const posReference of removed) {
      const removal = removals.get(posReference);
      const mergedInto = removal === undefined ? null : (removal.mergedInto ?? []);
      const writer = removal?.origin ?? null;
      if (writer !== null && writer === facts.signedIn()?.terminalId) continue;
      deps.emitter.emit("removedByOther", { posReference, origin: writer, mergedInto });
    }
  }

  /** Offers the hub the former state: of its own history before a fork, or of another hub at the same address. */
  function offerFormer({ former }: StateChange, hubId: string): void {
    const isOfAnother = former !== undefined && former.hubId !== hubId;
    if (former !== undefined && (!isOfAnother || (origin.copyFrom === origin.address && deps.proposes)))
      offers.add(former, isOfAnother);
    origin.copyFrom = origin.address;
    offers.forget(hubId);
  }
}
