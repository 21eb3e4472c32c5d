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

/** Checks connected by this device's mutations, with those mutations in order. */
interface Group {
  checks: Set<string>;
  steps: Step[];
}

/** A shown mutation. Its intent is stored separately, because the entry's may be replaced. */
interface Step {
  entry: OutboxEntry;
  intent: Intent;
}

interface Replayed extends Group {
  replay: Replay;
}

/**
 * The orders and tickets as the user sees them. A group of checks is replayed only when one of them is read, and only with the
 * mutations added since.
 */
export function createLocalState(
  hub: ReplayedHub & Pick<HubState, "tickets">,
  outbox: Pick<OutboxQueue, "entries" | "entriesOf" | "orders">,
  knowledge: ReplayKnowledge,
) {
  const shown = new Map<string, LocalOrder | undefined>();
  const replayed = new Map<string, Replayed>();
  let groups: Map<string, Group> | null = null;
  /** The last mutation that was tried without being connected to others, and the replay it was tried on. */
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
    const reusable = before !== undefined && isBeginning(before, group) ? before : null;
    const replay = reusable?.replay ?? replayTried(group) ?? createReplay(hub, knowledge);
    for (const { entry } of group.steps.slice(reusable?.steps.length ?? 0)) replay.carryOut(entry);
    for (const check of group.checks) replayed.set(check, { ...group, replay });
    return replay;
  }

  /** Returns the replay on which a group's only mutation was tried, if any. It can be used only once. */
  function replayTried({ steps: [only, ...others] }: Group): Replay | null {
    if (others.length > 0 || tried === null || tried.entry !== only?.entry) return null;
    const { replay } = tried;
    tried = null;
    return replay;
  }

  function groupsNow(): Map<string, Group> {
    return (groups ??= groupByCheck(outbox.entries().filter(isShown), hub));
  }

  /** Drops the shown state of these checks and the checks connected to them. Returns all of them. */
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
    /** Returns a check as it will be on the hub after all queued mutations, without refused full payments. */
    expected,
    *all(): Generator<LocalOrder> {
      const references = new Set([...[...hub.orders()].map((order) => order.posReference), ...outbox.orders()]);
      for (const posReference of references) {
        const order = get(posReference);
        if (order !== undefined) yield order;
      }
    },
    /** Includes finished tickets, as far as the hub state keeps them, but not those that the hub has yet to create. */
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
    /** Returns the tickets that the hub will create for a check with this send. */
    ticketsOfSend({ mutationId }: OutboxEntry, posReference: string): KitchenTicket[] {
      const made = replayOf(posReference)?.tickets().values() ?? [];
      return [...made].filter(({ id }) => id.startsWith(mutationId));
    },
    /** Returns why the hub would refuse the mutation, judged by the shown state, or null if the rules accept it. */
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
     * Handles mutations that entered, left or changed in the outbox. Returns the checks that may look different. `left`: the
     * only change is that this entry left the outbox.
     */
    outboxChanged(intents: readonly Intent[], left: OutboxEntry | null = null): string[] {
      const before = forget(intents.flatMap((intent) => [...checksOfIntent(intent, hub)]));
      if (left === null) groups = null;
      else takeOut(left, groupsNow(), hub);
      return [...forget(before)];
    },
    /** Handles changes of the hub's state. Returns the checks that may look different. */
    hubChanged(posReferences: readonly string[], ticketIds: readonly string[] = []): string[] {
      const holders = ticketIds.flatMap((id) => [...hub.holdersOf(id)].filter((check) => groupsNow().has(check)));
      tried = null;
      let affected = forget([...posReferences, ...holders]);
      // Only tickets of the hub's state can connect mutations.
      if (ticketIds.length > 0) {
        groups = null;
        affected = forget(affected);
      }
      for (const check of affected) replayed.delete(check);
      return [...affected];
    },
  };
}

/** Whether a mutation shows. Conflicts do not, except an ORDER_PAY: a draft never hides money that was taken. */
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

/** Returns the steps of the groups in the order in which they were queued. */
function stepsOf(groups: Iterable<Group>): Step[] {
  return [...groups].flatMap(({ steps }) => steps).toSorted((one, other) => one.entry.place - other.entry.place);
}

/** Summarizes the queued mutations of an order, and whether a payment was refused. */
function waitingOf(entries: readonly OutboxEntry[]) {
  const pending = entries.filter(({ refusal, isAnswered }) => refusal === null && isAnswered !== true);
  return {
    pending: pending.length,
    isSendPending: pending.some(({ intent }) => intent.type === "ORDER_SEND"),
    isPaymentPending: pending.some(({ intent }) => isMoney(intent)),
    paymentRefused: entries.some(({ refusal, intent }) => refusal !== null && isMoney(intent)),
  };
}

/** Groups only the mutations connected to `left` again. With a thousand queued, one leaves with each answer. */
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

/** Groups mutations that share a check, a ticket, or a table on which one opens a check. */
function groupByCheck(entries: readonly OutboxEntry[], hub: ReplayedHub): Map<string, Group> {
  const groups = new Map<string, Group>();
  const onTable = new Map<number, string>();
  for (const entry of entries) {
    const { intent } = entry;
    const checks = checksOfIntent(intent, hub);
    for (const tableId of tablesClaimedBy(intent)) {
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

/** Returns the checks of a mutation, and those with which they share tickets. */
function checksOfIntent(intent: Intent, hub: ReplayedHub): Set<string> {
  const ticket = ticketOf(intent);
  const checks = new Set([...ordersOf(intent), ...(ticket === null ? [] : hub.holdersOf(ticket))]);
  for (const check of checks) {
    for (const each of hub.ticketsOf(check)) for (const holder of checksOf(each)) checks.add(holder);
  }
  return checks;
}

function tablesClaimedBy(intent: Intent): number[] {
  return changesOf(intent).flatMap(({ base, next }) =>
    next.tableId != null && next.tableId !== base?.tableId ? [next.tableId] : [],
  );
}
