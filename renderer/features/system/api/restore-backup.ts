import { callHub } from "../../../lib/hub-client.ts";

export function restoreBackup(name: string) {
  return callHub("restoreBackup", { params: { name }, body: { confirm: name } });
}
