import type { Block } from "@comanda/protocol";
import { marked } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive, usePos } from "../lib/connection/pos.ts";
import type { MenuIndex } from "../lib/menu/menu-index.ts";
import { PracticeStamp } from "../practice/practice-stamp.tsx";
import { FiscalLine } from "./fiscal-line.tsx";
import { paperOf } from "./paper-of.ts";
import "./receipt.css";

type Printed = Pick<LocalOrder, "snapshot" | "pending">;

/** A check as it is printed: the `bill`, the `receipt`, or a `copy` of it. */
export function Receipt({ order, kind }: { order: Printed; kind: "bill" | "receipt" | "copy" }) {
  const { t } = useTranslation("pay");
  const pos = usePos();
  // The paper has their names.
  useLive("menu");
  useLive("floors");
  const blocks = paperOf(pos, order, kind === "bill" ? "bill" : "receipt");
  return (
    <article className="receipt" aria-label={t(kind)}>
      <PracticeStamp />
      {kind !== "bill" && <FiscalLine order={order} />}
      {/* The guests' paper is in Spanish. */}
      <div className="receipt-rows" lang="es">
        {(kind === "copy" ? marked(blocks, t("copy")) : blocks).map((block, index) => (
          <Piece key={index} block={block} />
        ))}
      </div>
    </article>
  );
}

function Piece({ block }: { block: Block }) {
  if (block.kind === "rule") return <hr />;
  if (block.kind === "text") return <p {...styleOf(block)}>{block.text}</p>;
  // A code is for the guest's phone, which reads it from the paper.
  if (block.kind !== "row") return null;
  return (
    <p {...styleOf(block)} data-indent={block.indent}>
      <span>{block.left}</span>
      <span className="money">{block.right}</span>
    </p>
  );
}

function styleOf({ size, bold, align }: Extract<Block, { kind: "text" | "row" }>) {
  return { "data-size": size, "data-bold": bold, "data-align": align };
}

/** Returns the name of a payment method. */
export function methodName(menu: MenuIndex | null, methodId: number | string): string {
  return menu?.menu.paymentMethods.find(({ id }) => String(id) === String(methodId))?.name ?? String(methodId);
}
