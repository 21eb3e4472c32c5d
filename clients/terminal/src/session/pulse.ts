import type { HubMessageOf, TerminalMessageInput } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createHeartbeat } from "./heartbeat.ts";
import type { DeviceReport } from "./hello.ts";
import type { HubClock } from "./hub-clock.ts";

/** The heartbeats of a session, what their answers tell of the hub's clock, and checks of the connection by hand. */
export function createPulse(deps: {
  world: TerminalWorld;
  hubClock: HubClock;
  send: (message: TerminalMessageInput) => boolean;
  report: () => DeviceReport;
  isLeaseKept: () => boolean;
  /** Whether an answer named a state that has not arrived. */
  awaitsState: () => boolean;
  /** It did not arrive within a heartbeat: something was lost. */
  lostState: () => void;
  /** After each heartbeat of its own time. */
  beaten: () => void;
}) {
  const { world, hubClock, send, report, awaitsState } = deps;
  const heartbeat = createHeartbeat(world, deps.isLeaseKept, beat);
  let newestSentAt = 0;
  let awaitedState = false;
  let checks: ((roundTripMs: number | null) => void)[] = [];

  function beat(): void {
    sendNow();
    if (awaitedState && awaitsState()) deps.lostState();
    awaitedState = awaitsState();
    deps.beaten();
  }

  /** The answer brings back when its heartbeat was sent: by then another may be on its way. */
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
    /** What was learned of the hub's clock over another connection does not count. */
    learnAnew(serverTime: string, helloSentAt: number): void {
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
    /** How long the hub takes to answer now, in ms; null when the connection is lost meanwhile. */
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
