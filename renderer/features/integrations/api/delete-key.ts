import { callHub } from "../../../lib/hub-client.ts";

export function deleteKey(keyId: string) {
  return callHub("deleteKey", { params: { keyId } });
}
