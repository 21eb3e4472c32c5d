import type { StoredOrder, TerminalLine, TerminalSnapshot } from "@comanda/protocol";
import { compareWithMenu, discountIn, withKnownPrices, type CheckWrite, type GivenDiscount } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { RefusedMutation } from "./refused-mutation.ts";

interface PriceDeps {
  orders: { get(posReference: string): StoredOrder | null };
  posConfig: OrderDeps["posConfig"];
}

const whys: Record<GivenDiscount["reason"], string> = {
  taken_off: "",
  line_discount: "",
  lower_price: ", and it would cost less than before",
  other_product: ", and what the kitchen has would become another product",
  negative_line: ", and its amount is below zero",
};

/**
 * What a terminal's writes of one mutation do to prices. `writes` are the same with their lines compared with the menu.
 * `confirm` is called once they are stored, so that a conflict or a lock is what the terminal hears of first: it refuses a
 * discount by a waiter, and tells of prices below the menu's.
 */
export function checkPrices<W extends { posReference: string; snapshot: TerminalSnapshot }>(
  deps: PriceDeps,
  writes: readonly W[],
  writer: Writer,
) {
  const menu = deps.posConfig();
  const checks = withKnownPrices(
    writes.map(({ posReference, snapshot }): CheckWrite => {
      return { posReference, snapshot, before: deps.orders.get(posReference)?.snapshot };
    }),
  );
  const discount = writer.role === "waiter" ? discountIn(checks, menu) : null;
  const compare = compareWithMenu(checks, menu);
  const compared = checks.map((check) => check.snapshot.lines?.map((line) => compare(check, line)));
  return {
    writes: writes.map((write, index): W => {
      const lines = compared[index]?.map(({ line }) => line);
      return lines === undefined ? write : { ...write, snapshot: { ...write.snapshot, lines } };
    }),
    confirm(tx: Tx): void {
      if (discount !== null) throw refusalOf(discount);
      for (const [index, { posReference, snapshot, before }] of checks.entries()) {
        const news = (compared[index] ?? []).filter(({ isNews }) => isNews);
        if (news.length === 0) continue;
        const tableId = snapshot.tableId === undefined ? before?.tableId : snapshot.tableId;
        tx.notify(["orders"], {
          kind: "price_below_menu",
          level: "warn",
          ...(tableId != null && { tableId }),
          detail: {
            posReference,
            userName: writer.userName,
            terminalId: writer.terminalId,
            text: news
              .map(({ line }) => nameOf(line))
              .join(", ")
              .slice(0, 200),
          },
        });
      }
    },
  };
}

function refusalOf({ posReference, lineId, reason }: GivenDiscount): RefusedMutation {
  const line = lineId === undefined ? "" : `line ${lineId}: `;
  const refusal = new HubError("FORBIDDEN", `${line}only a cashier or manager may give a discount${whys[reason]}`);
  return new RefusedMutation(posReference, refusal);
}

function nameOf(line: TerminalLine): string {
  return typeof line["name"] === "string" ? line["name"] : String(line.productId ?? line.id);
}
