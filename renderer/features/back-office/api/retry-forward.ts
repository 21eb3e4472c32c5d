import { callHub } from "../../../lib/hub-client.ts";

export function retryForward(eventId: string) {
  return callHub("retryForward", { params: { eventId } });
}
