import type { BackOfficeProduct, StoredLine } from "@comanda/protocol";
import { missingQuantity } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { IconArrowLeft } from "@tabler/icons-react";
import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
} from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { ActButton } from "../../components/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import type { MenuIndex } from "../../lib/menu-index.ts";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { useMenu } from "../../lib/use-menu.ts";
import { useWidth } from "../../lib/use-width.ts";
import { CheckPanel } from "../check/check-panel.tsx";
import { PayButton } from "../pay/pay-button.tsx";
import { editorOf, type CheckEditor } from "./check-editor.ts";
import { CheckStrips } from "./check-strips.tsx";
import { ChoiceSheet } from "./choice-sheet.tsx";
import { OpenLineContext } from "./line-options.tsx";
import { useLearnedPage } from "./learned-page.ts";
import { mustChoose } from "./modifier-choices.ts";
import type { CheckDraft } from "./new-check.ts";
import { OrderTarget, type Target } from "./order-target.tsx";
import { SendButton } from "./send-button.tsx";
import { StockSheet } from "./stock-sheet.tsx";
import { isSoldOut } from "./stock.ts";
import { TileGrid } from "./tile-grid.tsx";
import "./order.css";

interface Props {
  title: string;
  order: LocalOrder | undefined;
  draft: CheckDraft;
  /** The checks of the same table. */
  siblings?: readonly LocalOrder[];
  /** Another check of the table, or the one that the first line has opened. */
  onChoose?: (posReference: string) => void;
  /** On a phone: begins with the check instead of the tiles. */
  isCheckOpen?: boolean;
}

/** Tiles that put dishes on a check, and the check: side by side where there is room, one above the other on a phone. */
export function OrderView(props: Props) {
  const { t } = useTranslation("order");
  const menu = useMenu();
  return menu === null ? <p className="order-gone">{t("noMenu")}</p> : <OrderOn {...props} menu={menu} />;
}

/** A dish whose choices are open, or whose stock is. */
type OpenSheet =
  | { name: "choice"; product: BackOfficeProduct; line?: StoredLine; quantity: number }
  | { name: "stock"; product: BackOfficeProduct }
  | { name: "check" };

function OrderOn({
  title,
  order,
  draft: given,
  siblings = [],
  onChoose,
  isCheckOpen = false,
  menu,
}: Props & { menu: MenuIndex }) {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const width = useWidth();
  const format = useFormat();
  const itemStates = useLive("itemStates");
  const [, go] = useLocation();
  const [sheet, setSheet] = useState<OpenSheet | null>(isCheckOpen && width === "phone" ? { name: "check" } : null);
  const [target, setTarget] = useState<Target>({ seat: null, course: 1 });
  const [isStockMode, setStockMode] = useState(false);
  const [guestsBefore, setGuestsBefore] = useState(given.guestCount ?? 1);
  const tiles = useLearnedPage(menu);
  const posReference = order?.posReference;
  const { tableId } = given;
  const home = tableId === null ? "/takeaway" : "/floor";
  const guests = order?.snapshot.guestCount ?? guestsBefore;
  const draft = { ...given, guestCount: guestsBefore };

  useEffect(() => {
    terminal.setPresence(posReference !== undefined ? { posReference } : tableId !== null ? { tableId } : null);
    return () => terminal.setPresence(null);
  }, [terminal, posReference, tableId]);

  const counts = useMemo(() => {
    const sums = new Map<string, number>();
    for (const line of order?.snapshot.lines ?? []) {
      const unsent = missingQuantity(line);
      if (unsent > 0) sums.set(String(line.productId), (sums.get(String(line.productId)) ?? 0) + unsent);
    }
    return sums;
  }, [order]);

  const editor = editorOf(terminal, menu, { order, draft });
  const lines = order?.snapshot.lines ?? [];
  const stateOf = (product: BackOfficeProduct) =>
    itemStates.find(({ productId }) => String(productId) === String(product.id));
  const add: typeof editor.add = (product, choice) => {
    const opened = editor.add(product, choice);
    if (opened !== null && order === undefined) onChoose?.(opened);
    return opened;
  };
  const tap = (product: BackOfficeProduct, quantity: number) => {
    if (isStockMode || isSoldOut(stateOf(product))) setSheet({ name: "stock", product });
    else if (mustChoose(product)) setSheet({ name: "choice", product, quantity });
    else add(product, { quantity, course: target.course, ...(target.seat !== null && { seat: target.seat }) });
  };
  const openLine = (lineId: string) => {
    const line = lines.find(({ id }) => id === lineId);
    const product = menu.product(line?.productId);
    if (line !== undefined && product !== undefined) {
      setSheet({ name: "choice", product, line, quantity: line.quantity });
    }
  };

  // What does not change with each tap is not drawn again with it.
  const latest = useRef({ editor, openLine });
  useLayoutEffect(() => {
    latest.current = { editor, openLine };
  });
  const stable = useMemo(
    () => ({
      openLine: (lineId: string) => latest.current.openLine(lineId),
      editor: {
        add: (...given) => latest.current.editor.add(...given),
        setQuantity: (...given) => latest.current.editor.setQuantity(...given),
        choose: (...given) => latest.current.editor.choose(...given),
        setGuests: (...given) => latest.current.editor.setGuests(...given),
      } satisfies CheckEditor,
    }),
    [],
  );

  // The tiles answer the finger at once; the check beside them follows in the next moment.
  const shown = useDeferredValue(order);
  const shownSiblings = useDeferredValue(siblings);
  const leave = useCallback(() => go(home), [go, home]);
  const check = useMemo(
    () => (
      <OpenLineContext value={stable.openLine}>
        <CheckPanel
          title={title}
          order={shown}
          editor={stable.editor}
          siblings={shownSiblings}
          {...(onChoose === undefined ? {} : { onChoose })}
        />
      </OpenLineContext>
    ),
    [stable, title, shown, shownSiblings, onChoose],
  );
  const strips = useMemo(
    () => shown !== undefined && <CheckStrips order={shown} menu={menu} onSent={leave} />,
    [shown, menu, leave],
  );
  const send = useMemo(
    () => <SendButton title={title} order={shown} menu={menu} onSent={leave} />,
    [title, shown, menu, leave],
  );
  const pay = useMemo(() => <PayButton order={shown} />, [shown]);
  return (
    <div className="order" data-width={width}>
      {width !== "phone" && (
        <section className="order-check" aria-label={t("check")}>
          {check}
          <div className="order-foot">
            {strips}
            {send}
            {pay}
          </div>
        </section>
      )}
      <TileGrid
        menu={tiles}
        counts={counts}
        itemStates={itemStates}
        isStockMode={isStockMode}
        onStockMode={setStockMode}
        onTap={tap}
        onHold={(product) =>
          setSheet(isStockMode ? { name: "stock", product } : { name: "choice", product, quantity: 1 })
        }
        head={
          <OrderHead
            home={home}
            title={width === "phone" ? title : null}
            target={target}
            guests={guests}
            onTarget={setTarget}
            onGuests={order === undefined ? setGuestsBefore : stable.editor.setGuests}
          />
        }
      />
      {width === "phone" && (
        <div className="order-foot">
          {strips}
          <div className="order-bar">
            <ActButton className="order-total" onAct={() => setSheet({ name: "check" })} disabled={order === undefined}>
              <span>
                <span className="money">{format.price(shown?.snapshot.totals.total ?? 0)}</span>
                <span className="act-more">{t("lines", { count: shown?.snapshot.lines.length ?? 0 })}</span>
              </span>
            </ActButton>
            {counts.size > 0 ? send : pay}
          </div>
        </div>
      )}
      {sheet?.name === "check" && order !== undefined && width === "phone" && (
        <Sheet title={title} onClose={() => setSheet(null)}>
          {check}
          {pay}
        </Sheet>
      )}
      {sheet?.name === "stock" && (
        <StockSheet product={sheet.product} state={stateOf(sheet.product)} onClose={() => setSheet(null)} />
      )}
      {sheet?.name === "choice" && (
        <ChoiceSheet
          product={sheet.product}
          line={sheet.line}
          start={{ ...target, quantity: sheet.quantity }}
          menu={menu}
          orderType={order?.snapshot.orderType ?? draft.orderType}
          guests={guests}
          onChosen={(choice) => {
            setSheet(null);
            if (sheet.line === undefined) add(sheet.product, choice);
            else editor.choose(sheet.line.id, choice);
          }}
          onRemove={() => {
            setSheet(null);
            if (sheet.line !== undefined) editor.setQuantity(sheet.line.id, 0);
          }}
          onStock={() => setSheet({ name: "stock", product: sheet.product })}
          onClose={() => setSheet(null)}
        />
      )}
    </div>
  );
}

/** What stands before the search: the way back, and whom and when the next dish is for. */
const OrderHead = memo(function OrderHead({
  home,
  title,
  ...target
}: { home: string; title: string | null } & ComponentProps<typeof OrderTarget>) {
  const { t } = useTranslation("order");
  return (
    <>
      <Link href={home} className="act order-back" data-size="small" aria-label={t("back")}>
        <IconArrowLeft size={22} aria-hidden />
      </Link>
      {title !== null && <h1 className="order-title">{title}</h1>}
      <OrderTarget {...target} />
    </>
  );
});
