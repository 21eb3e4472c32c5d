import type { ReservationPhase } from "@comanda/protocol";
import type { Tone } from "../../components/status-mark.tsx";

export const phaseTone: Record<ReservationPhase, Tone> = {
  invisible: "idle",
  upcoming: "accent",
  due: "good",
  late: "warn",
  ended: "idle",
};
