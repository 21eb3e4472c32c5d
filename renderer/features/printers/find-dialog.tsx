import { Loader } from "@mantine/core";
import type { FoundPrinter } from "@comanda/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { Dialog } from "../../components/forms/dialog.tsx";
import { ErrorNotice } from "../../components/failures/error-notice.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Table } from "../../components/tables/table.tsx";
import { callHub } from "../../lib/hub.ts";
import { stateTone } from "./printer-state.ts";

/** Searches the networks of the hub's PC for printers, once, and offers the new ones. */
export function FindDialog({ onClose, onChoose }: { onClose: () => void; onChoose: (address: string) => void }) {
  const { t } = useTranslation(["printers", "common"]);
  const { data, error, refetch } = useQuery({
    queryKey: ["findPrinters"],
    queryFn: () => callHub("findPrinters"),
    gcTime: 0,
    retry: false,
  });
  const choose = ({ address, printerId }: FoundPrinter): Action[] =>
    printerId === undefined
      ? [{ label: t("addThis"), name: t("addThisOf", { address }), run: async () => onChoose(address) }]
      : [];
  return (
    <Dialog title={t("foundTitle")} size="lg" onClose={onClose}>
      {error !== null ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <p role="status" className="button-row">
          <Loader size="sm" aria-hidden /> {t("finding")}
        </p>
      ) : (
        <Table
          rows={data.printers}
          rowKey={({ address }) => address}
          actions={choose}
          empty={{ title: t("noneTitle"), children: t("foundNone") }}
          columns={[
            { header: t("common:address"), className: "mono", cell: ({ address }) => address },
            {
              header: t("common:state"),
              width: "minmax(180px, 1fr)",
              cell: ({ state, printerId }) =>
                printerId === undefined ? (
                  <StatusMark tone={stateTone[state]}>{t(`state.${state}`)}</StatusMark>
                ) : (
                  t("isKnown")
                ),
            },
          ]}
        />
      )}
    </Dialog>
  );
}
