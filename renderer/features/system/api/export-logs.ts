import { downloadFromHub } from "../../../lib/hub-client.ts";

export function exportLogs() {
  return downloadFromHub("exportLogs", {});
}
