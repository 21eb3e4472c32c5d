import { callHub } from "../../../lib/hub-client.ts";

export function updateKey(keyId: string, enabled: boolean) {
  return callHub("updateKey", { params: { keyId }, body: { enabled } });
}
