import { downloadFromHub } from "../../../lib/hub-client.ts";

export function downloadDiagnostics() {
  return downloadFromHub("downloadDiagnostics", {});
}
