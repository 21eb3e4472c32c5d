import { digitsOf, hasRncForm } from "@comanda/protocol";
import { useEffect, useEffectEvent } from "react";
import { useTerminal } from "../../lib/connection/pos.ts";
import type { FiscalChoice } from "./fiscal-types.ts";
import type { PayDraft } from "./pay-draft.ts";

/** More customers than may have the RNC's digits in their phone numbers. */
const LIMIT = 20;

/**
 * Fills in the name of the one customer with the typed RNC. A typed name stays; a found one is cleared when the RNC changes.
 * Returns a function that applies a key to the choice.
 */
export function useBuyerLookup(
  { fiscal, customer, foundName }: Pick<PayDraft, "fiscal" | "customer" | "foundName">,
  onChange: (change: Partial<PayDraft>) => void,
): (rnc: string) => FiscalChoice {
  const { http } = useTerminal();
  const { rnc } = fiscal;
  const isLookedUp = customer === null && hasRncForm(rnc);
  const fill = useEffectEvent((name: string) => {
    if (fiscal.name !== "") return;
    onChange({ fiscal: { ...fiscal, name }, foundName: name });
  });
  useEffect(() => {
    if (!isLookedUp) return;
    let isOld = false;
    http.customers({ q: rnc, limit: LIMIT }).then(
      ({ customers }) => {
        const names = new Set(customers.filter((each) => digitsOf(each.rnc) === rnc).map(({ name }) => name));
        const [name] = names;
        if (!isOld && name !== undefined && names.size === 1) fill(name);
      },
      // On failure the name can be typed.
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [http, rnc, isLookedUp]);
  return (typed) => ({ ...fiscal, rnc: typed, name: fiscal.name === foundName ? "" : fiscal.name });
}
