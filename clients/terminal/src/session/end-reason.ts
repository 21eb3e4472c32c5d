import { CloseCode, type HubMessageOf } from "@comanda/protocol";

export type EndReason =
  | "replaced"
  | "unauthenticated"
  | "forbidden"
  /** The device belongs to another person, who signs in here, or a manager does, or a manager removes it from the hub. */
  | "device taken"
  | "protocol too old"
  | "client too old";

/** Returns why a terminal does not reconnect by itself, or null if it does. `failure` came before the close. */
export function endReasonOf(code: number, failure: HubMessageOf<"AUTH_FAILED"> | null): EndReason | null {
  switch (code) {
    case CloseCode.replaced:
      return "replaced";
    case CloseCode.forbidden:
      return failure?.errorCode === "DEVICE_TAKEN" ? "device taken" : "forbidden";
    case CloseCode.protocolTooOld:
      return failure?.errorCode === "CLIENT_TOO_OLD" ? "client too old" : "protocol too old";
    default:
      return null;
  }
}
