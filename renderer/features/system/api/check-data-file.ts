import { callHub } from "../../../lib/hub-client.ts";

export function checkDataFile() {
  return callHub("checkDataFile", {});
}
