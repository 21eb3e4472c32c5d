import { callHub } from "../../../lib/hub-client.ts";

export function settlePayment(paymentId: string, note: string) {
  return callHub("settlePayment", { params: { paymentId }, body: { note } });
}
