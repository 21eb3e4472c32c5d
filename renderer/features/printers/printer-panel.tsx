import { Button } from "@mantine/core";
import type { ListedPrinter } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { LoadedTable } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { FindDialog } from "./find-dialog.tsx";
import { PrinterDialog } from "./printer-dialog.tsx";
import { stateTone } from "./printer-state.ts";

/** The dialog open over the list. */
type Shown = { kind: "find" } | { kind: "add"; address: string } | { kind: "change"; printer: ListedPrinter };

/** The printers with their current states. */
export function PrinterPanel() {
  const { t } = useTranslation(["printers", "common"]);
  const [shown, setShown] = useState<Shown | null>(null);
  const printers = useHub("printers");
  const close = () => setShown(null);
  const actionsOf = ({ id, name }: ListedPrinter): Action[] => [
    {
      label: t("common:test"),
      name: t("testOf", { name }),
      run: () => callHub("testPrinter", { params: { printerId: id } }),
      done: t("tested", { name }),
    },
    {
      label: t("common:change"),
      name: t("changeOf", { name }),
      run: async () => {
        const printer = printers.data?.printers.find((each) => each.id === id);
        if (printer !== undefined) setShown({ kind: "change", printer });
      },
    },
    {
      label: t("remove"),
      name: t("common:removeOf", { name }),
      confirm: { title: t("removeTitle", { name }), body: t("removeBody"), danger: true },
      run: () => callHub("removePrinter", { params: { printerId: id } }),
      done: t("removed", { name }),
    },
  ];
  const addButtons = (
    <>
      <Button variant="default" onClick={() => setShown({ kind: "find" })}>
        {t("find")}
      </Button>
      <Button onClick={() => setShown({ kind: "add", address: "" })}>{t("add")}</Button>
    </>
  );
  return (
    <Panel title={t("list")} about={t("listAbout")} actions={addButtons} flush>
      <LoadedTable
        query={printers}
        columns={useColumns()}
        rows={(data) => data.printers}
        rowKey={({ id }) => id}
        actions={actionsOf}
        empty={{ title: t("noneTitle"), children: t("none") }}
      />
      {shown?.kind === "find" && (
        <FindDialog onClose={close} onChoose={(address) => setShown({ kind: "add", address })} />
      )}
      {shown?.kind === "add" && <PrinterDialog address={shown.address} onClose={close} />}
      {shown?.kind === "change" && <PrinterDialog printer={shown.printer} onClose={close} />}
    </Panel>
  );
}

function useColumns(): Column<ListedPrinter>[] {
  const { t } = useTranslation(["printers", "common"]);
  return [
    { header: t("common:name"), cell: ({ name }) => <strong>{name}</strong> },
    {
      header: t("common:state"),
      width: "minmax(180px, 1fr)",
      cell: ({ state, since }) => (
        <>
          <StatusMark tone={stateTone[state]}>{t(`state.${state}`)}</StatusMark>{" "}
          <span className="soft">
            <TimeAgo at={since} />
          </span>
        </>
      ),
    },
    { header: t("waiting"), width: "90px", numeric: true, cell: ({ waiting }) => waiting },
    { header: t("paper"), width: "80px", cell: ({ width }) => t(`width${width}`) },
    { header: t("common:address"), width: "minmax(170px, 1fr)", className: "mono", cell: ({ address }) => address },
  ];
}
