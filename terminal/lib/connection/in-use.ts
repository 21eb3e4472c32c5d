import type { LeaseHolder } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { createStore, useStore, type Store } from "@comanda/ui/store.ts";
import { useTerminal } from "./pos.ts";

/** Returns who else has a check open; null also while the hub is unreachable, since the lease may be over. */
export type InUse = (posReference: string) => LeaseHolder | null;

export function otherHolderOn(terminal: Pick<Terminal, "connection" | "deviceId" | "leaseHolder">): InUse {
  return (posReference) => {
    const holder = terminal.connection().name === "online" ? terminal.leaseHolder(posReference) : null;
    return holder?.terminalId === terminal.deviceId ? null : holder;
  };
}

const stores = new WeakMap<Terminal, Store<InUse>>();

/** Live version of `otherHolderOn`. Separate from `LiveTerminal`, to keep it out of the kitchen's first load. */
export function useInUse(): InUse {
  return useStore(storeOf(useTerminal()));
}

function storeOf(terminal: Terminal): Store<InUse> {
  const existing = stores.get(terminal);
  if (existing !== undefined) return existing;
  const store = createStore(otherHolderOn(terminal));
  stores.set(terminal, store);
  const renew = (): void => store.set(otherHolderOn(terminal));
  terminal.on("leases", renew);
  terminal.on("connection", renew);
  return store;
}
