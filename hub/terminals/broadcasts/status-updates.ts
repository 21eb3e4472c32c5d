import type { HubMessage } from "@comanda/protocol";
import { createLoop, type Loop } from "../../platform/loop.ts";
import type { World } from "../../platform/world.ts";

const EVERY_MS = 5_000;
/** Changes come in bursts: the first is sent at once, the rest together after this time. */
const GATHER_MS = 100;

/** Sends HUB_STATUS to the terminals whenever it has changed. */
export function createStatusUpdates(
  world: World,
  status: () => HubMessage,
  send: (message: HubMessage) => void,
): Pick<Loop, "start" | "wake" | "stop"> & { read(): HubMessage } {
  let lastSent = "";
  let gathering: NodeJS.Timeout | undefined;
  let isPending = false;
  const loop = createLoop(world, "status", EVERY_MS, () => {
    const now = status();
    const text = JSON.stringify(now);
    if (text === lastSent) return;
    lastSent = text;
    send(now);
  });

  function wake(): void {
    isPending = gathering !== undefined;
    if (isPending) return;
    loop.wake();
    gathering = world.timers.setTimeout(() => {
      gathering = undefined;
      if (isPending) wake();
    }, GATHER_MS);
  }

  return {
    /** Returns the status for one terminal. If it differs from the last one sent, the next run sends it to all. */
    read(): HubMessage {
      const now = status();
      if (JSON.stringify(now) !== lastSent) lastSent = "";
      return now;
    },
    start: loop.start,
    wake,
    stop() {
      world.timers.clearTimeout(gathering);
      return loop.stop();
    },
  };
}
