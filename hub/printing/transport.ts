import type { World } from "../platform/world.ts";
import type { Line } from "./line.ts";
import { openQueue } from "./print-queue.ts";
import { openTcp, RAW_PORT } from "./tcp-line.ts";

/** Opens a line to a printer and asks its state. Throws a PrintFailure if it cannot be reached. */
export function openLine(world: World, address: string): Promise<Line> {
  if (address.startsWith("queue:")) return openQueue(world, address.slice("queue:".length));
  const { hostname, port } = new URL(address);
  return openTcp(world, hostname.replace(/^\[|\]$/g, ""), port === "" ? RAW_PORT : Number(port));
}
