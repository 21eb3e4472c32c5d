import type { AuditEvent, StubOrder } from "../demo/reconcile.ts";
import { until } from "../../hub/test/support/until.ts";
import type { Restaurant } from "../support/restaurant.ts";
import { checksOf, compareLedger, type Difference, type Ledger } from "./ledger.ts";
import { health, readHub, type Tokens } from "./read-hub.ts";
import type { Crew } from "./crew.ts";
import { reportDifferences, type Round } from "./part.ts";

const FORWARDED_WITHIN_MS = 60_000;

/**
 * Ends a round after all faults are gone: everything must be answered, the hub must have once what it acknowledged, and the
 * back-office what was paid.
 */
export async function reconcile(input: {
  restaurant: Restaurant;
  tokens: Tokens;
  crew: Crew;
  ledger: Ledger;
  round: Round;
  scenario: string;
}): Promise<void> {
  const { restaurant, tokens, crew, ledger, round, scenario } = input;
  // Each check has one writer, so this crew's mutations cannot conflict.
  const refused = await crew.settle();
  const findings = refused.map((refusal) => ({
    kind: "broken" as const,
    description: `refused for good: ${refusal}`,
    count: 1,
  }));
  await isForwarded(restaurant.hubUrl).catch((error: Error) => {
    round.report("lost", `${scenario}: ${error.message}`);
  });
  const view = await readHub(restaurant.hubUrl, tokens, { expected: checksOf(ledger) });
  reportDifferences(round, scenario, [
    ...findings,
    ...compareLedger(ledger, view, { isComplete: true }),
    ...(await compareBackOffice(restaurant, ledger)),
  ]);
}

/** Resolves when at most `most` events wait to be forwarded. */
export async function isForwarded(hubUrl: string, most = 0): Promise<void> {
  const isDone = async (): Promise<boolean> => (await health(hubUrl)).pendingForward <= most;
  await until("everything paid is forwarded", isDone, FORWARDED_WITHIN_MS);
}

/** Checks that every acknowledged payment is in the back-office exactly once, with its amount. */
export async function compareBackOffice(restaurant: Restaurant, ledger: Ledger): Promise<Difference[]> {
  const { orders } = await restaurant.stub<{ orders: StubOrder[] }>("/stub/v1/orders");
  const { events } = await restaurant.stub<{ events: AuditEvent[] }>("/stub/v1/audit-events");
  const differences: Difference[] = [];
  for (const [posReference, amount] of paidChecks(ledger)) {
    const found = orders.filter((order) => order.posReference === posReference && order.status === "paid");
    const finalized = events.filter((event) => event.type === "hub_finalize" && event.posReference === posReference);
    for (const [list, name] of [
      [found, "in the back-office"],
      [finalized, "finalized there"],
    ] as const) {
      const kind = list.length > 1 ? "doubled" : "lost";
      if (list.length !== 1)
        differences.push({ kind, description: `${posReference} is ${name} ${list.length} times`, count: 1 });
    }
    const isOther = found.some((order) => Math.round(order.total * 100) !== Math.round(amount * 100));
    if (isOther)
      differences.push({ kind: "lost", description: `${posReference} is there with another amount`, count: 1 });
  }
  return differences;
}

/** Returns the acknowledged payments by check. */
export function paidChecks(ledger: Ledger): Map<string, number> {
  return new Map(
    ledger.acknowledged.flatMap(({ message }) =>
      message.type === "ORDER_PAY"
        ? [[message.posReference, message.payments.reduce((sum, { amount }) => sum + amount, 0)] as const]
        : [],
    ),
  );
}
