import { callHub } from "../../../lib/hub-client.ts";

export function takeOverLoss(lossId: string) {
  return callHub("takeOverLoss", { params: { lossId }, body: {} });
}
