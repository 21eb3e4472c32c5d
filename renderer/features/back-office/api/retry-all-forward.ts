import { callHub } from "../../../lib/hub-client.ts";

export function retryAllForward(state: "pending" | "attention") {
  return callHub("retryAllForward", { body: { state } });
}
