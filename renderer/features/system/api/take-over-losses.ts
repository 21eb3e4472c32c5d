import { callHub } from "../../../lib/hub-client.ts";

/** Takes over everything that can be; the answer tells what could not. */
export function takeOverLosses() {
  return callHub("takeOverLosses", { body: {} });
}
