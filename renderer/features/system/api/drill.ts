import { callHub } from "../../../lib/hub-client.ts";

/** Runs the practice drill; a hub without it answers NOT_FOUND. */
export function runDrill() {
  return callHub("drill", {});
}
