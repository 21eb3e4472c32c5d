// Program of the practice thread: a whole hub beside the real one, with its own file and back-office.
import { parentPort, workerData } from "node:worker_threads";
import { createHub } from "./hub.ts";
import { createLog } from "./platform/log.ts";
import { realWorld } from "./platform/world.ts";
import type { PracticeEvent, PracticeInput, PracticeOrder } from "./practice/practice-messages.ts";
import { runPractice } from "./practice/run-practice.ts";

const port = parentPort;
if (port === null) throw new Error("the practice runs in a thread of the hub");
const world = realWorld(createLog("silent"));
const practice = await runPractice(
  world,
  workerData as PracticeInput,
  (config) => createHub(config, world, { arePinsOpen: true }),
  (event: PracticeEvent) => port.postMessage(event),
);
port.on("message", (_order: PracticeOrder) => {
  // Ends the thread, not the hub.
  void practice.stop().finally(() => process.exit());
});
