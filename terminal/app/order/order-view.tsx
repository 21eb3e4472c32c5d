import type { LocalOrder } from "@comanda/terminal";
import { useCallback, useMemo, memo, type ComponentProps, useEffect, useRef } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation, Link } from "wouter";
import { toSend, unsentByProduct } from "../../checks/check-lines.ts";
import { Awaited } from "../../checks/awaited.tsx";
import type { CheckDraft } from "../../checks/new-check.ts";
import { Sheet } from "../../components/sheet.tsx";
import { useLearnedPage } from "../../features/order/tiles/learned-page.ts";
import { OrderSheets } from "../../features/order/order-sheets.tsx";
import { TileGrid } from "../../features/order/tiles/tile-grid.tsx";
import { useCheckEditor } from "../../features/order/editing/use-check-editor.ts";
import { useOrderTaps } from "../../features/order/tiles/use-order-taps.ts";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { useWidth } from "../../lib/page/use-width.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import { OrderFoot } from "./order-foot.tsx";
import { useCheckParts } from "./use-check-parts.tsx";
import { IconArrowLeft } from "@tabler/icons-react";
import { OrderTarget } from "../../features/order/editing/order-target.tsx";
import { useTerminal } from "../../lib/connection/pos.ts";
import "../../features/order/order.css";
import "../../features/order/tiles/menu-hues.css";
import "../../features/order/tiles/tiles.css";
import "../../features/order/choices/choice.css";

interface Props {
  title: string;
  order: LocalOrder | undefined;
  draft: CheckDraft;
  /** The checks of the same table. */
  siblings?: readonly LocalOrder[];
  /** Paid checks of the table with unsent lines. */
  paidUnsent?: readonly LocalOrder[];
  /** Called with another check of the table, or with the one that the first line opened. */
  onChoose?: (posReference: string) => void;
  /** On a phone, begins with the check instead of the tiles. */
  isCheckOpen?: boolean;
}

/** The order screen: tiles and the check side by side, or on a phone the tiles, with the check in a sheet. */
export function OrderView(props: Props) {
  const { t } = useTranslation("order");
  const menu = useMenu();
  return menu === null ? <Awaited text={t("menuAwaited")} /> : <OrderOn {...props} menu={menu} />;
}

const noSiblings: readonly LocalOrder[] = [];

function OrderOn({
  title,
  order,
  draft,
  siblings = noSiblings,
  paidUnsent = noSiblings,
  onChoose,
  isCheckOpen = false,
  menu,
}: Props & { menu: MenuIndex }) {
  const { t } = useTranslation("order");
  const width = useWidth();
  const isPhone = width === "phone";
  const [, go] = useLocation();
  const tables = useTableNames();
  const isOnPlan = draft.tableId !== null && tables.has(draft.tableId);
  const home = isOnPlan ? "/floor" : "/takeaway";
  const leave = useCallback(() => go(home), [go, home]);
  usePresence(order?.posReference, draft.tableId);

  const tiles = useLearnedPage(menu);
  const counts = useMemo(() => unsentByProduct(order?.snapshot.lines ?? []), [order]);
  const hasUnsent = toSend(order?.snapshot.lines ?? []).length > 0;
  const { editor, guests, setGuests } = useCheckEditor(menu, { order, draft, onOpened: onChoose });
  const first = isCheckOpen && isPhone ? ({ name: "check" } as const) : null;
  const taps = useOrderTaps({ menu, order, editor, first });
  const { sheet, setSheet, target, openLine: onOpenLine } = taps;
  const common = { title, order, siblings, menu, editor, isPhone, paidUnsent, onChoose, onOpenLine };
  const parts = useCheckParts({ ...common, onSent: leave });

  const view = useRef<HTMLDivElement>(null);
  function focusNext(): void {
    const next = hasUnsent && draft.tableId !== null ? ".send" : '.act[data-kind="money"]';
    view.current?.querySelector<HTMLElement>(`${next}:enabled`)?.focus();
  }
  const head = { home, title: isPhone ? title : null, target, guests, onTarget: taps.setTarget, onGuests: setGuests };
  const orderType = order?.snapshot.orderType ?? draft.orderType;
  return (
    <div ref={view} className="order" data-width={width}>
      {!isPhone && (
        <section className="order-check" aria-label={t("check")}>
          {parts.check}
        </section>
      )}
      <TileGrid menu={tiles} counts={counts} taps={taps} head={<OrderHead {...head} />} onNext={focusNext} />
      {isPhone && (
        <OrderFoot
          parts={parts}
          hasUnsent={hasUnsent}
          isOneOfSeveral={siblings.length > 1}
          onCheck={order === undefined ? null : () => setSheet({ name: "check" })}
        />
      )}
      {sheet?.name === "check" && order !== undefined && isPhone && (
        <Sheet title={title} onClose={() => setSheet(null)}>
          {parts.check}
        </Sheet>
      )}
      {sheet !== null && sheet.name !== "check" && (
        <OrderSheets {...{ sheet, menu, orderType, guests, target, editor }} onSheet={setSheet} />
      )}
    </div>
  );
}

/** Head of the order screen: the back button, and guests, seat and course of the next dishes. */
const OrderHead = memo(function OrderHead({
  home,
  title,
  ...target
}: { home: string; title: string | null } & ComponentProps<typeof OrderTarget>) {
  const { t } = useTranslation(["order", "common"]);
  return (
    <>
      <Link href={home} className="act order-back" data-size="small" aria-label={t("common:back")}>
        <IconArrowLeft size={22} aria-hidden />
      </Link>
      {title !== null && <h1 className="order-title">{title}</h1>}
      <OrderTarget {...target} />
    </>
  );
});

/** Publishes to other terminals which check is open here, or at which table one begins. */
function usePresence(posReference: string | undefined, tableId: number | null): void {
  const terminal = useTerminal();
  useEffect(() => {
    terminal.setPresence(posReference !== undefined ? { posReference } : tableId !== null ? { tableId } : null);
    return () => terminal.setPresence(null);
  }, [terminal, posReference, tableId]);
}
