import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { DrillReport } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Ago } from "../../../components/age.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { fact, Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { desktopBridge } from "../../../lib/desktop.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useDiagnostics } from "../api/diagnostics.ts";
import { downloadDiagnostics } from "../api/download-diagnostics.ts";
import { runDrill } from "../api/drill.ts";
import { useVersion } from "../api/version.ts";
import { diagnosticsTexts } from "../diagnostics-texts.ts";
import "./system.css";

export function OverviewPanels() {
  const version = useVersion();
  return (
    <div className="system-grid">
      <VersionPanel />
      <UpdatePanel />
      <DiagnosticsPanel />
      {version.data?.hasDrill === true && <DrillPanel />}
    </div>
  );
}

function VersionPanel() {
  const { t } = useTranslation("system");
  const version = useVersion();
  return (
    <Panel title={t("version")}>
      <Loaded query={version}>
        {(data) => (
          <Facts
            items={[
              fact(t("hubVersion"), <strong>{data.version}</strong>),
              fact(t("protocol"), data.protocolVersion),
              fact(t("schema"), data.schemaVersion),
              fact(t("host"), t(`hosts.${data.host}`)),
              fact(t("started"), <Ago at={data.startedAt} />),
              fact(t("timeZone"), data.timeZone),
              fact(t("platform"), data.platform),
              fact(t("runtime"), data.node),
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function UpdatePanel() {
  const { t } = useTranslation("system");
  const { busy, act } = useAct();
  const bridge = desktopBridge();
  return (
    <Panel title={t("update")}>
      {bridge === null ? (
        <p className="no-margin soft">{t("updateWeb")}</p>
      ) : (
        <div className="button-row">
          <Button
            variant="default"
            loading={busy}
            onClick={() =>
              void act(async () => {
                const outcome = await bridge.checkForUpdate();
                if (outcome === "no_channel") notifications.show({ message: t("updateNoChannel"), color: "gray" });
                if (outcome === "up_to_date") notifications.show({ message: t("updateNone"), color: "petrol" });
              })
            }
          >
            {t("updateCheck")}
          </Button>
          <Button variant="default" component={Link} href="/setup">
            {t("setup")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function DiagnosticsPanel() {
  const { t, i18n } = useTranslation("system");
  const about = diagnosticsTexts[i18n.language === "en" ? "en" : "es"];
  const format = useFormat();
  const { busy, act } = useAct();
  const diagnostics = useDiagnostics();
  return (
    <Panel
      title={t("diagnostics")}
      about={t("diagnosticsAbout")}
      actions={
        <Button size="xs" variant="default" loading={busy} onClick={() => void act(downloadDiagnostics)}>
          {t("diagnosticsDownload")}
        </Button>
      }
    >
      <Loaded query={diagnostics}>
        {({ files }) => (
          <ul className="file-list">
            {files.map((file) => (
              <li key={file.name}>
                <span className="mono">{file.name}</span> <span className="soft">{format.bytes(file.bytes)}</span>
                <div className="soft">{about[file.name] ?? file.about}</div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function DrillPanel() {
  const { t } = useTranslation("system");
  const format = useFormat();
  const [report, setReport] = useState<DrillReport | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    setError(null);
    try {
      setReport(await runDrill());
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Panel
      title={t("drill")}
      about={t("drillAbout")}
      actions={
        <Button size="xs" variant="default" loading={busy} onClick={() => void run()}>
          {t("drillRun")}
        </Button>
      }
    >
      {error !== null && <ErrorNotice error={error} />}
      {report !== null && (
        <Facts
          items={[
            fact(t("drillPaid"), format.number(report.paidWhileCut)),
            fact(t("drillQueued"), format.number(report.queuedWhileCut)),
            fact(t("drillForwarded"), format.number(report.forwardedAfter)),
            fact(t("drillLost"), <StatusMark tone={report.lost === 0 ? "good" : "bad"}>{report.lost}</StatusMark>),
            fact(t("drillTwice"), <StatusMark tone={report.twice === 0 ? "good" : "bad"}>{report.twice}</StatusMark>),
          ]}
        />
      )}
    </Panel>
  );
}
