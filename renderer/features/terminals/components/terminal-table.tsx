import { ActionIcon, Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots } from "@tabler/icons-react";
import type { OperatorTerminal } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useQueryClient } from "@tanstack/react-query";
import { Ago } from "../../../components/age.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Empty } from "../../../components/empty.tsx";
import { StatusMark, type Tone } from "../../../components/status-mark.tsx";
import { useTableWords } from "../../../components/use-table-words.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useCatalogue } from "../api/catalogue.ts";
import { disconnectTerminal } from "../api/disconnect.ts";
import { forgetTerminal } from "../api/forget.ts";
import { byUrgency, clockWords } from "../terminal-order.ts";

const toneOf: Record<OperatorTerminal["state"], Tone> = { connected: "good", grace: "warn", away: "idle" };

interface Doing {
  what: "disconnect" | "forget";
  terminal: OperatorTerminal;
}

/** Every terminal, those with unsent work first. */
export function TerminalTable({ terminals }: { terminals: readonly OperatorTerminal[] }) {
  const { t } = useTranslation("terminals");
  const [doing, setDoing] = useState<Doing | null>(null);
  if (terminals.length === 0) {
    return (
      <Empty
        title={t("emptyTitle")}
        action={
          <Button component={Link} href="/terminals/connect">
            {t("connect")}
          </Button>
        }
      >
        {t("empty")}
      </Empty>
    );
  }
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("state")}</th>
            <th scope="col">{t("unsent")}</th>
            <th scope="col">{t("where")}</th>
            <th scope="col">{t("seen")}</th>
            <th scope="col" className="right">
              {t("ping")}
            </th>
            <th scope="col">{t("clock")}</th>
            <th scope="col">{t("version")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {terminals.toSorted(byUrgency).map((terminal) => (
            <Row key={terminal.terminalId} terminal={terminal} onDo={(what) => setDoing({ what, terminal })} />
          ))}
        </tbody>
      </table>
      {doing !== null && <Ask doing={doing} onClose={() => setDoing(null)} />}
    </div>
  );
}

function Row({ terminal, onDo }: { terminal: OperatorTerminal; onDo: (what: Doing["what"]) => void }) {
  const { t } = useTranslation(["terminals", "common"]);
  const format = useFormat();
  const tableWords = useTableWords();
  const tables = useCatalogue()?.tables ?? {};
  const { user, state, leases, presence } = terminal;
  return (
    <tr>
      <td>
        <strong>{terminal.terminalId}</strong>
        <div className="soft">
          {user === null ? t("common:unknown") : `${user.name} · ${t(`common:role.${user.role}`)}`}
        </div>
      </td>
      <td>
        <StatusMark tone={toneOf[state]}>{t(`terminals:states.${state}`)}</StatusMark>
        <div className="soft">
          {[terminal.offlineIdentity ? t("terminals:offline") : "", terminal.slow ? t("terminals:slow") : ""]
            .filter((note) => note !== "")
            .join(" · ")}
        </div>
      </td>
      <td>
        <Outbox terminal={terminal} />
      </td>
      <td>
        {presence?.posReference !== undefined ? (
          <Link href={`/orders/${encodeURIComponent(presence.posReference)}`}>{presence.posReference}</Link>
        ) : presence?.tableId !== undefined ? (
          tableWords(tables[presence.tableId] ?? presence.tableId)
        ) : (
          <span className="soft">–</span>
        )}
        {leases.length > 0 && (
          <div className="soft">
            <Link href="/terminals/leases">{t("terminals:inUse", { count: leases.length })}</Link>
          </div>
        )}
      </td>
      <td>
        <Ago at={terminal.lastSeenAt} />
        <div className="soft num">{terminal.address}</div>
      </td>
      <td className="right num">{terminal.pingMs === null ? "–" : format.duration(terminal.pingMs)}</td>
      <td>
        <Clock offsetMs={terminal.clockOffsetMs} />
      </td>
      <td className="num">{terminal.clientVersion ?? "–"}</td>
      <td className="right">
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("terminals:actionsOf", { name: terminal.terminalId })}
            >
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={state !== "connected"} onClick={() => onDo("disconnect")}>
              {t("terminals:disconnect")}
            </Menu.Item>
            <Menu.Item onClick={() => onDo("forget")}>{t("terminals:forget")}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  );
}

function Outbox({ terminal: { outbox } }: { terminal: OperatorTerminal }) {
  const { t } = useTranslation("terminals");
  const format = useFormat();
  const now = useNow();
  if (outbox === null) return <span className="soft">{t("notTold")}</span>;
  if (outbox.pending === 0) return <span className="soft">{t("allSent")}</span>;
  return (
    <>
      <StatusMark tone="warn">{t("unsentCount", { count: outbox.pending })}</StatusMark>
      {outbox.oldestAt !== null && (
        <div className="soft">{t("unsentSince", { duration: format.duration(now - Date.parse(outbox.oldestAt)) })}</div>
      )}
    </>
  );
}

function Clock({ offsetMs }: { offsetMs: number | null }) {
  const { t } = useTranslation("terminals");
  const format = useFormat();
  const words = clockWords(offsetMs);
  if (words === null) return <span className="soft">–</span>;
  if (words.name === "clockGood") return <span className="soft">{t("clockGood")}</span>;
  return <StatusMark tone="warn">{t(words.name, { duration: format.duration(words.ms) })}</StatusMark>;
}

function Ask({ doing: { what, terminal }, onClose }: { doing: Doing; onClose: () => void }) {
  const { t } = useTranslation("terminals");
  const queries = useQueryClient();
  const name = terminal.terminalId;
  const pending = terminal.outbox?.pending ?? 0;
  if (what === "disconnect") {
    return (
      <Confirm
        open
        danger
        onClose={onClose}
        title={t("disconnectTitle", { name })}
        action={t("disconnect")}
        run={async () => {
          await disconnectTerminal(name);
          notifications.show({ message: t("disconnected", { name }), color: "petrol" });
        }}
      >
        {t("disconnectBody", { name, user: terminal.user?.name ?? "–" })}
      </Confirm>
    );
  }
  return (
    <Confirm
      open
      danger
      onClose={onClose}
      title={t("forgetTitle", { name })}
      action={t("forget")}
      run={async () => {
        await forgetTerminal(name);
        await queries.invalidateQueries({ queryKey: hubKey("terminals") });
        notifications.show({ message: t("forgotten", { name }), color: "petrol" });
      }}
    >
      {t("forgetBody")} {terminal.state === "connected" && t("forgetConnected", { user: terminal.user?.name ?? "–" })}{" "}
      {pending > 0 && t("forgetUnsent", { count: pending })}
    </Confirm>
  );
}
