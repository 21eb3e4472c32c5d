import type { LeaseHolder } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { createStore, useStore, type Store } from "@comanda/ui/store.ts";
import { useTerminal } from "./pos.ts";

/** Who else has a check open. Null, too, while the hub is away: what was known may be over. */
export type InUse = (posReference: string) => LeaseHolder | null;

export function otherHolderOn(terminal: Pick<Terminal, "connection" | "deviceId" | "leaseHolder">): InUse {
  return (posReference) => {
    const holder = terminal.connection().name === "online" ? terminal.leaseHolder(posReference) : null;
    return holder?.terminalId === terminal.deviceId ? null : holder;
  };
}

const stores = new WeakMap<Terminal, Store<InUse>>();

/** The same, live. Apart from what every screen watches: a kitchen's first load goes without it. */
export function useInUse(): InUse {
  return useStore(storeOf(useTerminal()));
}

function storeOf(terminal: Terminal): Store<InUse> {
  const known = stores.get(terminal);
  if (known !== undefined) return known;
  const store = createStore(otherHolderOn(terminal));
  stores.set(terminal, store);
  const renew = (): void => store.set(otherHolderOn(terminal));
  terminal.on("leases", renew);
  terminal.on("connection", renew);
  return store;
}
