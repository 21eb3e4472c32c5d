import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { connectPracticeTerminal } from "../../practice/practice-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

it("the practice kitchen stays connected when nobody has ordered for minutes [TOUCH-181]", async () => {
  const { world: time, advance } = manualClock();
  const hub = await startTestHub({ world: time });
  const world = { ...realWorld(pino({ level: "silent" })), ...time };
  const connection = { port: hub.port, token: await hub.signIn("cashier"), deviceId: "practice-kitchen" };
  let acks = 0;
  const kitchen = await connectPracticeTerminal(world, connection, ({ type }) => {
    if (type === "HEARTBEAT_ACK") acks += 1;
  });
  onTestFinished(kitchen.close);
  for (let beats = 1; beats <= 10; beats += 1) {
    advance(20_000);
    await until(`heartbeat ${beats}`, () => acks === beats, 5_000);
  }
  const snapshot = { orderType: "takeout", lines: [] };
  const opened = kitchen.change({ type: "ORDER_UPSERT", posReference: "T/1", baseVersion: 0, snapshot });
  await expect(opened).resolves.toBeUndefined();
});
