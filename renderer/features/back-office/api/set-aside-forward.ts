import { callHub } from "../../../lib/hub-client.ts";

export function setAsideForward(eventId: string, note: string) {
  return callHub("setAsideForward", { params: { eventId }, body: { note } });
}
