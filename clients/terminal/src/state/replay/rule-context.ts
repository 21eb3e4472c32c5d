import type { RuleContext, RuleMenu } from "@comanda/rules";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import type { OutboxEntry } from "../../outbox/entries/outbox-entry.ts";

export interface ReplayKnowledge {
  deviceId: string;
  /** Name of the signed-in user, for mutations without an actor. */
  userName(): string;
  menu(): (PricedMenu & Pick<RuleMenu, "products"> & Partial<Pick<RuleContext, "stations">>) | null;
  takeBackMs(): number;
  /** Converts a time of this device's clock (ISO 8601) to the hub's time (ms since 1970). */
  hubTime(deviceTime: string): number;
}

/** Returns the context for the hub's rules for a mutation of this device. */
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
    // The same ids in every replay, so that references to them stay valid.
    newId: () => `${mutationId} ${(names += 1)}`,
    hub: null,
  };
}

export function ruleMenuOf(menu: ReturnType<ReplayKnowledge["menu"]>): RuleContext["menu"] {
  // Only the hub decides whether new checks are accepted; here, ordered lines must not be hidden.
  if (menu === null) return null;
  const { products, taxes, rounding, paymentMethods = null } = menu;
  return { products, taxes, rounding, paymentMethods };
}
