import { z } from "zod";
import {
  LeaseAcquire,
  LeaseChanged,
  LeaseDenied,
  LeaseGranted,
  LeaseReleased,
  LeaseRelease,
  LeaseRevoked,
} from "./terminal/lease-messages.ts";
import {
  OrderAck,
  OrderChanged,
  OrderMutation,
  OrderOffer,
  OrderOfferAck,
  OrderRejected,
  OrderRemoved,
} from "./terminal/order-messages.ts";
import {
  Auth,
  AuthFailed,
  AuthOk,
  ErrorMessage,
  Heartbeat,
  HeartbeatAck,
  HubStatus,
  PluginRecordPushed,
  PluginRemoved,
  Presence,
  PresenceChanged,
  Resync,
  SessionChanged,
  Sync,
  TerminalJoined,
  TerminalLeft,
  TokenChanged,
} from "./terminal/session-messages.ts";
import {
  TableAck,
  TableChanged,
  TableLockDenied,
  TableLocked,
  TableLockRequest,
  TableReserve,
  TableUnlock,
  TableUnlocked,
  TableUnreserve,
} from "./terminal/table-messages.ts";

export * from "./terminal/limits.ts";
export { Lease, LeaseHolder, LeaseRole } from "./terminal/lease-messages.ts";
export { OrderMutation } from "./terminal/order-messages.ts";
export { Auth, OutboxReport, PosSession, Since } from "./terminal/session-messages.ts";

/** Every message a terminal may send after AUTH. Unknown fields are ignored. */
export const TerminalMessage = z.discriminatedUnion("type", [
  Auth,
  Heartbeat,
  Resync,
  Presence,
  LeaseAcquire,
  LeaseRelease,
  TableLockRequest,
  TableUnlock,
  TableReserve,
  TableUnreserve,
  OrderOffer,
  ...OrderMutation.options,
]);
export type TerminalMessage = z.infer<typeof TerminalMessage>;

export type TerminalMessageType = TerminalMessage["type"];
export type TerminalMessageOf<T extends TerminalMessageType> = Extract<TerminalMessage, { type: T }>;

/** A message as a terminal sends it, before defaults are filled in. */
export type TerminalMessageInput = z.input<typeof TerminalMessage>;

export const terminalMessageTypes: ReadonlySet<string> = new Set(
  TerminalMessage.options.flatMap((option) => [...option.shape.type.values]),
);

/** Every message the hub sends. Those with `seq` are the shared state, in order; the others are events and answers. */
export const HubMessage = z.discriminatedUnion("type", [
  AuthOk,
  AuthFailed,
  TokenChanged,
  Sync,
  HeartbeatAck,
  PresenceChanged,
  ErrorMessage,
  LeaseGranted,
  LeaseDenied,
  LeaseReleased,
  LeaseRevoked,
  LeaseChanged,
  OrderAck,
  OrderRejected,
  TableLocked,
  TableLockDenied,
  TableUnlocked,
  TableAck,
  OrderOfferAck,
  OrderChanged,
  OrderRemoved,
  TableChanged,
  PluginRecordPushed,
  PluginRemoved,
  SessionChanged,
  TerminalJoined,
  TerminalLeft,
  HubStatus,
]);
export type HubMessage = z.infer<typeof HubMessage>;

export type HubMessageType = HubMessage["type"];
export type HubMessageOf<T extends HubMessageType> = Extract<HubMessage, { type: T }>;
