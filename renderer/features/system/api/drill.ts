import { callHub } from "../../../lib/hub-client.ts";

/** Runs the practice drill, on a hub that has it. */
export function runDrill() {
  return callHub("drill", {});
}
