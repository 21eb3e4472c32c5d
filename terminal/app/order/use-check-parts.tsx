import type { LocalOrder } from "@comanda/terminal";
import { useDeferredValue, useMemo } from "react";
import { endOf } from "../../checks/nothing-left.ts";
import { PaidUnsent, HeldCourses } from "../../checks/unsent-strips.tsx";
import { CheckPanel } from "../../features/check/check-panel.tsx";
import { FreeTable } from "../../features/check/tables/free-table.tsx";
import type { CheckEditor } from "../../features/order/editing/check-editor.ts";
import { NextAct } from "../../features/order/rounds/next-act-button.tsx";
import { SendButton } from "../../features/order/rounds/send-button.tsx";
import { PayButton } from "../../features/pay/pay-button.tsx";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { InUseStrip } from "../../people/in-use-strip.tsx";
import { SoldOutStrip } from "../../checks/sold-out-strip.tsx";
import { nextAct } from "../../features/order/rounds/next-act.ts";
import { SameRound } from "../../features/order/rounds/same-round-button.tsx";

export type CheckParts = ReturnType<typeof useCheckParts>;

/**
 * Returns what is shown beside the tiles. It is deferred, so that tiles respond at once, and memoized, so that each part
 * renders only for its own changes.
 */
export function useCheckParts({
  title,
  order,
  siblings,
  menu,
  editor,
  isPhone,
  paidUnsent,
  onChoose,
  onOpenLine,
  onSent,
}: {
  title: string;
  order: LocalOrder | undefined;
  siblings: readonly LocalOrder[];
  menu: MenuIndex;
  editor: CheckEditor;
  isPhone: boolean;
  /** Paid checks of the table with unsent lines. */
  paidUnsent: readonly LocalOrder[];
  onChoose: ((posReference: string) => void) | undefined;
  onOpenLine: (lineId: string) => void;
  onSent: () => void;
}) {
  const shown = useDeferredValue(order);
  const shownSiblings = useDeferredValue(siblings);
  const shownPaid = useDeferredValue(paidUnsent);
  const paidParts = useMemo(
    () => shownPaid.map((each) => <PaidUnsent key={each.posReference} order={each} />),
    [shownPaid],
  );
  const strips = useMemo(
    () =>
      shown !== undefined && (
        <>
          <InUseStrip order={shown} />
          <CheckStrips order={shown} menu={menu} isBarApart={isPhone} onSent={onSent} />
        </>
      ),
    [shown, menu, isPhone, onSent],
  );
  const send = useMemo(
    () => <SendButton title={title} order={shown} menu={menu} onSent={onSent} />,
    [title, shown, menu, onSent],
  );
  const pay = useMemo(
    () =>
      shown !== undefined && endOf(shown.snapshot) === "free" ? (
        <FreeTable order={shown} onDone={onSent} />
      ) : (
        <PayButton order={shown} />
      ),
    [shown, onSent],
  );
  const check = useMemo(
    () => (
      <CheckPanel
        title={title}
        order={shown}
        siblings={shownSiblings}
        strips={
          isPhone ? (
            shown !== undefined && <InUseStrip order={shown} />
          ) : (
            <>
              {paidParts}
              {strips}
            </>
          )
        }
        next={<NextAct title={title} order={shown} menu={menu} onSent={onSent} />}
        pay={pay}
        onQuantity={editor.setQuantity}
        onOpenLine={onOpenLine}
        {...(onChoose === undefined ? {} : { onChoose })}
      />
    ),
    [title, shown, shownSiblings, menu, isPhone, paidParts, strips, pay, editor, onOpenLine, onChoose, onSent],
  );
  return { shown, ofPaid: paidParts, check, strips, send, pay };
}

/** Suggestions beside the next act: deal with sold-out dishes, fire held courses, repeat the round. */
function CheckStrips({
  order,
  menu,
  isBarApart,
  onSent,
}: {
  order: LocalOrder;
  menu: MenuIndex;
  /** Whether the order bar is below the tiles, as on a phone, where it only has room for Send and the payment. */
  isBarApart: boolean;
  onSent: () => void;
}) {
  const next = nextAct(order);
  return (
    <div className="rows check-strips">
      <SoldOutStrip order={order} menu={menu} />
      <HeldCourses order={order} isNextElsewhere={next === "fire" && !isBarApart} />
      {next !== "send" && isBarApart && <SameRound order={order} menu={menu} onSent={onSent} />}
    </div>
  );
}
