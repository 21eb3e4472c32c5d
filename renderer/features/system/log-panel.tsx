import { LogLevel, type LogLine } from "@comanda/protocol";
import { useState } from "react";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { FilterSelect } from "../../components/forms/filter-select.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { SelectField } from "../../components/forms/form-fields.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { VirtualTable } from "../../components/tables/virtual-table.tsx";
import { downloadFromHub } from "../../lib/hub-client.ts";
import { useHub } from "../../lib/hub.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import { logMessages } from "./log-messages.ts";

const MAX_LINES = 2000;
const toneOf = { debug: "idle", info: "idle", warn: "warn", error: "bad" } as const;

type NumberedLine = LogLine & { number: number };

/** The hub's own log: all stored lines, newest first. */
export function LogPanel() {
  const { t } = useTranslation(["system", "common"]);
  const [level, setLevel] = useState<LogLevel>("info");
  const [area, setArea] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const logs = useHub("logs", { query: { level, limit: MAX_LINES } });
  const columns = useColumns();
  const areaName = useAreaName();
  const matches = matcherOf(search);
  return (
    <Panel
      title={t("tabs.logs")}
      about={t("logsAbout")}
      flush
      actions={<ActionButton size="xs" label={t("common:export")} run={() => downloadFromHub("exportLogs")} />}
    >
      <div className="tools">
        <SearchField label={t("searchLogs")} value={search} onChange={setSearch} />
        <SelectField
          aria-label={t("level")}
          value={level}
          onChange={setLevel}
          data={LogLevel.options.map((value) => ({ value, label: `${t("level")}: ${t(`levels.${value}`)}` }))}
        />
        <FilterSelect
          label={t("area")}
          any={t("anyArea")}
          value={area}
          onChange={setArea}
          data={(logs.data?.components ?? []).map((component) => ({ value: component, label: areaName(component) }))}
        />
      </div>
      <Loaded query={logs} height={320}>
        {(tail) => {
          const shown = tail.lines
            .map((line, number) => ({ ...line, number }))
            .filter(
              ({ component, event, message, facts }) =>
                (area === null || component === area) &&
                matches(event === null ? null : logMessages[event], message, facts),
            );
          return shown.length === 0 ? (
            <Empty title={t("common:nothingMatches")}>{t("noLogs")}</Empty>
          ) : (
            <VirtualTable
              label={t("tabs.logs")}
              columns={columns}
              rows={shown.toReversed()}
              rowKey={(line) => String(line.number)}
              rowHeight={32}
              height="calc(100dvh - 400px)"
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Returns a function that names the part of the hub that wrote a line. A part that this page does not know keeps its name. */
function useAreaName(): (component: string) => string {
  const { t } = useTranslation("system");
  return (component) => knownText(t, `areas.${component}`) ?? component;
}

function useColumns(): Column<NumberedLine>[] {
  const { t, format, language } = useTranslation(["system", "common"]);
  const areaName = useAreaName();
  return [
    { header: t("common:when"), width: "110px", className: "num soft", cell: (line) => format.timeExact(line.at) },
    {
      header: t("levelHead"),
      width: "120px",
      cell: (line) => <StatusMark tone={toneOf[line.level]}>{t(`levelNames.${line.level}`)}</StatusMark>,
    },
    { header: t("area"), width: "160px", cell: (line) => (line.component === null ? "–" : areaName(line.component)) },
    {
      header: t("tabs.logs"),
      width: "minmax(420px, 1fr)",
      isLong: true,
      cell: (line) => (
        <span className="log-line" title={line.facts}>
          {language !== "en" && line.event !== null && (
            <strong className="log-meaning">{logMessages[line.event]}</strong>
          )}{" "}
          <span lang="en">
            {line.message} <span className="soft">{line.facts}</span>
          </span>
        </span>
      ),
    },
  ];
}
