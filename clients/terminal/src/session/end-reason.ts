import { CloseCode, type HubMessageOf } from "@comanda/protocol";

export type EndReason =
  | "replaced"
  | "unauthenticated"
  | "forbidden"
  /** Another person's terminal: that person or a manager signs in here, or a manager removes the device from the hub. */
  | "device taken"
  /** This user or address has brought too many new devices within an hour: a manager signs in here, or it is tried later. */
  | "too many devices"
  | "protocol too old"
  | "client too old";

/** Why a terminal does not connect again by itself; null where it does. `failure` came before the close. */
export function endReasonOf(code: number, failure: HubMessageOf<"AUTH_FAILED"> | null): EndReason | null {
  switch (code) {
    case CloseCode.replaced:
      return "replaced";
    case CloseCode.forbidden:
      if (failure?.errorCode === "DEVICE_TAKEN") return "device taken";
      return failure?.errorCode === "RATE_LIMITED" ? "too many devices" : "forbidden";
    case CloseCode.protocolTooOld:
      return failure?.errorCode === "CLIENT_TOO_OLD" ? "client too old" : "protocol too old";
    default:
      return null;
  }
}
