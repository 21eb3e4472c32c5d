import { callHub } from "../../../lib/hub-client.ts";

export function releaseLease(posReference: string) {
  return callHub("releaseLease", { params: { posReference } });
}
