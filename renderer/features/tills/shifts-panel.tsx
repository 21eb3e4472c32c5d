import { TextInput } from "@mantine/core";
import type { ShiftSummary } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useState } from "react";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { StatusMark } from "../../components/status-mark.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { useHub } from "../../lib/hub.ts";
import { ShiftView } from "./shift-view.tsx";

/** The shifts of a day, or of all days that are kept, each with its report. */
export function ShiftsPanel() {
  const { t } = useTranslation("tills");
  const [day, setDay] = useState("");
  const [shown, setShown] = useState<string | null>(null);
  const shifts = useHub("shifts", { query: day === "" ? {} : { day } });
  const columns = useColumns();
  if (shown !== null) return <ShiftView shiftId={shown} onClose={() => setShown(null)} />;
  return (
    <Panel
      title={t("shiftsTitle")}
      actions={
        <TextInput
          type="date"
          aria-label={t("day")}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      }
      flush
    >
      <Loaded query={shifts}>
        {(list) => (
          <Table
            columns={columns}
            rows={list.shifts}
            rowKey={({ id }) => id}
            actions={({ id, openedBy, tillName }) => [
              {
                label: t("show"),
                name: t("showOf", { name: openedBy, till: tillName }),
                run: async () => setShown(id),
              },
            ]}
            empty={{ title: t("noShiftsTitle"), children: t("noShifts") }}
          />
        )}
      </Loaded>
    </Panel>
  );
}

const tones = { open: "accent", counted: "warn", closed: "good" } as const;

function useColumns(): Column<ShiftSummary>[] {
  const { t } = useTranslation("tills");
  const format = useFormat();
  const now = useNow();
  return [
    { header: t("till"), cell: ({ tillName }) => tillName },
    { header: t("state"), cell: ({ state }) => <StatusMark tone={tones[state]}>{t(`states.${state}`)}</StatusMark> },
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
