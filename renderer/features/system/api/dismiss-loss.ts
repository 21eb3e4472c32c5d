import { callHub } from "../../../lib/hub-client.ts";

export function dismissLoss(lossId: string, note: string) {
  return callHub("dismissLoss", { params: { lossId }, body: { note } });
}
