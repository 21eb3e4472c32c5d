import type { RuleContext, RuleMenu } from "@comanda/rules";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import type { OutboxEntry } from "../../outbox/entries/outbox-entry.ts";

export interface ReplayKnowledge {
  deviceId: string;
  /** Who is signed in: of what nobody is named for. */
  userName(): string;
  menu(): (PricedMenu & Pick<RuleMenu, "products"> & Partial<Pick<RuleContext, "stations">>) | null;
  takeBackMs(): number;
  /** The hub's time (ms since 1970) at a time of this device's clock (ISO 8601). */
  hubTime(deviceTime: string): number;
}

/** The house as the hub's rules need it for a mutation of this device. */
export function ruleContextOf({ mutationId, queuedAt, actor }: OutboxEntry, knowledge: ReplayKnowledge): RuleContext {
  const now = knowledge.hubTime(queuedAt);
  const menu = knowledge.menu();
  let names = 0;
  return {
    now,
    queuedAt: now,
    writer: { terminalId: knowledge.deviceId, userName: actor?.user.name ?? knowledge.userName(), role: "manager" },
    stations: menu?.stations ?? [],
    menu: ruleMenuOf(menu),
    session: null,
    takeBackMs: knowledge.takeBackMs(),
    // The same each time, so that what it names stays what it was.
    newId: () => `${mutationId} ${(names += 1)}`,
    hub: null,
  };
}

export function ruleMenuOf(known: ReturnType<ReplayKnowledge["menu"]>): RuleContext["menu"] {
  // Whether new checks are taken is for the hub to say: what a guest ordered is not hidden.
  if (known === null) return null;
  const { products, taxes, rounding, paymentMethods = null } = known;
  return { products, taxes, rounding, paymentMethods };
}
