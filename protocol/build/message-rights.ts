import type { TerminalMessageType } from "../src/index.ts";

/** Who may be at the other end, as the document names them. */
export const callers = {
  http: [
    "nobody",
    "waiter, cook",
    "cashier",
    "manager",
    "manager at a terminal",
    "signed out",
    "read",
    "orders:write",
    "webhooks:manage",
    "plugins:write",
    "disabled key",
    "device",
    "forgotten device",
  ],
  messages: [
    "nobody",
    "waiter, cook",
    "cashier",
    "manager",
    "manager at a terminal",
    "signed out",
    "API key",
    "forgotten device",
  ],
} as const;
export type HttpCaller = (typeof callers.http)[number];
export type MessageCaller = (typeof callers.messages)[number];

/** Who may send a message; `when`: with such a content. */
export interface MessageRight {
  needs: "nobody" | "anybody" | "cashier" | "manager";
  when?: string;
  /** The code of the answer to everybody else; FORBIDDEN where it names none. */
  refusal?: "FORBIDDEN" | "LEASE_HELD";
}

const anybody: MessageRight[] = [{ needs: "anybody" }];
const cashier: MessageRight[] = [{ needs: "cashier" }];

/** What terminals may send, and who may send it; a message that is missing here does not compile. */
export const messageRights: Readonly<Record<TerminalMessageType, readonly MessageRight[]>> = {
  AUTH: [{ needs: "nobody" }],
  HEARTBEAT: anybody,
  RESYNC: anybody,
  PRESENCE: anybody,
  LEASE_ACQUIRE: [{ needs: "anybody" }, { needs: "manager", when: "takeover", refusal: "LEASE_HELD" }],
  LEASE_RELEASE: anybody,
  TABLE_LOCK: anybody,
  TABLE_UNLOCK: [{ needs: "anybody" }, { needs: "manager", when: "of another terminal" }],
  TABLE_RESERVE: anybody,
  TABLE_UNRESERVE: anybody,
  ORDER_OFFER: anybody,
  ORDER_UPSERT: [
    { needs: "anybody" },
    { needs: "cashier", when: "with a discount" },
    { needs: "cashier", when: "with a comp" },
  ],
  ORDER_BATCH: [{ needs: "anybody" }, { needs: "cashier", when: "with a discount" }],
  ORDER_SEND: anybody,
  KITCHEN_SEEN: anybody,
  KITCHEN_BUMP: anybody,
  KITCHEN_SERVED: anybody,
  KITCHEN_PRIORITY: anybody,
  ITEM_STATE_SET: anybody,
  ORDER_CHECKOUT: anybody,
  ORDER_REOPEN: anybody,
  ORDER_PAY: cashier,
  ORDER_TENDER: cashier,
  ORDER_TENDER_VOID: cashier,
  TILL_OPEN: cashier,
  TILL_MOVE: cashier,
  TILL_COUNT: [{ needs: "cashier" }, { needs: "manager", when: "beyond the tolerance" }],
  TILL_DRAWER: cashier,
  ORDER_DISCARD: [
    { needs: "anybody" },
    { needs: "cashier", when: "with payments" },
    { needs: "cashier", when: "with work in the kitchen" },
  ],
};
