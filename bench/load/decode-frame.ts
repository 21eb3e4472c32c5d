import { isUndamaged } from "./bench-order.ts";
import type { Flavour } from "./flavour.ts";

/** A change of the shared state, decoded once for all terminals that receive the same bytes. */
export interface Change {
  seq: number;
  /** Null for a change that is not of an order, such as a table's. */
  order: { posReference: string; version: number; damaged: boolean } | null;
}

export interface Acknowledgement {
  posReference: string;
  version: number;
}

export interface SyncPage {
  seq: number;
  hubId: string;
  epoch: string;
  mode: string;
  more: boolean;
  orders: { posReference: string; version: number; damaged: boolean }[];
}

export interface Frame {
  changes: Change[];
  acknowledgements: Acknowledgement[];
  syncs: SyncPage[];
  /** Whole messages of all other types: AUTH_OK, ORDER_REJECTED, ERROR and notifications. */
  others: Record<string, unknown>[];
}

/** The fields that are read of any message; each is checked where it is used. */
interface Message {
  type: string;
  seq?: number;
  posReference?: string;
  version?: number;
  order?: { snapshot: unknown };
  orders?: { posReference: string; version: number; snapshot: unknown }[];
  hubId?: string;
  epoch?: string;
  mode?: string;
  more?: boolean;
}

/** Prefix of the references that this benchmark writes; the content of other orders (none are expected) is not checked. */
export const BENCH_PREFIX = "BENCH/";

export function decodeFrame(flavour: Flavour, bytes: Buffer): Frame {
  const frame: Frame = { changes: [], acknowledgements: [], syncs: [], others: [] };
  for (const message of flavour === "comanda" ? messagesOf(bytes) : socketIoMessages(bytes)) sort(message, frame);
  return frame;
}

function messagesOf(bytes: Buffer): Message[] {
  const value = JSON.parse(bytes.toString()) as Message | Message[];
  return Array.isArray(value) ? value : [value];
}

/** Decodes an Engine.IO message (4) with a Socket.IO event (2) `["NAME", message]` or acknowledgement (3) `id[message]`. */
function socketIoMessages(bytes: Buffer): Message[] {
  const text = bytes.toString();
  if (text.startsWith("42")) return [(JSON.parse(text.slice(2)) as [string, Message])[1]];
  if (text.startsWith("43")) return JSON.parse(text.slice(text.indexOf("["))) as Message[];
  return [];
}

function sort(message: Message, frame: Frame): void {
  const { seq, posReference, version } = message;
  switch (message.type) {
    case "ORDER_ACK":
      if (posReference !== undefined && version !== undefined) frame.acknowledgements.push({ posReference, version });
      else frame.others.push({ ...message });
      return;
    case "ORDER_CHANGED":
      frame.changes.push({ seq: seq ?? Number.NaN, order: checked(posReference, version, message.order?.snapshot) });
      return;
    case "SYNC":
      frame.syncs.push({
        seq: seq ?? Number.NaN,
        hubId: message.hubId ?? "",
        epoch: message.epoch ?? "",
        mode: message.mode ?? "",
        more: message.more === true,
        orders: (message.orders ?? []).map((order) => checked(order.posReference, order.version, order.snapshot)),
      });
      return;
    default:
      if (seq !== undefined) frame.changes.push({ seq, order: null });
      else frame.others.push({ ...message });
  }
}

function checked(
  posReference = "",
  version = Number.NaN,
  snapshot: unknown = {},
): { posReference: string; version: number; damaged: boolean } {
  const ours = posReference.startsWith(BENCH_PREFIX);
  return { posReference, version, damaged: ours && !isUndamaged(snapshot, version) };
}
