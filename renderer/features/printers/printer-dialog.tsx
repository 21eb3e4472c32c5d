import { MultiSelect } from "@mantine/core";
import type { ListedPrinter, PrintRoutes } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { CheckField, TextField } from "../../components/forms/form-fields.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { randomUuid } from "../../lib/random-uuid.ts";
import { changeOfPrinter, fieldsOfPrinter } from "./change-of-printer.ts";
import { printerAddress } from "./printer-address.ts";
import { PrinterFields } from "./printer-fields.tsx";
import { useRoutedStations } from "./route-names.ts";

interface PrinterDialogProps {
  /** The printer to change; absent for a new one. */
  printer?: ListedPrinter;
  address?: string;
  onClose: () => void;
}

const RECEIPTS = "/receipts";
/** The form of a printer. For a new one it also asks what to print there. */
export function PrinterDialog({ printer, address = "", onClose }: PrinterDialogProps) {
  const { t } = useTranslation(["printers", "common"]);
  const [id] = useState(() => printer?.id ?? randomUuid());
  const [fields, setFields] = useState(() => fieldsOfPrinter(printer, address));
  const others = (useHub("printers").data?.printers ?? []).filter((each) => each.id !== id);
  const stations = useRoutedStations();
  const [prints, setPrints] = useState<readonly string[]>([]);
  const [isPaperOnly, setPaperOnly] = useState(false);
  const put = (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change }));
  const { name } = fields;
  const isFirst = printer === undefined && others.length === 0;
  const printsSlips = prints.some((each) => each !== RECEIPTS);

  async function save(): Promise<void> {
    // An earlier attempt may have added the printer: its answer was lost, or saving the routes failed.
    const before = printer ?? (await callHub("printers")).printers.find((each) => each.id === id);
    if (before === undefined) {
      const { model, fallback, ...typed } = fields;
      const optional = { ...(model.trim() !== "" && { model: model.trim() }), ...(fallback && { fallback }) };
      await callHub("addPrinter", { body: { id, ...typed, address: printerAddress(typed.address), ...optional } });
    } else {
      const body = changeOfPrinter(fieldsOfPrinter(before), fields);
      await callHub("changePrinter", { params: { printerId: id }, body });
    }
    if (printer !== undefined) return notify(t("changed", { name }));
    if (prints.length > 0) {
      const routes = await callHub("printRoutes");
      await callHub("setPrintRoutes", { body: withPrinter(routes, id, prints, isFirst && isPaperOnly) });
    }
    notify(t("added", { name }));
  }

  return (
    <FormDialog
      title={printer === undefined ? t("add") : t("changeOf", { name: printer.name })}
      submitLabel={printer === undefined ? t("add") : t("common:change")}
      isReady={name.trim() !== "" && fields.address.trim() !== ""}
      onClose={onClose}
      run={save}
    >
      <TextField
        field="name"
        label={t("common:name")}
        description={t("nameHint")}
        value={name}
        maxLength={120}
        onChange={(name) => put({ name })}
        data-autofocus
      />
      <TextField
        field="address"
        label={t("common:address")}
        description={t("addressHint")}
        value={fields.address}
        maxLength={255}
        placeholder="tcp://"
        onChange={(next) => put({ address: next.trim() })}
      />
      {printer === undefined && (
        <MultiSelect
          searchable
          label={t("prints")}
          data={[
            ...stations.map(({ id, name: label }) => ({ value: id, label })),
            { value: RECEIPTS, label: t("receipts") },
          ]}
          value={[...prints]}
          onChange={setPrints}
        />
      )}
      {isFirst && printsSlips && (
        <CheckField label={t("paperOnlyQuestion")} checked={isPaperOnly} onChange={setPaperOnly} />
      )}
      <PrinterFields fields={fields} others={others} onChange={put} />
    </FormDialog>
  );
}

/** Returns the routes with a new printer for the chosen stations and receipts. */
function withPrinter(routes: PrintRoutes, id: string, prints: readonly string[], isPaperOnly: boolean): PrintRoutes {
  const stationIds = prints.filter((each) => each !== RECEIPTS);
  const stations = { ...routes.stations };
  for (const stationId of stationIds) stations[stationId] = [...new Set([...(stations[stationId] ?? []), id])];
  return {
    ...routes,
    stations,
    ...(prints.includes(RECEIPTS) && { receipts: id }),
    ...(isPaperOnly && { paperOnly: [...new Set([...(routes.paperOnly ?? []), ...stationIds])] }),
  };
}
