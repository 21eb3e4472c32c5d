import type { KitchenTicket } from "@comanda/protocol";
import { useMemo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { sumDishes, type DishSum } from "../tickets/all-day.ts";

/** The quantity of each dish still to cook; a tap marks its tickets. */
export function AllDayList({
  tickets,
  marked,
  onMark,
}: {
  tickets: readonly KitchenTicket[];
  marked: DishSum | null;
  onMark: (dish: DishSum | null) => void;
}) {
  const { t, format } = useTranslation("kitchenMore");
  const sums = useMemo(() => sumDishes(tickets), [tickets]);
  if (sums.length === 0) return <p className="soft">{t("nothingToCook")}</p>;
  return (
    <ul className="rows all-day">
      {sums.map((dish) => (
        <li key={dish.key}>
          <button
            type="button"
            className="all-day-dish"
            aria-pressed={dish.key === marked?.key}
            onClick={() => onMark(dish.key === marked?.key ? null : dish)}
          >
            <strong className="all-day-quantity">{format.quantity(dish.quantity)}</strong>
            <span>
              {dish.name}
              {dish.modifiers.length > 0 && <span className="kline-modifier">{dish.modifiers.join(", ")}</span>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
