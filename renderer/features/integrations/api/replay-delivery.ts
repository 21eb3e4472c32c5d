import { callHub } from "../../../lib/hub-client.ts";

export function replayDelivery(deliveryId: number) {
  return callHub("replayDelivery", { params: { deliveryId } });
}
