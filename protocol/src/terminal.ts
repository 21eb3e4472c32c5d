import { z } from "zod";
import * as leases from "./terminal/lease-messages.ts";
import * as orders from "./terminal/order-messages.ts";
import * as session from "./terminal/session-messages.ts";
import * as tables from "./terminal/table-messages.ts";
import * as tills from "./terminal/till-messages.ts";

export * from "./terminal/limits.ts";
export { Lease, LeaseHolder, LeaseRole } from "./terminal/lease-messages.ts";
export { OrderMutation, OrderRejected } from "./terminal/order-messages.ts";
export { Auth, OutboxReport, PosSession, Since } from "./terminal/session-messages.ts";

/** Every message that a terminal may send after AUTH. Unknown fields are ignored. */
export const TerminalMessage = z.discriminatedUnion("type", [
  session.Auth,
  session.Heartbeat,
  session.Resync,
  session.Presence,
  leases.LeaseAcquire,
  leases.LeaseRelease,
  tables.TableLockRequest,
  tables.TableUnlock,
  tables.TableReserve,
  tables.TableUnreserve,
  orders.OrderOffer,
  ...orders.OrderMutation.options,
]);
export type TerminalMessage = z.infer<typeof TerminalMessage>;

export type TerminalMessageType = TerminalMessage["type"];
export type TerminalMessageOf<T extends TerminalMessageType> = Extract<TerminalMessage, { type: T }>;

/** A message as a terminal sends it, before defaults are filled in. */
export type TerminalMessageInput = z.input<typeof TerminalMessage>;

// Marked pure, so that a page that does not use it does not bundle the schemas.
export const terminalMessageTypes: ReadonlySet<string> = /* @__PURE__ */ typesOf(TerminalMessage);

function typesOf({ options }: typeof TerminalMessage): ReadonlySet<string> {
  return new Set(options.flatMap((option) => [...option.shape.type.values]));
}

/** Every message that the hub sends. Those with `seq` change the shared state, in order; the rest are events and answers. */
export const HubMessage = z.discriminatedUnion("type", [
  session.AuthOk,
  session.AuthFailed,
  session.TokenChanged,
  session.Sync,
  session.HeartbeatAck,
  session.PresenceChanged,
  session.ErrorMessage,
  leases.LeaseGranted,
  leases.LeaseDenied,
  leases.LeaseReleased,
  leases.LeaseRevoked,
  leases.LeaseChanged,
  orders.OrderAck,
  orders.OrderRejected,
  tables.TableLocked,
  tables.TableLockDenied,
  tables.TableUnlocked,
  tables.TableAck,
  orders.OrderOfferAck,
  orders.OrderChanged,
  orders.TicketChanged,
  orders.ItemStateAck,
  orders.ItemStateChanged,
  orders.OrderRemoved,
  tills.TillAck,
  tills.TillRejected,
  tills.TillChanged,
  tables.TableChanged,
  session.PluginRecordPushed,
  session.PluginRemoved,
  session.SessionChanged,
  session.MenuChanged,
  session.PrintChanged,
  session.TerminalJoined,
  session.TerminalLeft,
  session.HubStatus,
]);
export type HubMessage = z.infer<typeof HubMessage>;

export type HubMessageType = HubMessage["type"];
export type HubMessageOf<T extends HubMessageType> = Extract<HubMessage, { type: T }>;
