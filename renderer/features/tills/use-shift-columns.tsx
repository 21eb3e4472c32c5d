import type { ShiftSummary } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "../../lib/hub-time.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import type { Column } from "../../components/tables/table.tsx";

const tones = { open: "accent", counted: "warn", closed: "good" } as const;

/** Returns the columns for lists of shifts. */
export function useShiftColumns(): Column<ShiftSummary>[] {
  const { t, format } = useTranslation(["tills", "common"]);
  const now = useNow();
  return [
    { header: t("till"), cell: ({ tillName }) => tillName },
    {
      header: t("common:state"),
      cell: ({ state }) => <StatusMark tone={tones[state]}>{t(`states.${state}`)}</StatusMark>,
    },
    { header: t("opened"), cell: ({ openedBy, openedAt }) => `${openedBy}, ${format.when(openedAt, now)}` },
    {
      header: t("closed"),
      cell: ({ closedBy, closedAt }) => (closedAt === null ? "" : `${closedBy ?? ""}, ${format.when(closedAt, now)}`),
    },
    { header: t("approved"), cell: ({ approvedBy }) => approvedBy ?? "" },
    { header: t("sales"), numeric: true, cell: ({ sales }) => format.money(sales) },
    {
      header: t("difference"),
      numeric: true,
      cell: ({ difference }) => (difference === null ? "" : format.money(difference)),
    },
  ];
}
