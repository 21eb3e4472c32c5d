import type { IncomingMessage } from "node:http";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import { createRequestLanes, type RequestLimits } from "./request-lanes.ts";

/** Request lanes, with the names of the requests that began and of those that were refused. */
function open(limits: Partial<RequestLimits> = {}) {
  const clock = manualClock();
  const world = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  const lanes = createRequestLanes(world, (request) => (request as unknown as { peer: string }).peer, limits);
  const begun: string[] = [];
  const refused: string[] = [];
  const from = (peer: string, authorization?: string): IncomingMessage =>
    ({ peer, headers: { authorization } }) as unknown as IncomingMessage;
  return {
    clock,
    begun,
    refused,
    from,
    lanes,
    ask(request: IncomingMessage, name: string): void {
      lanes.take(request, { begin: () => begun.push(name), refuse: () => refused.push(name) });
    },
    /** Waits for the next event-loop turn, which begins waiting requests. */
    turn: () => new Promise<void>((resolve) => setImmediate(resolve)),
    /** Returns the requests begun since the last call. */
    newly: () => begun.splice(0),
  };
}

describe("requests of strangers", () => {
  it("a stranger's request begins at once while none are waiting [HUB-71]", () => {
    const { ask, from, begun } = open();
    ask(from("a"), "a1");
    expect(begun).toEqual(["a1"]);
  });

  it("strangers' requests take turns by address, a few per turn of the event loop [HUB-71]", async () => {
    const { ask, from, newly, turn } = open({ othersPerTurn: 2 });
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) ask(from("a"), name);
    ask(from("b"), "b1");
    ask(from("c"), "c1");
    expect(newly()).toEqual(["a1", "a2"]);
    await turn();
    expect(newly()).toEqual(["a3", "b1"]);
    await turn();
    expect(newly()).toEqual(["c1", "a4"]);
    await turn();
    expect(newly()).toEqual(["a5"]);
  });

  it("strangers' requests wait for their address's budget without delaying other addresses [HUB-71]", async () => {
    const { ask, from, newly, turn, clock } = open({ perAddress: { burst: 2, perSecond: 10 } });
    for (const name of ["a1", "a2", "a3", "a4"]) ask(from("a"), name);
    expect(newly()).toEqual(["a1", "a2"]);
    await turn();
    await turn();
    ask(from("b"), "b1");
    expect(newly()).toEqual(["b1"]);
    clock.advance(120);
    expect(newly()).toEqual(["a3"]);
    await turn();
    clock.advance(120);
    expect(newly()).toEqual(["a4"]);
  });

  it("strangers' requests are refused when too many of their address wait [HUB-71]", async () => {
    const { ask, from, refused, begun } = open({ perAddress: { burst: 1, perSecond: 1 }, waitingPerAddress: 2 });
    for (const name of ["a1", "a2", "a3", "a4"]) ask(from("a"), name);
    ask(from("b"), "b1");
    expect(refused).toEqual(["a4"]);
    expect(begun).toEqual(["a1", "b1"]);
  });
});

describe("requests with an accepted session or key", () => {
  it("requests with an accepted session or key go first and take turns by caller [HUB-72]", async () => {
    const { ask, from, lanes, newly, turn } = open({ othersPerTurn: 1, acceptedPerTurn: 2 });
    lanes.accept(from("a", "Bearer ana"), "user 1");
    lanes.accept(from("a", "Bearer ben"), "user 2");
    for (const name of ["s1", "s2"]) ask(from("a"), name);
    for (const name of ["ana1", "ana2", "ana3", "ana4"]) ask(from("a", "Bearer ana"), name);
    ask(from("a", "Bearer ben"), "ben1");
    expect(newly()).toEqual(["s1", "ana1", "ana2"]);
    await turn();
    expect(newly()).toEqual(["ana3", "ben1", "s2"]);
    await turn();
    expect(newly()).toEqual(["ana4"]);
  });

  it("accepted requests need no budget of their address until a minute after the last one [HUB-72]", () => {
    const { ask, from, lanes, newly, clock } = open({ perAddress: { burst: 1, perSecond: 0.001 } });
    const request = from("a", "Bearer ana");
    lanes.accept(request, "user 1");
    for (const name of ["1", "2", "3"]) ask(request, name);
    expect(newly()).toEqual(["1", "2", "3"]);
    clock.advance(60_001);
    for (const name of ["4", "5"]) ask(request, name);
    expect(newly()).toEqual(["4"]);
  });

  it("accepted requests beyond their caller's budget, over all sessions, count as strangers' [HUB-72]", async () => {
    const { ask, from, lanes, newly, refused, clock } = open({
      perPayer: { burst: 3, perSecond: 10 },
      perAddress: { burst: 1, perSecond: 0.001 },
      waitingPerAddress: 1,
    });
    for (const token of ["Bearer ana", "Bearer ana's second"]) lanes.accept(from("a", token), "user 1");
    lanes.accept(from("a", "Bearer ben"), "user 2");
    for (const name of ["1", "2"]) ask(from("a", "Bearer ana"), name);
    for (const name of ["3", "4", "5", "6"]) ask(from("a", "Bearer ana's second"), name);
    ask(from("a", "Bearer ben"), "ben");
    expect(newly()).toEqual(["1", "2", "3", "4", "ben"]);
    expect(refused).toEqual(["6"]);
    clock.advance(100);
    for (const name of ["7", "8"]) ask(from("a", "Bearer ana"), name);
    expect(newly()).toEqual(["7"]);
  });
});
