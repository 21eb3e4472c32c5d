import { describe, expect, it, onTestFinished } from "vitest";
import { missingNats } from "../test/nats-server.ts";
import { startTestHeadquarters } from "../test/start-test-headquarters.ts";

describe.skipIf(missingNats !== null)("health", () => {
  it("/health names a database that does not answer, without waiting for it [HQ-223]", async () => {
    const headquarters = await startTestHeadquarters();
    onTestFinished(() => headquarters.stop());
    const health = async () => {
      const answer = await fetch(`${headquarters.url}/health`);
      return [answer.status, await answer.json()];
    };
    expect(await health()).toEqual([200, { status: "ok", reasons: [] }]);
    // The embedded database has one connection, so other queries wait.
    const mayEnd = Promise.withResolvers<void>();
    const busy = headquarters.database.transaction(() => mayEnd.promise);
    expect(await health()).toEqual([503, { status: "degraded", reasons: ["database"] }]);
    mayEnd.resolve();
    await busy;
  });
});
