import type { HqRestaurantRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { memo } from "react";
import { Link } from "wouter";
import { AlertMarks } from "../../components/alert-marks.tsx";
import { PresenceMark } from "../../components/presence-mark.tsx";

/** A restaurant in a line. It is grey while it is not online, because its values are old. */
export const RestaurantRow = memo(function RestaurantRow({ row }: { row: HqRestaurantRow }) {
  const { t, format } = useTranslation("now");
  const { id, name, groups, presence, lastSeenAt, beat, alerts } = row;
  const isOpen = beat?.sessionOpen === true;
  // The presence mark says so already.
  const marked = presence === "offline" ? alerts.filter(({ kind }) => kind !== "offline") : alerts;
  const { late, open } = beat?.kitchen ?? { late: 0, open: 0 };
  return (
    <Link href={`/restaurants/${id}`} className="row-line place" data-stale={presence !== "online"}>
      <span data-name="restaurant">
        <strong>{name}</strong> <span className="soft">{groups.join(", ")}</span>
      </span>
      <span data-name="state">
        <PresenceMark presence={presence} lastSeenAt={lastSeenAt} isOpen={isOpen} />
      </span>
      {beat !== null && presence !== "never" && (
        <>
          <Value name="sold" text={format.moneyShort(beat.paidTotal)} />
          <Value name="checks" text={format.number(beat.openChecks)} />
          <Value name="kitchen" text={late > 0 ? t("kitchenLate", { count: late }) : format.number(open)} />
          <Value name="unsent" text={format.number(beat.unsent)} />
        </>
      )}
      <span data-name="problems">
        <AlertMarks alerts={marked} />
      </span>
    </Link>
  );
});

function Value({ name, text }: { name: "sold" | "checks" | "kitchen" | "unsent"; text: string }) {
  const { t } = useTranslation("now");
  return (
    <span data-name={name} className="num">
      <span className="value-name">{t(name)} </span>
      {text}
    </span>
  );
}
