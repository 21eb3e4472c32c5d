import type { HubMessageOf, TerminalMessageInput } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createHeartbeat } from "./heartbeat.ts";
import type { DeviceReport } from "./hello.ts";
import type { HubClock } from "./hub-clock.ts";

/** The heartbeats of a session, the hub clock samples from their answers, and connection checks on request. */
export function createPulse(deps: {
  world: TerminalWorld;
  hubClock: HubClock;
  send: (message: TerminalMessageInput) => boolean;
  report: () => DeviceReport;
  hasLease: () => boolean;
  /** Whether an answer named a state that has not arrived yet. */
  awaitsState: () => boolean;
  /** Called if that state did not arrive within a heartbeat: a message was lost. */
  lostState: () => void;
  /** Called after each scheduled heartbeat. */
  beaten: () => void;
}) {
  const { world, hubClock, send, report, awaitsState } = deps;
  const heartbeat = createHeartbeat(world, deps.hasLease, beat);
  let newestSentAt = 0;
  let wasAwaiting = false;
  let checks: ((roundTripMs: number | null) => void)[] = [];

  function beat(): void {
    sendNow();
    if (wasAwaiting && awaitsState()) deps.lostState();
    wasAwaiting = awaitsState();
    deps.beaten();
  }

  /** The request id is the send time, because another heartbeat may be sent before the answer arrives. */
  function sendNow(): void {
    newestSentAt = world.clock.monotonic();
    send({ type: "HEARTBEAT", requestId: String(newestSentAt), ...report() });
  }

  function checked(roundTripMs: number | null): void {
    const waiting = checks;
    checks = [];
    for (const resolve of waiting) resolve(roundTripMs);
  }

  return {
    start: heartbeat.start,
    reschedule: heartbeat.reschedule,
    /** Starts over with the hub's clock on a new connection. */
    restart(serverTime: string, helloSentAt: number): void {
      hubClock.forget();
      hubClock.learn(serverTime, helloSentAt, world.clock.monotonic());
    },
    sendNow,
    answered({ serverTime, requestId }: HubMessageOf<"HEARTBEAT_ACK">): void {
      const now = world.clock.monotonic();
      const sentAt = requestId === undefined ? newestSentAt : Number(requestId);
      hubClock.learn(serverTime, sentAt, now);
      checked(now - sentAt);
    },
    /** Measures the hub's response time in ms; null if the connection is lost first. */
    check(): Promise<number | null> {
      const { promise, resolve } = Promise.withResolvers<number | null>();
      checks.push(resolve);
      sendNow();
      return promise;
    },
    lost(): void {
      heartbeat.stop();
      checked(null);
    },
  };
}
