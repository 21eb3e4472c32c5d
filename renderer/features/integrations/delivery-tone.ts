import type { DeliveryState } from "@comanda/protocol";
import type { Tone } from "../../components/status-mark.tsx";

export const deliveryTone: Record<DeliveryState, Tone> = {
  pending: "accent",
  delivered: "good",
  dead: "bad",
  parked: "idle",
};
