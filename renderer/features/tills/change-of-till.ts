import type { ChangeTill, Till } from "@comanda/protocol";

interface TillFields {
  name: string;
  terminals: string[];
  /** Empty for none. */
  printer: string;
}

/** What somebody has changed of a till: what they left as it was may have been changed elsewhere meanwhile. */
export function changeOfTill(till: Till, { name, terminals, printer }: TillFields): ChangeTill {
  const isSame = new Set(terminals).symmetricDifference(new Set(till.terminals)).size === 0;
  return {
    ...(name !== till.name && { name }),
    ...(!isSame && { terminals }),
    ...(printer !== (till.printer ?? "") && { printer: printer === "" ? null : printer }),
  };
}
