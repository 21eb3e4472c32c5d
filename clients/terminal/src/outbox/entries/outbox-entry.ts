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

/**
 * A change of an order as the user made it: `base` is what was shown before (null for a new order), `next` what was shown
 * after.
 */
export interface ContentChange {
  posReference: string;
  base: OrderContent | null;
  next: OrderContent;
}

/** The content of a mutation, without the fields that are set when it is sent. */
type ActionOf<T extends OrderMutation["type"]> = Omit<
  Extract<OrderMutation, { type: T }>,
  "requestId" | "mutationId" | "queuedAt" | "baseVersion" | "actor" | "approval" | "snapshot"
>;

/** A payment with any other fields for the back-office. The library sets its id. */
export type PaymentIntent = Omit<ActionOf<"ORDER_PAY">, "type" | "posReference" | "paymentId"> & { paymentId?: string };
/** A part payment. The library sets its id. */
export type TenderIntent = Omit<ActionOf<"ORDER_TENDER">, "type" | "posReference" | "tenderId"> & { tenderId?: string };
/** Cash put into a drawer or taken out of it, apart from sales. */
export type CashMove = Omit<ActionOf<"TILL_MOVE">, "type">;
export type ShiftCount = Omit<ActionOf<"TILL_COUNT">, "type">;
/** The availability of a product; `until` is ISO 8601. */
export type ItemStateIntent = Omit<ActionOf<"ITEM_STATE_SET">, "type">;

/** `seen` is the content that the user saw, `seenVersion` the version it came from. */
interface SeenContent {
  seen: OrderContent;
  seenVersion: number;
}

/** The user's intention. The message to the hub is built from it when it is sent. */
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
  | (ActionOf<"ORDER_CHECKOUT"> & SeenContent)
  | (ActionOf<"ORDER_REOPEN"> & SeenContent)
  | (ActionOf<"ORDER_DISCARD"> & SeenContent)
  | (ActionOf<"ORDER_PAY"> & SeenContent)
  | (ActionOf<"ORDER_TENDER"> & SeenContent)
  | (ActionOf<"ORDER_TENDER_VOID"> & { posReference: string });

/** A person, identified to the hub by a token that outlives the session (12 h). */
export interface Actor {
  token: string;
  user: { id: number | string; name: string };
}

/** A mutation's message to the hub. */
export type MutationMessage = Extract<TerminalMessageInput, { mutationId: string }>;
export type MutationAnswer = HubMessageOf<"ORDER_ACK" | "ITEM_STATE_ACK" | "TILL_ACK">;

/** The check that a table or party already has. */
export type ExistingCheck = NonNullable<HubMessageOf<"ORDER_REJECTED">["existing"]>;

export type Fork = "other_hub" | "earlier_state";

/** Why a mutation waits for a decision. */
export interface Refusal {
  errorCode: ErrorCode;
  error: string;
  collisions: Collision[];
  at: string;
  /** TABLE_OCCUPIED: the table's check. PARTY_SEATED: the guests' check. */
  existing?: ExistingCheck;
  /** A fork between the mutation and its refusal that may explain it: another hub, or an earlier state of this one. */
  after?: Fork;
  /** ITEM_OUT: the line that cannot be sold. */
  lineId?: string;
  /** ACTOR_REFUSED: the token that is not valid, and why. */
  refusedToken?: RefusedToken;
  /** A shift count: the payment methods that it lacks. */
  uncounted?: UncountedMethod[];
  /** The hub keeps the payment for a manager's decision. */
  isMoneyKept?: true;
}

/** One mutation in the outbox, as plain data for storage. */
export interface OutboxEntry {
  /** Its id on this device, equal to its first mutationId. */
  id: string;
  /** Ascending place in the queue. */
  place: number;
  queuedAt: string;
  /** Changes only when the hub has refused the content and rebased content replaces it. */
  mutationId: string;
  intent: Intent;
  /** Built once per mutationId, and sent again unchanged if the answer was lost. */
  message: MutationMessage | null;
  /** Set while the mutation is a conflict. */
  refusal: Refusal | null;
  /** The person who acted when it was queued, also if another is signed in when it is sent. Absent: the session's user. */
  actor?: Actor;
  /** Token of a second person who approved it. */
  approval?: string;
  /** It was queued without a session with the hub. */
  isOffline?: true;
  /** A notice for the user once it is executed. */
  notice?: Refusal;
  /** Executed; kept only for its notice. */
  isDone?: true;
  /** The hub has answered it. It stays stored until the cached hub state has its effect, and does not count as unsent. */
  isAnswered?: true;
  /** The fork of the hub's history after it was queued. */
  queuedBefore?: Fork;
  /** It was in transit when the history forked: the hub may have the change without knowing the mutation. */
  mayBeOnHub?: true;
  /** The hub keeps this payment, but could not apply it yet. It waits for its order again. */
  isKeptByHub?: true;
}

export type MoneyIntent = Extract<Intent, { type: "ORDER_PAY" | "ORDER_TENDER" }>;

/** Returns the `news` for merging this mutation, or null if the hub may already have it. */
export function newsOf({ mayBeOnHub }: Pick<OutboxEntry, "mayBeOnHub">, menu: News["menu"]): News | null {
  return mayBeOnHub === true ? null : { menu };
}

/** Whether a mutation records money that was taken. */
export function isMoney(intent: Intent): intent is MoneyIntent {
  return intent.type === "ORDER_PAY" || intent.type === "ORDER_TENDER";
}

/** Returns what a payment settles, in the order's currency, or null if it is not a payment. */
export function settledBy(intent: Intent): number | null {
  if (intent.type === "ORDER_TENDER") return intent.amount;
  if (intent.type !== "ORDER_PAY") return null;
  const paid = sum(intent.payments.map(({ amount }) => amount));
  // What exceeds the total was given back as change.
  return Math.min(paid, intent.seen.totals?.total ?? paid);
}

/** Returns the id of a payment, the same in every retry. */
export function paymentIdOf(intent: MoneyIntent): string | undefined {
  return intent.type === "ORDER_PAY" ? intent.paymentId : intent.tenderId;
}

/** Whether the hub does not have it. The hub keeps a shift count until a manager approves it. */
export function isUnsent({ isDone, isAnswered, refusal }: OutboxEntry): boolean {
  return isDone !== true && isAnswered !== true && refusal?.errorCode !== "APPROVAL_NEEDED";
}

/** Whether the hub refused the acting person. SENT_LINES_IMMUTABLE is for people who may not void sent lines (ORDER-35). */
export function isPersonRefused({ errorCode }: Refusal): boolean {
  return ["FORBIDDEN", "ACTOR_REFUSED", "SENT_LINES_IMMUTABLE"].includes(errorCode);
}

/** Returns the orders of a mutation. */
export function ordersOf(intent: Intent): string[] {
  if (intent.type === "ORDER_BATCH") return intent.orders.map((order) => order.posReference);
  return "posReference" in intent && intent.posReference !== undefined ? [intent.posReference] : [];
}

/** Returns the kitchen ticket of a mutation, or null. */
export function ticketOf(intent: Intent): string | null {
  return "kitchenTicketId" in intent ? (intent.kitchenTicketId ?? null) : null;
}

/** Returns the subjects of a mutation. Mutations that share a subject are sent one after the other. */
export function subjectsOf(intent: Intent): string[] {
  if (intent.type === "ITEM_STATE_SET") return [`product ${intent.productId}`];
  const ticket = ticketOf(intent);
  return ticket === null ? ordersOf(intent).map(orderSubject) : [`ticket ${ticket}`];
}

/** Whether a mutation is for the till. It keeps its place among payments. */
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
