import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { DataFile } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TechnicalDetail, TechnicalFold } from "../../components/failures/technical-detail.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub, useHub } from "../../lib/hub.ts";

/** The state of the one file in which everything is stored. */
export function DataFilePanel() {
  const { t } = useTranslation("system");
  const check = <ActionButton label={t("checkNow")} run={() => callHub("checkDataFile")} />;
  return (
    <LoadedPanel title={t("tabs.data")} actions={check} query={useHub("dataFile")} height={220}>
      {(file) => <Content file={file} />}
    </LoadedPanel>
  );
}

function Content({ file }: { file: DataFile }) {
  const { t, format } = useTranslation(["system", "common"]);
  const { check, checking, freeDiskBytes } = file;
  return (
    <>
      <Facts
        items={[
          fact(
            t("lastCheck"),
            check === null ? (
              t("common:never")
            ) : (
              <span role="status">
                <StatusMark tone={check.ok ? "good" : "bad"}>{t(check.ok ? "checkedGood" : "checkedBad")}</StatusMark>{" "}
                <TimeAgo at={check.at} /> {!check.ok && <TechnicalDetail text={check.message} />}
              </span>
            ),
          ),
          checking !== null &&
            fact(
              t("checkNow"),
              <StatusMark tone="idle">
                {t("checking", { percent: format.number(Math.floor(checking * 100)) })}
              </StatusMark>,
            ),
          ...file.doubts.map(({ kind, since, detail }) =>
            fact(
              t("problem"),
              <span>
                <StatusMark tone="bad">{t(`problems.${kind}`)}</StatusMark> <TimeAgo at={since} />
                <TechnicalDetail text={detail} />
              </span>,
            ),
          ),
          fact(t("path"), <span className="mono">{file.path}</span>),
          fact(t("size"), bytesText(format, file.bytes)),
          fact(t("walSize"), bytesText(format, file.walBytes)),
          fact(
            t("freeDisk"),
            freeDiskBytes === null ? (
              "–"
            ) : (
              <>
                {bytesText(format, freeDiskBytes)} {file.diskLow && <StatusMark tone="bad">{t("diskLow")}</StatusMark>}
              </>
            ),
          ),
        ]}
      />
      <TechnicalFold>
        <Facts
          items={[
            fact(t("schema"), file.schemaVersion),
            fact(t("hubId"), <span className="mono">{file.hubId}</span>),
            fact(t("epoch"), <span className="mono">{file.epoch}</span>),
          ]}
        />
      </TechnicalFold>
    </>
  );
}
