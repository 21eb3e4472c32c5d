import type { LocalOrder } from "@comanda/terminal";
import { SoldOutStrip } from "../../../checks/sold-out-strip.tsx";
import { HeldCourses } from "../../../checks/unsent-strips.tsx";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { nextAct } from "./next-act.ts";
import { SameRound } from "./same-round-button.tsx";

/** What the check proposes beside what comes next: to decide on what has run out, and the courses that wait. */
export function CheckStrips({
  order,
  menu,
  isBarApart,
  onSent,
}: {
  order: LocalOrder;
  menu: MenuIndex;
  /** On a phone the bar below has no room for what comes next but Send and the payment. */
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
