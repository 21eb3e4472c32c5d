import type { KitchenTicket } from "@comanda/protocol";
import { checksOf, type Refusal } from "@comanda/rules";
import type { LocalOrder } from "../../orders/local-order.ts";
import { changesOf } from "../../outbox/entries/intent-content.ts";
import { isMoney, type Intent, ordersOf, type OutboxEntry, ticketOf } from "../../outbox/entries/outbox-entry.ts";
import type { OutboxQueue } from "../../outbox/queue/outbox-queue.ts";
import type { HubState } from "../hub/hub-state.ts";
import { createReplay, type Replay } from "./replay.ts";
import type { ReplayedHub } from "./replayed-state.ts";
import type { ReplayKnowledge } from "./rule-context.ts";

export type LocalState = ReturnType<typeof createLocalState>;

/** Checks that this device's mutations tie together, with those mutations in their order. */
interface Group {
  checks: Set<string>;
  steps: Step[];
}

/** A mutation that shows; its intent is replaced where another takes its place. */
interface Step {
  entry: OutboxEntry;
  intent: Intent;
}

interface Replayed extends Group {
  replay: Replay;
}

/**
 * The orders and tickets as the user sees them. Each group of checks is replayed when somebody looks at one of them, and
 * only what was added since.
 */
export function createLocalState(
  hub: ReplayedHub & Pick<HubState, "tickets">,
  outbox: Pick<OutboxQueue, "entries" | "entriesOf" | "orders">,
  knowledge: ReplayKnowledge,
) {
  const shown = new Map<string, LocalOrder | undefined>();
  const replayed = new Map<string, Replayed>();
  let groups: Map<string, Group> | null = null;
  /** The mutation that was tried last of those that nothing else was tied to, and on what. */
  let tried: { entry: OutboxEntry; replay: Replay } | null = null;

  function get(posReference: string): LocalOrder | undefined {
    if (!shown.has(posReference)) shown.set(posReference, localOrder(posReference, replayOf(posReference)));
    return shown.get(posReference);
  }

  function expected(posReference: string): LocalOrder | undefined {
    const replay = createReplay(hub, knowledge);
    const { steps = [] } = groupsNow().get(posReference) ?? {};
    for (const { entry } of steps) if (entry.refusal === null) replay.carryOut(entry);
    return localOrder(posReference, replay);
  }

  function localOrder(posReference: string, replay: Replay | null): LocalOrder | undefined {
    const stored = hub.order(posReference);
    const check = replay === null ? stored : replay.order(posReference);
    if (check == null) return undefined;
    return {
      posReference,
      version: stored?.version ?? 0,
      tableId: check.snapshot.tableId,
      snapshot: check.snapshot,
      ...waitingOf(outbox.entriesOf(posReference)),
      origin: stored?.terminalId ?? null,
      forward: stored?.forward,
    };
  }

  function replayOf(posReference: string): Replay | null {
    const group = groupsNow().get(posReference);
    if (group === undefined) return null;
    const before = replayed.get(posReference);
    const known = before !== undefined && isBeginning(before, group) ? before : null;
    const replay = known?.replay ?? replayTried(group) ?? createReplay(hub, knowledge);
    for (const { entry } of group.steps.slice(known?.steps.length ?? 0)) replay.carryOut(entry);
    for (const check of group.checks) replayed.set(check, { ...group, replay });
    return replay;
  }

  /** The replay with which the only mutation of a group was tried on the hub's state alone; it is used up by that. */
  function replayTried({ steps: [only, ...others] }: Group): Replay | null {
    if (others.length > 0 || tried === null || tried.entry !== only?.entry) return null;
    const { replay } = tried;
    tried = null;
    return replay;
  }

  function groupsNow(): Map<string, Group> {
    return (groups ??= groupByCheck(outbox.entries().filter(isShown), hub));
  }

  /** Forgets what was shown of these checks and those tied to them; answers them all. */
  function forget(posReferences: Iterable<string>): Set<string> {
    const affected = new Set(posReferences);
    for (const posReference of posReferences) {
      for (const check of groupsNow().get(posReference)?.checks ?? []) affected.add(check);
    }
    for (const check of affected) shown.delete(check);
    return affected;
  }

  return {
    get,
    /** A check as the hub will have it with all that waits here: without a whole payment that it has refused. */
    expected,
    *all(): Generator<LocalOrder> {
      const references = new Set([...[...hub.orders()].map((order) => order.posReference), ...outbox.orders()]);
      for (const posReference of references) {
        const order = get(posReference);
        if (order !== undefined) yield order;
      }
    },
    /** Also those that are over, as far as the hub's are kept. A ticket that the hub is yet to make is none. */
    tickets(): KitchenTicket[] {
      const now = new Map([...hub.tickets()].map((ticket) => [ticket.id, ticket]));
      for (const { checks } of new Set(groupsNow().values())) {
        const [first = ""] = checks;
        for (const ticket of replayOf(first)?.tickets().values() ?? []) {
          if (now.has(ticket.id)) now.set(ticket.id, ticket);
        }
      }
      return [...now.values()];
    },
    /** The tickets that the hub is yet to make of a check by this send. */
    ticketsOfSend({ mutationId }: OutboxEntry, posReference: string): KitchenTicket[] {
      const made = replayOf(posReference)?.tickets().values() ?? [];
      return [...made].filter(({ id }) => id.startsWith(mutationId));
    },
    /** Why the hub would refuse this mutation of the house as it shows; null where the rules of service take it. */
    refusalOf(entry: OutboxEntry): Refusal | null {
      const own = groupsOf(entry.intent, groupsNow(), hub);
      const [only, ...others] = own;
      const [check = ""] = only?.checks ?? [];
      const before = others.length === 0 ? replayOf(check) : null;
      if (before !== null) return before.refusalOf(entry);
      const replay = createReplay(hub, knowledge);
      for (const step of stepsOf(own)) replay.carryOut(step.entry);
      if (own.size === 0) tried = { entry, replay };
      return replay.refusalOf(entry);
    },
    /**
     * These have entered the outbox, or left it, or changed; answers the checks that read otherwise now. `left`: it has left,
     * and nothing else is different.
     */
    outboxChanged(intents: readonly Intent[], left: OutboxEntry | null = null): string[] {
      const before = forget(intents.flatMap((intent) => [...checksOfIntent(intent, hub)]));
      if (left === null) groups = null;
      else takeOut(left, groupsNow(), hub);
      return [...forget(before)];
    },
    /** The hub's part of these has changed; answers the checks that read otherwise now. */
    hubChanged(posReferences: readonly string[], ticketIds: readonly string[] = []): string[] {
      const holders = ticketIds.flatMap((id) => [...hub.holdersOf(id)].filter((check) => groupsNow().has(check)));
      tried = null;
      let affected = forget([...posReferences, ...holders]);
      // Of the hub's state the tickets alone tie mutations together.
      if (ticketIds.length > 0) {
        groups = null;
        affected = forget(affected);
      }
      for (const check of affected) replayed.delete(check);
      return [...affected];
    },
  };
}

/** A conflict is left out, except a payment: money that was taken is never hidden by a draft. */
function isShown({ refusal, intent }: OutboxEntry): boolean {
  return refusal === null || intent.type === "ORDER_PAY";
}

function isBeginning(before: Replayed, { checks, steps }: Group): boolean {
  return (
    before.checks.size === checks.size &&
    [...checks].every((check) => before.checks.has(check)) &&
    before.steps.every(({ entry, intent }, at) => steps[at]?.entry === entry && steps[at].intent === intent)
  );
}

/** In the order in which they were made. */
function stepsOf(groups: Iterable<Group>): Step[] {
  return [...groups].flatMap(({ steps }) => steps).toSorted((one, other) => one.entry.place - other.entry.place);
}

/** What of an order waits for the hub, and whether it refused money. */
function waitingOf(entries: readonly OutboxEntry[]) {
  const pending = entries.filter(({ refusal, isAnswered }) => refusal === null && isAnswered !== true);
  return {
    pending: pending.length,
    isSendPending: pending.some(({ intent }) => intent.type === "ORDER_SEND"),
    isPaymentPending: pending.some(({ intent }) => isMoney(intent)),
    paymentRefused: entries.some(({ refusal, intent }) => refusal !== null && isMoney(intent)),
  };
}

/** Of a thousand that wait one leaves with each answer: only what was tied to it is grouped again. */
function takeOut(left: OutboxEntry, grouped: Map<string, Group>, hub: ReplayedHub): void {
  for (const group of groupsOf(left.intent, grouped, hub)) {
    for (const check of group.checks) grouped.delete(check);
    const others = group.steps.flatMap(({ entry }) => (entry === left ? [] : entry));
    for (const [check, part] of groupByCheck(others, hub)) grouped.set(check, part);
  }
}

function groupsOf(intent: Intent, grouped: ReadonlyMap<string, Group>, hub: ReplayedHub): Set<Group> {
  return new Set([...checksOfIntent(intent, hub)].flatMap((check) => grouped.get(check) ?? []));
}

/** Mutations belong together when they share a check, a ticket, or a table on which one opens a check. */
function groupByCheck(entries: readonly OutboxEntry[], hub: ReplayedHub): Map<string, Group> {
  const groups = new Map<string, Group>();
  const onTable = new Map<number, string>();
  for (const entry of entries) {
    const { intent } = entry;
    const checks = checksOfIntent(intent, hub);
    for (const tableId of tablesTakenBy(intent)) {
      const other = onTable.get(tableId);
      if (other !== undefined) checks.add(other);
      for (const check of checks) onTable.set(tableId, check);
    }
    const joined = new Set([...checks].flatMap((check) => groups.get(check) ?? []));
    const group: Group = {
      checks: new Set([...checks, ...[...joined].flatMap((each) => [...each.checks])]),
      steps: [...stepsOf(joined), { entry, intent }],
    };
    for (const check of group.checks) groups.set(check, group);
  }
  return groups;
}

/** The checks that a mutation names, and those with which they share tickets. */
function checksOfIntent(intent: Intent, hub: ReplayedHub): Set<string> {
  const ticket = ticketOf(intent);
  const checks = new Set([...ordersOf(intent), ...(ticket === null ? [] : hub.holdersOf(ticket))]);
  for (const check of checks) {
    for (const each of hub.ticketsOf(check)) for (const holder of checksOf(each)) checks.add(holder);
  }
  return checks;
}

function tablesTakenBy(intent: Intent): number[] {
  return changesOf(intent).flatMap(({ base, next }) =>
    next.tableId != null && next.tableId !== base?.tableId ? [next.tableId] : [],
  );
}
