import type { HubMessage } from "@comanda/protocol";
import { createLoop, type Loop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";

const EVERY_MS = 5_000;
/** Changes come in bursts: the first is told at once, and what the others add up to after this time. */
const GATHER_MS = 100;

/** Tells terminals how the hub stands whenever that has changed. */
export function createStatusNews(
  world: World,
  status: () => HubMessage,
  tell: (message: HubMessage) => void,
): Pick<Loop, "start" | "wake" | "stop"> {
  let told = "";
  let gathering: NodeJS.Timeout | undefined;
  let isWanted = false;
  const loop = createLoop(world, "status", EVERY_MS, () => {
    const now = status();
    const text = JSON.stringify(now);
    if (text === told) return;
    told = text;
    tell(now);
  });

  function wake(): void {
    isWanted = gathering !== undefined;
    if (isWanted) return;
    loop.wake();
    gathering = world.timers.setTimeout(() => {
      gathering = undefined;
      if (isWanted) wake();
    }, GATHER_MS);
  }

  return {
    start: loop.start,
    wake,
    stop() {
      world.timers.clearTimeout(gathering);
      return loop.stop();
    },
  };
}
