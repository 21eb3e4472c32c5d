import { Button, Select, TextInput } from "@mantine/core";
import { LogLevel, type LogLine, type StreamEvent } from "@comanda/protocol";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { VirtualTable, type Column } from "../../../components/virtual-table.tsx";
import { useLive, useLiveEvents } from "../../../lib/live-context.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { exportLogs } from "../api/export-logs.ts";
import { useLogs } from "../api/logs.ts";
import "./system.css";

const KEPT = 2000;
const toneOf = { debug: "idle", info: "idle", warn: "warn", error: "bad" } as const;

interface Numbered extends LogLine {
  number: number;
}

/** The hub's own log: the last lines at once, the next ones as they come, newest on top. */
export function LogPanel() {
  const { t } = useTranslation("system");
  const [level, setLevel] = useState<LogLevel>("info");
  const [room, setRoom] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const logs = useLogs(level);
  const lines = useFollowed(level);
  const { busy, act } = useAct();
  const columns = useColumns();
  const wanted = search.trim().toLowerCase();
  return (
    <Panel
      title={t("logs")}
      flush
      actions={
        <Button size="xs" variant="default" loading={busy} onClick={() => void act(exportLogs)}>
          {t("exportLogs")}
        </Button>
      }
    >
      <div className="system-tools">
        <TextInput
          className="grow"
          type="search"
          aria-label={t("searchLogs")}
          placeholder={t("searchLogs")}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Select
          aria-label={t("level")}
          value={level}
          allowDeselect={false}
          onChange={(next) => setLevel(LogLevel.catch("info").parse(next))}
          data={LogLevel.options.map((value) => ({ value, label: `${t("level")}: ${t(`levels.${value}`)}` }))}
        />
        <Select
          aria-label={t("room")}
          placeholder={t("anyRoom")}
          value={room}
          onChange={setRoom}
          clearable
          data={logs.data?.rooms ?? []}
        />
      </div>
      <Loaded query={logs} height={320}>
        {(tail) => {
          const all = number([...tail.lines, ...lines]);
          const shown = all.filter(
            (line) =>
              (room === null || line.room === room) &&
              (wanted === "" || `${line.message} ${line.facts}`.toLowerCase().includes(wanted)),
          );
          return shown.length === 0 ? (
            <Empty title={t("noLogsTitle")}>{t("noLogs")}</Empty>
          ) : (
            <VirtualTable
              label={t("logs")}
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

/** Lines that came by the stream since this level was chosen; the ones before it are the read tail's. */
function useFollowed(level: LogLevel): LogLine[] {
  const live = useLive();
  const [followed, setFollowed] = useState<{ level: LogLevel; lines: LogLine[] }>({ level, lines: [] });
  if (followed.level !== level) setFollowed({ level, lines: [] });
  useEffect(() => {
    live.followLogs(level);
    return () => live.followLogs(null);
  }, [live, level]);
  const take = useCallback((events: readonly StreamEvent[]) => {
    const fresh = events.flatMap((event) => (event.type === "log" ? [event.line] : []));
    if (fresh.length === 0) return;
    setFollowed((before) => ({ ...before, lines: [...before.lines, ...fresh].slice(-KEPT) }));
  }, []);
  useLiveEvents(take);
  return followed.lines;
}

function number(lines: readonly LogLine[]): Numbered[] {
  return lines.map((line, index) => ({ ...line, number: index }));
}

function useColumns(): Column<Numbered>[] {
  const { t } = useTranslation("system");
  const format = useFormat();
  return [
    {
      id: "at",
      header: t("when"),
      width: "110px",
      cell: (line) => <span className="num soft">{format.timeExact(line.at)}</span>,
    },
    {
      id: "level",
      header: t("levelHead"),
      width: "120px",
      cell: (line) => <StatusMark tone={toneOf[line.level]}>{t(`levelNames.${line.level}`)}</StatusMark>,
    },
    { id: "room", header: t("room"), width: "110px", cell: (line) => line.room ?? "–" },
    {
      id: "message",
      header: t("logs"),
      width: "minmax(420px, 1fr)",
      cell: (line) => (
        <span className="log-line" title={line.facts}>
          {line.message} <span className="soft">{line.facts}</span>
        </span>
      ),
    },
  ];
}
