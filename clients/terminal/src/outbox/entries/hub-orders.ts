import type { StoredOrder } from "@comanda/protocol";

/** The hub's orders as this device has them. */
export type HubOrders = (posReference: string) => StoredOrder | undefined;
