import type { HubMessage } from "@comanda/protocol";
import { createLoop, type Loop } from "../loop.ts";
import type { World } from "../world.ts";

const EVERY_MS = 5_000;

/** Tells terminals how the hub stands whenever that has changed. */
export function createStatusNews(world: World, status: () => HubMessage, tell: (message: HubMessage) => void): Loop {
  let told = "";
  return createLoop(world, "status", EVERY_MS, () => {
    const now = status();
    const text = JSON.stringify(now);
    if (text === told) return;
    told = text;
    tell(now);
  });
}
