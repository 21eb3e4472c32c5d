import { createTokenBucket, type Budget, type TokenBucket } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";

/** The share of a budget that is used. Messages may arrive closer together than they were sent. */
const PACE = 0.8;

/** Creates a bucket that uses only a share of the hub's budget. */
export function createPacedBucket({ burst, perSecond }: Budget, clock: TerminalWorld["clock"]): TokenBucket {
  const paced = { burst: Math.max(1, Math.floor(burst * PACE)), perSecond: perSecond * PACE };
  return createTokenBucket(paced, clock.monotonic);
}
