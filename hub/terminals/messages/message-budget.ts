import {
  createTokenBucket,
  messageBudgets,
  sessionBudgets,
  terminalMessageTypes,
  type Budget,
  type MessageKind,
  type TerminalMessageType,
  type TokenBucket,
} from "@comanda/protocol";

export type MessageBudget = ReturnType<typeof createMessageBudget>;

/** A session is closed after being refused for this long without a pause, or this many times. */
const OVERRUN_MS = 10_000;
const OVERRUN_MESSAGES = 5_000;
/** After this long without a refusal, counting restarts. */
const RESET_MS = 2_000;

const kinds: Partial<Record<TerminalMessageType, MessageKind>> = {
  HEARTBEAT: "heartbeat",
  RESYNC: "resync",
  PRESENCE: "presence",
  LEASE_ACQUIRE: "lease",
  LEASE_RELEASE: "lease",
  TABLE_LOCK: "table",
  TABLE_UNLOCK: "table",
  TABLE_RESERVE: "table",
  TABLE_UNRESERVE: "table",
  ORDER_OFFER: "offer",
  AUTH: "other",
};

/**
 * Limits what one session sends: a budget per kind of message and one for bytes, each multiplied by `times`.
 * `mutationsPerSecond` is the hub's setting. `admitsShared` counts a message in the budgets shared between sessions.
 */
export function createMessageBudget(
  monotonic: () => number,
  mutationsPerSecond: number,
  times = 1,
  admitsShared: (type: string | null, size: number) => boolean = () => true,
) {
  const budgets = sessionBudgets(mutationsPerSecond);
  const bytes = multiple(budgets.bytes);
  const buckets = new Map<MessageKind, TokenBucket>();
  let refusals = 0;
  let refusedSince = 0;
  let refusedAt = -Infinity;

  function bucket(kind: MessageKind): TokenBucket {
    const existing = buckets.get(kind);
    if (existing !== undefined) return existing;
    const created = multiple(kind === "mutation" ? budgets.mutations : messageBudgets[kind]);
    buckets.set(kind, created);
    return created;
  }

  function multiple({ burst, perSecond }: Budget): TokenBucket {
    return createTokenBucket({ burst: burst * times, perSecond: perSecond * times }, monotonic);
  }

  /** Order offers do not count in bytes: orders that the hub lost are offered in full. Only their number is limited. */
  function isWithin(kind: MessageKind, size: number): boolean {
    return bucket(kind).take() && (kind === "offer" || bytes.take(size));
  }

  return {
    /** Counts a message by type and size in bytes; a null type is an unreadable one. Returns false if it exceeds a limit. */
    admits(type: string | null, size: number): boolean {
      if (isWithin(kindOf(type), size) && admitsShared(type, size)) return true;
      const now = monotonic();
      if (now - refusedAt > RESET_MS) {
        refusals = 0;
        refusedSince = now;
      }
      refusedAt = now;
      refusals += 1;
      return false;
    },
    /** Counts only the bytes of a message. */
    admitsBytes: (size: number): boolean => bytes.take(size),
    /** Whether the session has been refused for so long, or so often, that it must be closed. */
    isOverrun: (): boolean => refusals > OVERRUN_MESSAGES || (refusals > 0 && refusedAt - refusedSince > OVERRUN_MS),
  };
}

function kindOf(type: string | null): MessageKind {
  if (type === null || !terminalMessageTypes.has(type)) return "other";
  return kinds[type as TerminalMessageType] ?? "mutation";
}
