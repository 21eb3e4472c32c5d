import type { LeaseHolder } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";

/** Who else has a check open. Null, too, while the hub is away: what was known may be over. */
export type InUse = (posReference: string) => LeaseHolder | null;

export function otherHolderOn(terminal: Pick<Terminal, "connection" | "deviceId" | "leaseHolder">): InUse {
  return (posReference) => {
    const holder = terminal.connection().name === "online" ? terminal.leaseHolder(posReference) : null;
    return holder?.terminalId === terminal.deviceId ? null : holder;
  };
}
