import { ActionIcon, Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { addDays } from "@comanda/protocol";
import { TextField } from "./forms/form-fields.tsx";

interface DayToolsProps {
  /** YYYY-MM-DD, or empty until it is known. */
  day: string;
  /** The last day shown, if more than one day is shown. */
  end?: string;
  /** The last day that can be chosen. */
  last?: string | undefined;
  /** Label of the button that chooses no day. */
  nowLabel: string;
  /** Called with the chosen day, or null for no day. */
  onChoose: (day: string | null) => void;
  /** Labels and function for steps other than one day. */
  step?: { previous: string; next: string; go: (by: -1 | 1) => void } | undefined;
}

/** Chooses the previous day, the next day, any day, or none. */
export function DayTools({ day, end = day, last, nowLabel, onChoose, step }: DayToolsProps) {
  const { t } = useTranslation("common");
  const isLast = last !== undefined && end >= last;
  const go = step?.go ?? ((by: -1 | 1) => onChoose(addDays(day, by)));
  return (
    <div className="chips day-tools">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={step?.previous ?? t("previousDay")}
        disabled={day === ""}
        onClick={() => go(-1)}
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
        aria-label={step?.next ?? t("nextDay")}
        disabled={day === "" || isLast}
        onClick={() => go(1)}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
      <Button variant="default" onClick={() => onChoose(null)}>
        {nowLabel}
      </Button>
    </div>
  );
}
