import { downloadFromHub } from "../../../lib/hub-client.ts";

/** One file with all that the hub knows of the order. */
export function exportOrder(posReference: string): Promise<void> {
  return downloadFromHub("exportOrder", { params: { posReference } });
}
