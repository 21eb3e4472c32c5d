import type { Terminal } from "@comanda/terminal";
import { openPrinters } from "../paper/printers.ts";
import type { Restaurant } from "../support/restaurant.ts";
import type { Stage } from "./stage.ts";
import { untilAcknowledged } from "./until-acknowledged.ts";

/** The printers and the drawer of the evening. */
export interface EveningPaper {
  /** Counts `cash` as the drawer's content and closes its shift. */
  closeShift(cash: number): Promise<void>;
  /** Returns a sentence for each document that is missing on paper or was printed twice. */
  compare(tickets: readonly { ticketId: string }[], paid: Iterable<string>): Promise<string[]>;
  stop(): Promise<void>;
}

const TILL = "caja";
/** The drawer's cash at the opening of the shift. */
export const FLOAT = 2_000;

/** Sets up a printer at each station and one with a drawer at the till, and opens the drawer's shift. */
export async function openPaper(
  restaurant: Restaurant,
  { stage, stations, cashier }: { stage: Stage; stations: readonly string[]; cashier: Terminal },
): Promise<EveningPaper> {
  const { operator, receipts, compare, stop } = await openPrinters(restaurant, stations);
  await operator("POST", "tills", { id: TILL, name: "Caja", printer: receipts, terminals: [cashier.deviceId] });
  stage.log("demo", `printers     ${stations.join(", ")} and the till's, with its drawer`);
  const { shiftId, ...opened } = cashier.openShift(TILL, FLOAT);
  await untilAcknowledged(opened);
  stage.log("till", `opens the shift with ${FLOAT.toFixed(2)} in the drawer`);

  return {
    async closeShift(cash) {
      const methodId = cashier.menu()?.paymentMethods.find(({ type }) => type === "cash")?.id ?? 1;
      await untilAcknowledged(cashier.countShift({ shiftId, counted: [{ methodId, amount: cash }] }));
      stage.log("till", `counts ${cash.toFixed(2)} and closes the shift`);
    },
    async compare(tickets, paid) {
      const { sheets, questions, differences } = await compare(tickets, paid);
      stage.log("closing", `sheets of paper: ${sheets}, open questions: ${questions}`);
      return [...differences, ...compareDrawer(await operator("GET", `shifts/${shiftId}`))];
    },
    stop,
  };
}

function compareDrawer(shift: Record<string, unknown>): string[] {
  const byMethod = (shift["byMethod"] ?? []) as { methodId: number | string; difference: number | null }[];
  const wrong = byMethod.filter(({ difference }) => difference !== null && difference !== 0);
  const differences = wrong.map(
    ({ methodId, difference }) => `the drawer differs by ${difference} (method ${methodId})`,
  );
  return shift["state"] === "closed" ? differences : [`the shift is ${String(shift["state"])}`, ...differences];
}
