import type { OrderDetail, TimelineEntry } from "@comanda/protocol";
import { openTenders } from "@comanda/rules";
import type { StepName } from "./timeline-story.ts";

/** `skipped`: not needed. `later`: its turn has not come. */
export type StepState = "done" | "now" | "failed" | "skipped" | "later";

export interface Step {
  name: StepName;
  state: StepState;
  /** When the step was done, or null. */
  at: string | null;
}

type StateAt = Omit<Step, "name">;

/** Returns the state of each step of an order. */
export function orderSteps(
  { order: { snapshot, forward }, removed, payments }: Pick<OrderDetail, "order" | "removed" | "payments">,
  entries: readonly TimelineEntry[],
): Step[] {
  const { status, fiscal } = snapshot;
  const isPaid = status === "paid" || status === "closed";
  const isOver = removed || isPaid;
  const sent = entries.filter((entry) => entry.kind === "ticket_sent");

  return [
    { name: "opened", state: "done", at: snapshot.createdAt },
    { name: "kitchen", ...kitchen() },
    { name: "seen", ...seenStep() },
    { name: "paid", ...paid() },
    { name: "accounting", ...accounting() },
  ];

  function kitchen(): StateAt {
    const at = sent.at(-1)?.at ?? null;
    if (at === null) return { state: isOver ? "skipped" : "now", at };
    return { state: status === "changed" && !removed ? "now" : "done", at };
  }

  function seenStep(): StateAt {
    if (sent.length === 0) return { state: isOver ? "skipped" : "later", at: null };
    const firstSeen = new Map<string, string>();
    for (const entry of entries) {
      if (entry.kind === "ticket_seen" && !firstSeen.has(entry.ticketId)) firstSeen.set(entry.ticketId, entry.at);
    }
    const times = sent.map(({ ticketId }) => firstSeen.get(ticketId) ?? null);
    if (times.includes(null)) return { state: "now", at: null };
    return { state: "done", at: times.reduce((a, b) => ((a ?? "") > (b ?? "") ? a : b), null) };
  }

  function paid(): StateAt {
    if (payments.some(({ settled }) => settled === null)) return { state: "failed", at: null };
    if (isPaid) return { state: "done", at: momentOf("paid") };
    if (removed) return { state: "skipped", at: null };
    return { state: status === "checkout" || openTenders(snapshot).length > 0 ? "now" : "later", at: null };
  }

  function accounting(): StateAt {
    if (forward?.state === "done" || status === "closed") return { state: "done", at: momentOf("closed") };
    if (removed) return { state: "skipped", at: null };
    if (!isPaid) return { state: "later", at: null };
    const isStuck = forward?.state === "attention" || fiscal?.status === "failed";
    return { state: isStuck ? "failed" : "now", at: null };
  }

  function momentOf(kind: "paid" | "closed"): string | null {
    return entries.findLast((entry) => entry.kind === "version" && entry.version.kind === kind)?.at ?? null;
  }
}
