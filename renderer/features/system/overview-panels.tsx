import { bytesText } from "@comanda/ui/bytes-text.ts";
import { Button } from "@mantine/core";
import type { VersionInfo } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { ErrorNotice } from "../../components/failures/error-notice.tsx";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { desktopBridge } from "../../lib/desktop.ts";
import { downloadFromHub } from "../../lib/hub-client.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { BusyButton } from "../../components/forms/busy-button.tsx";

export function OverviewPanels() {
  const { t } = useTranslation(["system", "common"]);
  return (
    <div className="panel-grid">
      <LoadedPanel title={t("common:version")} query={useHub("version")}>
        {(version) => <VersionFacts version={version} />}
      </LoadedPanel>
      <UpdatePanel />
      <DiagnosticsPanel />
      <DrillPanel />
    </div>
  );
}

function VersionFacts({ version }: { version: VersionInfo }) {
  const { t } = useTranslation(["system", "common"]);
  return (
    <Facts
      items={[
        fact(t("hubVersion"), <strong>{version.version}</strong>),
        fact(t("protocol"), version.protocolVersion),
        fact(t("schema"), version.schemaVersion),
        fact(t("host"), t(`hosts.${version.host}`)),
        fact(t("common:startedAt"), <TimeAgo at={version.startedAt} />),
        fact(t("timeZone"), version.timeZone),
        fact(t("platform"), version.platform),
        fact(t("runtime"), version.node),
      ]}
    />
  );
}

function UpdatePanel() {
  const { t } = useTranslation("system");
  const bridge = desktopBridge();
  return (
    <Panel title={t("update")}>
      {bridge === null ? (
        <p className="no-margin soft">{t("updateWeb")}</p>
      ) : (
        <div className="button-row">
          <ActionButton
            label={t("updateCheck")}
            run={async () => {
              const outcome = await bridge.checkForUpdate();
              if (outcome === "no_channel") notify(t("updateNoChannel"));
              if (outcome === "up_to_date") notify(t("updateNone"));
            }}
          />
          <Button variant="default" component={Link} href="/setup">
            {t("setup")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function DiagnosticsPanel() {
  const { t, format } = useTranslation("system");
  return (
    <LoadedPanel
      title={t("diagnostics")}
      about={t("diagnosticsAbout")}
      actions={
        <ActionButton size="xs" label={t("diagnosticsDownload")} run={() => downloadFromHub("downloadDiagnostics")} />
      }
      query={useHub("diagnostics")}
    >
      {({ files }) => (
        <ul className="plain-list file-list">
          {files.map((file) => (
            <li key={file.name}>
              <span className="mono">{file.name}</span> <span className="soft">{bytesText(format, file.bytes)}</span>
              {/* The hub's own text, if this page does not know the file. */}
              <div className="soft">{knownText(t, `diagnosticsFile.${file.name}`) ?? file.about}</div>
            </li>
          ))}
        </ul>
      )}
    </LoadedPanel>
  );
}

function DrillPanel() {
  const { t, format } = useTranslation("system");
  const { data: report, error, isPending, mutate } = useMutation({ mutationFn: () => callHub("drill") });
  const zeroMark = (count: number) => (
    <StatusMark tone={count === 0 ? "good" : "bad"}>{format.number(count)}</StatusMark>
  );
  return (
    <Panel
      title={t("drill")}
      about={t("drillAbout")}
      actions={
        <BusyButton size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
          {t("drillRun")}
        </BusyButton>
      }
    >
      {error !== null && <ErrorNotice error={error} />}
      {report !== undefined && (
        <div role="status">
          <p>
            {[
              t("drillPaid", { count: report.paidWhileCut }),
              t("drillQueued", { count: report.queuedWhileCut }),
              t("drillForwarded", { count: report.forwardedAfter }),
            ].join(" · ")}
          </p>
          <Facts items={[fact(t("drillLost"), zeroMark(report.lost)), fact(t("drillTwice"), zeroMark(report.twice))]} />
        </div>
      )}
    </Panel>
  );
}
