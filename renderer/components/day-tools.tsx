import { ActionIcon, Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { TextField } from "./forms/form-fields.tsx";

interface DayToolsProps {
  /** YYYY-MM-DD; empty until it is known. */
  day: string;
  /** There is nothing after that. */
  last?: string | undefined;
  /** What there is without a day. */
  nowLabel: string;
  /** Null for that. */
  onChoose: (day: string | null) => void;
}

/** One day after another, any day, or what there is now. */
export function DayTools({ day, last, nowLabel, onChoose }: DayToolsProps) {
  const { t } = useTranslation("common");
  const isLast = last !== undefined && day >= last;
  return (
    <div className="chips day-tools">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t("previousDay")}
        disabled={day === ""}
        onClick={() => onChoose(addDays(day, -1))}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <TextField
        type="date"
        aria-label={t("day")}
        value={day}
        max={last}
        onChange={(next) => onChoose(next === "" ? null : next)}
      />
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t("nextDay")}
        disabled={day === "" || isLast}
        onClick={() => onChoose(addDays(day, 1))}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
      <Button variant="default" onClick={() => onChoose(null)}>
        {nowLabel}
      </Button>
    </div>
  );
}

function addDays(date: string, days: number): string {
  const day = new Date(`${date}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
