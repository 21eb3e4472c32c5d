import type { TicketLine } from "@comanda/protocol";
import { useMemo } from "react";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTerminal, useLive } from "../../../lib/connection/pos.ts";
import { ageLevel, clockOf, limitsOfLines, type AgeLevel, type UsualTimes } from "./ticket-facts.ts";

const tones = { onTime: "good", slow: "warn", late: "bad" } as const satisfies Record<AgeLevel, string>;

/** The age of these lines: a clock, and a word besides the colour. */
export function Age({ since, lines }: { since: string; lines: readonly TicketLine[] }) {
  const { t } = useTranslation("kitchen");
  const terminal = useTerminal();
  const limits = limitsOfLines(lines, useUsualTimes());
  const age = () => terminal.now() - Date.parse(since);
  const clock = useTextAt(() => clockOf(age()));
  const level = useTextAt(() => ageLevel(age(), limits)) as AgeLevel;
  return (
    <span className="age" data-tone={tones[level]}>
      <span className="age-word">{t(`age.${level}`)}</span>
      <span className="age-clock">{clock}</span>
    </span>
  );
}

/** Returns the usual cooking time by dish, as learned by the hub; empty before it has learned any. */
function useUsualTimes(): UsualTimes {
  const learned = useLive("learned");
  return useMemo(() => new Map(learned?.dishTimes.map(({ productId, usualMs }) => [productId, usualMs])), [learned]);
}
