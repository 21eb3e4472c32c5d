import { callHub } from "../../../lib/hub-client.ts";

/** Writes the content of `version` as a new version. */
export function revertOrder(posReference: string, version: number, baseVersion: number) {
  return callHub("revertOrder", { params: { posReference }, body: { version, baseVersion } });
}
