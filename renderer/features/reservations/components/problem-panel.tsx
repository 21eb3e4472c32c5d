import type { OperatorReservation } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";

/** Bookings that terminals drop silently, said aloud with the reason. */
export function ProblemPanel({ broken }: { broken: readonly OperatorReservation[] }) {
  const { t } = useTranslation("reservations");
  return (
    <Panel title={t("problems")} about={t("problemsAbout")} flush>
      <div className="table-scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t("record")}</th>
              <th scope="col">{t("problem")}</th>
            </tr>
          </thead>
          <tbody>
            {broken.map((record) => (
              <tr key={record.key}>
                <td>
                  <strong className="mono">{record.key}</strong>
                  <div className="soft mono">{JSON.stringify(record.payload)}</div>
                </td>
                <td>
                  <StatusMark tone="warn">{record.problem ?? ""}</StatusMark>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
