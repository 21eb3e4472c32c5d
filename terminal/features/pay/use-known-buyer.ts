import { digitsOf, hasRncForm } from "@comanda/protocol";
import { useEffect, useEffectEvent } from "react";
import { useTerminal } from "../../lib/connection/pos.ts";
import type { FiscalChoice } from "./fiscal-types.ts";
import type { PayDraft } from "./pay-draft.ts";

/** As many as may have the number in their phone as well. */
const LIMIT = 20;

/**
 * Finds the name of the one customer who has the RNC that was typed. A name that a person typed stays; the one that was found
 * goes when another RNC is typed. Answers what a key does to the choice.
 */
export function useKnownBuyer(
  { fiscal, customer, foundName }: Pick<PayDraft, "fiscal" | "customer" | "foundName">,
  onChange: (change: Partial<PayDraft>) => void,
): (rnc: string) => FiscalChoice {
  const { http } = useTerminal();
  const { rnc } = fiscal;
  const isAsked = customer === null && hasRncForm(rnc);
  const fill = useEffectEvent((name: string) => {
    if (fiscal.name !== "") return;
    onChange({ fiscal: { ...fiscal, name }, foundName: name });
  });
  useEffect(() => {
    if (!isAsked) return;
    let isOld = false;
    http.customers({ q: rnc, limit: LIMIT }).then(
      ({ customers }) => {
        const names = new Set(customers.filter((each) => digitsOf(each.rnc) === rnc).map(({ name }) => name));
        const [name] = names;
        if (!isOld && name !== undefined && names.size === 1) fill(name);
      },
      // Nobody is known, then: the name can be typed.
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [http, rnc, isAsked]);
  return (typed) => ({ ...fiscal, rnc: typed, name: fiscal.name === foundName ? "" : fiscal.name });
}
