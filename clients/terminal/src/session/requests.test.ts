import type { TerminalMessageInput } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { manualWorld } from "../../test/manual-world.ts";
import { createRequests } from "./requests.ts";

describe("createRequests", () => {
  it("a request refused by the rate limit is repeated within its time [CLIENT-102]", async () => {
    const world = manualWorld();
    const sent: (TerminalMessageInput & { requestId?: string | undefined })[] = [];
    const requests = createRequests(world, (message) => sent.push(message) > 0);
    const answer = requests.send({ type: "LEASE_RELEASE", posReference: "A" }, "timed out");
    const requestId = sent[0]?.requestId ?? "";
    const refusal = { type: "ERROR", requestId, errorCode: "RATE_LIMITED", error: "", retryable: true } as const;
    expect(requests.answer(refusal)).toBe(true);
    expect(sent).toHaveLength(1);
    world.advance(1_000);
    expect(sent[1]).toEqual(sent[0]);
    requests.answer({ type: "LEASE_RELEASED", requestId, posReference: "A" });
    expect(await answer).toMatchObject({ type: "LEASE_RELEASED" });
    world.advance(20_000);
    expect(sent).toHaveLength(2);
  });

  it("a request that is refused for all of its time is given up [CLIENT-102]", async () => {
    const world = manualWorld();
    const requests = createRequests(world, (message) => {
      const requestId = "requestId" in message ? message.requestId : "";
      world.timers.after(1, () =>
        requests.answer({ type: "ERROR", requestId, errorCode: "RATE_LIMITED", error: "", retryable: true }),
      );
      return true;
    });
    const answer = requests.send({ type: "LEASE_RELEASE", posReference: "A" }, "timed out");
    for (let n = 0; n < 100; n += 1) world.advance(100);
    await expect(answer).rejects.toThrow("timed out");
  });
});
