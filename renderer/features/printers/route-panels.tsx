import { MultiSelect, Select } from "@mantine/core";
import { type ListedPrinter, ReceiptMode, type PrintRoutes } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Loaded } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { Table } from "../../components/tables/table.tsx";
import { useAct } from "../../components/forms/use-act.ts";
import { SelectField, SwitchField } from "../../components/forms/form-fields.tsx";
import { callHub, hubCache, hubKey, useHub } from "../../lib/hub.ts";
import { useRoutedStations } from "./route-names.ts";

interface RoutesProps {
  routes: PrintRoutes;
  printers: readonly ListedPrinter[];
  save: (change: Partial<PrintRoutes>) => void;
}

/** Which printer prints what. Each choice is saved at once. */
export function RoutePanels() {
  const { t } = useTranslation("printers");
  const printers = useHub("printers").data?.printers ?? [];
  const { act } = useAct();
  // All routes are saved together, one save after the other. A choice during a save builds on what is being saved.
  const saving = useMutation({ mutationFn: saveRoutes, scope: { id: "printRoutes" } });
  return (
    <Loaded query={useHub("printRoutes")}>
      {(saved) => {
        const routes = (saving.isPending ? saving.variables : undefined) ?? saved;
        const save = (change: Partial<PrintRoutes>) =>
          void act(() => saving.mutateAsync(without(routes, change)), t("routesSaved"));
        return (
          <>
            <StationRoutes routes={routes} printers={printers} save={save} />
            <ReceiptRoutes routes={routes} printers={printers} save={save} />
          </>
        );
      }}
    </Loaded>
  );
}

async function saveRoutes(body: PrintRoutes): Promise<void> {
  const saved = await callHub("setPrintRoutes", { body });
  // A read under way may be older than this save.
  await hubCache.cancelQueries({ queryKey: hubKey("printRoutes") });
  hubCache.setQueryData(hubKey("printRoutes"), saved);
}

function StationRoutes({ routes, printers, save }: RoutesProps) {
  const { t } = useTranslation("printers");
  const stations = useRoutedStations();
  const paperOnly = routes.paperOnly ?? [];
  return (
    <Panel title={t("stations")} about={t("stationsAbout")}>
      <div className="stack">
        {stations.map(({ id, name }) => (
          <div key={id} className="stack">
            <MultiSelect
              searchable
              label={t("stationPrinters", { name })}
              data={optionsOf(printers)}
              value={routes.stations[id] ?? []}
              onChange={(ids) => save({ stations: { ...routes.stations, [id]: ids } })}
            />
            <SwitchField
              label={t("paperOnly")}
              aria-label={t("paperOnlyOf", { name })}
              checked={paperOnly.includes(id)}
              onChange={(isOn) => {
                const others = paperOnly.filter((each) => each !== id);
                save({ paperOnly: isOn ? [...others, id] : others });
              }}
            />
          </div>
        ))}
        <Select
          label={t("houseFallback")}
          placeholder={t("nowhere")}
          data={optionsOf(printers)}
          value={routes.fallback ?? null}
          clearable
          onChange={(fallback) => save({ fallback: fallback ?? undefined })}
        />
      </div>
    </Panel>
  );
}

function ReceiptRoutes({ routes, printers, save }: RoutesProps) {
  const { t } = useTranslation(["printers", "terminals", "common"]);
  const terminals = useHub("terminals").data?.terminals ?? [];
  const ids = [...new Set([...Object.keys(routes.terminals), ...terminals.map(({ terminalId }) => terminalId)])];
  const routeOf = (id: string) => routes.terminals[id] ?? { receipt: "always" as const };
  const put = (id: string, change: { printer?: string | undefined; receipt?: ReceiptMode }) => {
    const { printer, receipt } = { ...routeOf(id), ...change };
    save({ terminals: { ...routes.terminals, [id]: { receipt, ...(printer !== undefined && { printer }) } } });
  };
  return (
    <Panel title={t("receipts")} about={t("receiptsAbout")}>
      <div className="stack">
        <Select
          label={t("houseReceipts")}
          placeholder={t("nowhere")}
          data={optionsOf(printers)}
          value={routes.receipts ?? null}
          clearable
          onChange={(receipts) => save({ receipts: receipts ?? undefined })}
        />
        <Table
          rows={ids}
          rowKey={(id) => id}
          empty={{
            title: t("noTerminals"),
            children: t("noTerminalsAbout"),
            way: { to: "/terminals/connect", label: t("terminals:tabs.connect") },
          }}
          columns={[
            { header: t("common:terminal"), cell: (id) => <strong>{id}</strong> },
            {
              header: t("receiptPrinter"),
              width: "220px",
              cell: (id) => (
                <Select
                  aria-label={t("receiptPrinterOf", { name: id })}
                  placeholder={t("theHouses")}
                  data={optionsOf(printers)}
                  value={routeOf(id).printer ?? null}
                  clearable
                  onChange={(printer) => put(id, { printer: printer ?? undefined })}
                />
              ),
            },
            {
              header: t("receiptHeader"),
              width: "200px",
              cell: (id) => (
                <SelectField
                  aria-label={t("receiptModeOf", { name: id })}
                  data={ReceiptMode.options.map((value) => ({ value, label: t(`receiptMode.${value}`) }))}
                  value={routeOf(id).receipt}
                  onChange={(receipt) => put(id, { receipt })}
                />
              ),
            },
          ]}
        />
      </div>
    </Panel>
  );
}

function optionsOf(printers: readonly ListedPrinter[]): { value: string; label: string }[] {
  return printers.map(({ id, name }) => ({ value: id, label: name }));
}

/** Applies a change to the routes. A field that is undefined in the change is removed. */
function without(routes: PrintRoutes, change: Partial<PrintRoutes>): PrintRoutes {
  return JSON.parse(JSON.stringify({ ...routes, ...change })) as PrintRoutes;
}
