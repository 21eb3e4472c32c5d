import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { manualClock } from "../test/support/manual-clock.ts";
import { startTestHub } from "../test/support/start-test-hub.ts";

it("an answer carries the hub's time at which it is sent, however long it took [UI-1240]", async () => {
  const clock = manualClock();
  const hub = await startTestHub({ world: clock.world });
  const hubTime = () => new Date(clock.world.clock.now()).toUTCString();
  const headers = { Expect: "100-continue", "Content-Type": "application/json" };
  const outgoing = request(`${hub.url}/operator/v1/sign-in`, { method: "POST", headers });
  // The hub has begun to answer and waits for the body.
  await once(outgoing, "continue");
  clock.advance(20_000);
  outgoing.end("{}");
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  expect([answer.statusCode, answer.headers.date]).toEqual([400, hubTime()]);
  answer.resume();

  const stream = await fetch(`${hub.url}/operator/v1/stream`);
  expect(stream.headers.get("date")).toBe(hubTime());
  await stream.body?.cancel();
});
