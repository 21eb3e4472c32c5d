import { downloadFromHub } from "../../../lib/hub-client.ts";

export function downloadBackup(name: string) {
  return downloadFromHub("downloadBackup", { params: { name } });
}
