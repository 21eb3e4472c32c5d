import type { LocalOrder } from "@comanda/terminal";
import { SoldOutStrip } from "../../../checks/sold-out-strip.tsx";
import { HeldCourses } from "../../../checks/unsent-strips.tsx";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { nextAct } from "./next-act.ts";
import { SameRound } from "./same-round-button.tsx";

/** Suggestions beside the next act: deal with sold-out dishes, fire held courses, repeat the round. */
export function CheckStrips({
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
