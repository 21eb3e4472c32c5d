import { callHub } from "../../../lib/hub-client.ts";

export function verifyBackup(name: string) {
  return callHub("verifyBackup", { params: { name } });
}
