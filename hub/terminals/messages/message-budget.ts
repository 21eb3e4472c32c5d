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

/** A session that is refused for so long without a pause, or so often, is closed. */
const OVERRUN_MS = 10_000;
const OVERRUN_MESSAGES = 5_000;
/** After so long without a refusal counting starts again. */
const FORGIVEN_MS = 2_000;

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
 * Limits what one session sends, a budget for each kind of message and one of bytes, or `times` as much; `mutationsPerSecond`
 * is the hub's setting. `admitsShared` counts a message in the budgets that the session shares with others.
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
    const known = buckets.get(kind);
    if (known !== undefined) return known;
    const created = multiple(kind === "mutation" ? budgets.mutations : messageBudgets[kind]);
    buckets.set(kind, created);
    return created;
  }

  function multiple({ burst, perSecond }: Budget): TokenBucket {
    return createTokenBucket({ burst: burst * times, perSecond: perSecond * times }, monotonic);
  }

  /** What the hub has lost is offered whole, whatever its size: offers are bounded by their number. */
  function isWithin(kind: MessageKind, size: number): boolean {
    return bucket(kind).take() && (kind === "offer" || bytes.take(size));
  }

  return {
    /** Counts a message of a type and a size in bytes; null is one that cannot be read. False when it is too much. */
    admits(type: string | null, size: number): boolean {
      if (isWithin(kindOf(type), size) && admitsShared(type, size)) return true;
      const now = monotonic();
      if (now - refusedAt > FORGIVEN_MS) {
        refusals = 0;
        refusedSince = now;
      }
      refusedAt = now;
      refusals += 1;
      return false;
    },
    /** Counts the bytes of a message and nothing else. */
    admitsBytes: (size: number): boolean => bytes.take(size),
    /** Refused for so long, or so often, that the session has to end. */
    isOverrun: (): boolean => refusals > OVERRUN_MESSAGES || (refusals > 0 && refusedAt - refusedSince > OVERRUN_MS),
  };
}

function kindOf(type: string | null): MessageKind {
  if (type === null || !terminalMessageTypes.has(type)) return "other";
  return kinds[type as TerminalMessageType] ?? "mutation";
}
