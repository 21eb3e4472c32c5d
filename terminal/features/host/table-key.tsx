import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";

/** A table to choose: its seats, or the time of its booking. */
export function TableKey({
  table: { name, seats, bookedAt },
  isChosen,
  onChoose,
}: {
  table: { name: string; seats: number; bookedAt: number | null };
  isChosen?: boolean;
  onChoose: () => void;
}) {
  const { t, format } = useTranslation("host");
  return (
    <ActButton aria-pressed={isChosen} onAct={onChoose}>
      <span>
        {name}
        <span className="act-more">
          {bookedAt === null
            ? t("seats", { count: seats })
            : t("bookedThen", { time: format.time(new Date(bookedAt).toISOString()) })}
        </span>
      </span>
    </ActButton>
  );
}
