import { Button } from "@mantine/core";
import type { DataFile } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Ago } from "../../../components/age.tsx";
import { fact, Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { checkDataFile } from "../api/check-data-file.ts";
import { useDataFile } from "../api/data-file.ts";

/** How the one file is in which everything lives. */
export function DataFilePanel() {
  const { t } = useTranslation("system");
  const file = useDataFile();
  const queries = useQueryClient();
  const { busy, act } = useAct();
  return (
    <Panel
      title={t("dataFile")}
      actions={
        <Button
          variant="default"
          loading={busy}
          onClick={() => void act(async () => queries.setQueryData(hubKey("dataFile", {}), await checkDataFile()))}
        >
          {t("checkNow")}
        </Button>
      }
    >
      <Loaded query={file} height={220}>
        {(data) => <Content file={data} />}
      </Loaded>
    </Panel>
  );
}

function Content({ file }: { file: DataFile }) {
  const { t } = useTranslation("system");
  const format = useFormat();
  const { check } = file;
  return (
    <Facts
      items={[
        fact(
          t("lastCheck"),
          check === null ? (
            t("never")
          ) : (
            <span role="status">
              <StatusMark tone={check.ok ? "good" : "bad"}>{t(check.ok ? "checkedGood" : "checkedBad")}</StatusMark>{" "}
              <Ago at={check.at} /> {!check.ok && check.message}
            </span>
          ),
        ),
        ...(file.checking === null
          ? []
          : [
              fact(
                t("checkNow"),
                <StatusMark tone="idle">
                  {t("checking", { percent: format.number(Math.floor(file.checking * 100)) })}
                </StatusMark>,
              ),
            ]),
        ...file.doubts.map((doubt) =>
          fact(
            t("doubts"),
            <span>
              <StatusMark tone="bad">{t(`doubtNames.${doubt.kind}`)}</StatusMark> <Ago at={doubt.since} />{" "}
              <span className="mono">{doubt.detail}</span>
            </span>,
          ),
        ),
        fact(t("path"), <span className="mono">{file.path}</span>),
        fact(t("fileSize"), format.bytes(file.bytes)),
        fact(t("walSize"), format.bytes(file.walBytes)),
        fact(
          t("freeDisk"),
          file.freeDiskBytes === null ? (
            "–"
          ) : (
            <>
              {format.bytes(file.freeDiskBytes)} {file.diskLow && <StatusMark tone="bad">{t("diskLow")}</StatusMark>}
            </>
          ),
        ),
        fact(t("schema"), file.schemaVersion),
        fact(t("hubId"), <span className="mono">{file.hubId}</span>),
        fact(t("epoch"), <span className="mono">{file.epoch}</span>),
      ]}
    />
  );
}
