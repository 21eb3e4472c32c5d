import type {
  ErrorCode,
  HubMessageOf,
  OrderMutation,
  RefusedToken,
  TerminalMessageInput,
  UncountedMethod,
} from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { Collision, News } from "../../orders/merge-content.ts";
import type { OrderContent } from "../../orders/order-content.ts";

/** An order's change as the user made it: `base` is what was shown before (null for a new order), `next` after it. */
export interface ContentChange {
  posReference: string;
  base: OrderContent | null;
  next: OrderContent;
}

/** The content of a mutation, without what is decided when it is sent. */
type ActionOf<T extends OrderMutation["type"]> = Omit<
  Extract<OrderMutation, { type: T }>,
  "requestId" | "mutationId" | "queuedAt" | "baseVersion" | "actor" | "approval" | "snapshot"
>;

/** A payment with whatever else the back-office wants to know about it; the library sets its identity. */
export type PaymentIntent = Omit<ActionOf<"ORDER_PAY">, "type" | "posReference" | "paymentId"> & { paymentId?: string };
/** A part payment; the library sets its identity. */
export type TenderIntent = Omit<ActionOf<"ORDER_TENDER">, "type" | "posReference" | "tenderId"> & { tenderId?: string };
/** What is put into a drawer or taken out of it beside sales. */
export type CashMove = Omit<ActionOf<"TILL_MOVE">, "type">;
export type ShiftCount = Omit<ActionOf<"TILL_COUNT">, "type">;
/** How much of a product is left; `until` is ISO 8601. */
export type ItemStateIntent = Omit<ActionOf<"ITEM_STATE_SET">, "type">;

/** `seen` is the content that the user saw, `seenVersion` the version it came from. */
interface AsSeen {
  seen: OrderContent;
  seenVersion: number;
}

/** What the user wants; the message that carries it to the hub is decided when it is sent. */
export type Intent =
  | ({ type: "ORDER_UPSERT"; additionalCheck?: boolean } & ContentChange)
  | { type: "ORDER_BATCH"; orders: ContentChange[] }
  | ActionOf<"ORDER_SEND">
  | ActionOf<"KITCHEN_SEEN">
  | ActionOf<"KITCHEN_BUMP">
  | ActionOf<"KITCHEN_SERVED">
  | ActionOf<"KITCHEN_PRIORITY">
  | ActionOf<"ITEM_STATE_SET">
  | ActionOf<"TILL_OPEN">
  | ActionOf<"TILL_MOVE">
  | ActionOf<"TILL_COUNT">
  | ActionOf<"TILL_DRAWER">
  | (ActionOf<"ORDER_CHECKOUT"> & AsSeen)
  | (ActionOf<"ORDER_REOPEN"> & AsSeen)
  | (ActionOf<"ORDER_DISCARD"> & AsSeen)
  | (ActionOf<"ORDER_PAY"> & AsSeen)
  | (ActionOf<"ORDER_TENDER"> & AsSeen)
  | (ActionOf<"ORDER_TENDER_VOID"> & { posReference: string });

/** A person as the hub knows them by a token, which outlives the session (12 h). */
export interface Actor {
  token: string;
  user: { id: number | string; name: string };
}

/** A mutation as it goes over the wire. */
export type MutationMessage = Extract<TerminalMessageInput, { mutationId: string }>;
export type MutationAnswer = HubMessageOf<"ORDER_ACK" | "ITEM_STATE_ACK" | "TILL_ACK">;

/** The check that a table, or a party, has already. */
export type ExistingCheck = NonNullable<HubMessageOf<"ORDER_REJECTED">["existing"]>;

export type Fork = "other_hub" | "earlier_state";

/** Why a mutation waits for a decision. */
export interface Refusal {
  errorCode: ErrorCode;
  error: string;
  collisions: Collision[];
  at: string;
  /** TABLE_OCCUPIED: the check that the table has; PARTY_SEATED: the one of the guests. */
  existing?: ExistingCheck;
  /** What lay between the mutation and its refusal, where that may be why: another hub, or this one as it was earlier. */
  after?: Fork;
  /** ITEM_OUT: the line that cannot be sold. */
  lineId?: string;
  /** ACTOR_REFUSED: which token does not count, and why. */
  refusedToken?: RefusedToken;
  /** A count of a shift: what it has to name beside. */
  uncounted?: UncountedMethod[];
  /** The hub has kept the money of the payment, for a manager to decide on. */
  isMoneyKept?: true;
}

/** One mutation in the outbox: plain data, as it is stored. */
export interface OutboxEntry {
  /** Its id on this device: its first mutationId. */
  id: string;
  /** Place in the queue; rises. */
  place: number;
  queuedAt: string;
  /** Changes only when the hub has refused the content and rebased content replaces it. */
  mutationId: string;
  intent: Intent;
  /** Decided once for this mutationId: sent again unchanged when its answer was lost. */
  message: MutationMessage | null;
  /** Set while it is a conflict. */
  refusal: Refusal | null;
  /**
   * Who was acting when it was queued, also when somebody else is signed in by the time it is sent. Absent: the user of
   * the session.
   */
  actor?: Actor;
  /** The token of a second person who allowed it. */
  approval?: string;
  /** There was no session with the hub when it was queued. */
  isOffline?: true;
  /** What a person has to know of it, once it is carried out. */
  notice?: Refusal;
  /** Carried out; kept for its notice. */
  isDone?: true;
  /** The hub has answered it, and it was stored until the copy of the hub's state has its effect: it is not unsent. */
  isAnswered?: true;
  /** It was queued before the hub's history forked. */
  queuedBefore?: Fork;
  /** Its message was under way then: the hub may have the change, and not know it by its mutation. */
  mayBeOnHub?: true;
  /** A payment that the hub has, although it could not apply it yet: it waits behind its order again. */
  isKeptByHub?: true;
}

export type MoneyIntent = Extract<Intent, { type: "ORDER_PAY" | "ORDER_TENDER" }>;

/** What a merge of its change may take for news to the hub. */
export function newsOf({ mayBeOnHub }: Pick<OutboxEntry, "mayBeOnHub">, menu: News["menu"]): News | null {
  return mayBeOnHub === true ? null : { menu };
}

/** Whether a mutation tells of money that was taken. */
export function isMoney(intent: Intent): intent is MoneyIntent {
  return intent.type === "ORDER_PAY" || intent.type === "ORDER_TENDER";
}

/** What a payment settles, in the order's currency; null for what is none. */
export function settledBy(intent: Intent): number | null {
  if (intent.type === "ORDER_TENDER") return intent.amount;
  if (intent.type !== "ORDER_PAY") return null;
  const paid = sum(intent.payments.map(({ amount }) => amount));
  // What is above the total was given back as change.
  return Math.min(paid, intent.seen.totals?.total ?? paid);
}

/** The identity of a payment, the same through every retry. */
export function paymentIdOf(intent: MoneyIntent): string | undefined {
  return intent.type === "ORDER_PAY" ? intent.paymentId : intent.tenderId;
}

/** Whether it has not reached the hub, which keeps a count of a shift until a manager approves it. */
export function isUnsent({ isDone, isAnswered, refusal }: OutboxEntry): boolean {
  return isDone !== true && isAnswered !== true && refusal?.errorCode !== "APPROVAL_NEEDED";
}

/** Whether the hub refused the one who did it. Who may not void what the kitchen has hears of the line (ORDER-35). */
export function isPersonRefused({ errorCode }: Refusal): boolean {
  return ["FORBIDDEN", "ACTOR_REFUSED", "SENT_LINES_IMMUTABLE"].includes(errorCode);
}

/** The orders that a mutation is about. */
export function ordersOf(intent: Intent): string[] {
  if (intent.type === "ORDER_BATCH") return intent.orders.map((order) => order.posReference);
  return "posReference" in intent && intent.posReference !== undefined ? [intent.posReference] : [];
}

/** The kitchen ticket that a mutation names; null for one that is about something else. */
export function ticketOf(intent: Intent): string | null {
  return "kitchenTicketId" in intent ? (intent.kitchenTicketId ?? null) : null;
}

/** What a mutation is about. Mutations that share a subject are sent one after the other, in their order. */
export function subjectsOf(intent: Intent): string[] {
  if (intent.type === "ITEM_STATE_SET") return [`product ${intent.productId}`];
  const ticket = ticketOf(intent);
  return ticket === null ? ordersOf(intent).map(orderSubject) : [`ticket ${ticket}`];
}

/** What is done at the till: in its order with the money that is taken. */
export function isOfTill(intent: Intent): boolean {
  return intent.type.startsWith("TILL_");
}

export type MoneyMove = MoneyIntent | Extract<Intent, { type: "ORDER_TENDER_VOID" }>;

/** Whether a mutation moves money of a check. */
export function movesMoney(intent: Intent): intent is MoneyMove {
  return isMoney(intent) || intent.type === "ORDER_TENDER_VOID";
}

export function orderSubject(posReference: string): string {
  return `order ${posReference}`;
}
