import type { Learned } from "@comanda/protocol";
import { useLive } from "../../lib/pos.ts";
import type { UsualTimes } from "./ticket-facts.ts";

const nothing: UsualTimes = new Map();
const byAnswer = new WeakMap<Learned, UsualTimes>();

/** How long this kitchen usually takes for each dish, as the hub has learned it; empty before it has. */
export function useUsualTimes(): UsualTimes {
  const learned = useLive("learned");
  if (learned === null) return nothing;
  const known = byAnswer.get(learned);
  if (known !== undefined) return known;
  const times = new Map(learned.dishTimes.map(({ productId, usualMs }) => [productId, usualMs]));
  byAnswer.set(learned, times);
  return times;
}
