import { callHub } from "../../../lib/hub-client.ts";

export function makeBackup() {
  return callHub("makeBackup", {});
}
