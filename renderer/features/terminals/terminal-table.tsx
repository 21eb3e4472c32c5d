import { ActionIcon, Menu, Stack } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { OperatorTerminal } from "@comanda/protocol";
import { useCallback, useMemo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { ActionButton, useConfirm, type Action } from "../../components/forms/action-button.tsx";
import { useTableName } from "../../components/labels.ts";
import { OrderLink } from "../../components/order-link.tsx";
import { StatusMark, type Tone } from "../../components/layout/status-mark.tsx";
import { SearchedPanel } from "../../components/tables/searched-panel.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { useFound } from "../../lib/found.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/hub-time.ts";
import { compareUrgency, clockDrift, groupLookAlikes } from "./terminal-order.ts";

const toneOf: Record<OperatorTerminal["state"], Tone> = { connected: "good", grace: "warn", away: "idle" };

/** Every terminal, those with unsent work first. */
export function TerminalTable() {
  const { t } = useTranslation(["terminals", "common"]);
  const terminals = useHub("terminals");
  const actionsOf = useTerminalActions();
  const [dialog, confirm] = useConfirm(({ terminalId, label }: { terminalId: string; label: string }) => {
    const terminal = terminals.data?.terminals.find((each) => each.terminalId === terminalId);
    return terminal && actionsOf(terminal).find((action) => action.label === label);
  });
  const controls = useCallback(
    (terminal: OperatorTerminal) => (
      <TerminalMenu
        name={terminal.terminalId}
        actions={actionsOf(terminal)}
        onConfirm={(action) => confirm(action, { terminalId: terminal.terminalId, label: action.label })}
      />
    ),
    [actionsOf, confirm],
  );
  const connect = { to: "/terminals/connect", label: t("tabs.connect") };
  return (
    <>
      <SearchedPanel
        title={t("tabs.list")}
        searchLabel={t("search")}
        query={terminals}
        columns={useColumns()}
        rows={(list) => list.terminals.toSorted(compareUrgency)}
        rowKey={(terminal) => terminal.terminalId}
        textsOf={({ terminalId, user, address, clientVersion }) => [
          terminalId,
          user?.name,
          user && t(`common:role.${user.role}`),
          address,
          clientVersion,
        ]}
        controls={controls}
        found={useFound("terminal")}
        empty={{ title: t("emptyTitle"), children: t("empty"), way: connect }}
      >
        <LookAlikes terminals={terminals.data?.terminals} />
      </SearchedPanel>
      {dialog}
    </>
  );
}

/** Warns of names that cannot be told apart at a glance. */
function LookAlikes({ terminals = [] }: { terminals: readonly OperatorTerminal[] | undefined }) {
  const { t, format } = useTranslation("terminals");
  const groups = useMemo(() => groupLookAlikes(terminals.map(({ terminalId }) => terminalId)), [terminals]);
  return groups.map((names) => (
    <p key={names.join(" ")} className="note-line">
      <StatusMark tone="warn">{t("lookAlike", { names: format.list(names) })}</StatusMark>
    </p>
  ));
}

/** Returns the same array until the language changes, so that a row rerenders only when its terminal changes. */
function useColumns(): Column<OperatorTerminal>[] {
  const { t, format } = useTranslation(["terminals", "common"]);
  return useMemo(
    () => [
      {
        header: t("common:terminal"),
        cell: ({ terminalId, user }) => (
          <>
            <strong>{terminalId}</strong>
            <div className="soft">
              {user === null ? t("common:unknown") : `${user.name} · ${t(`common:role.${user.role}`)}`}
            </div>
          </>
        ),
      },
      {
        header: t("common:state"),
        cell: ({ terminalId, isNew, state, offlineIdentity, slow }) => (
          <Stack gap={4} align="flex-start">
            {isNew && <NewDevice name={terminalId} />}
            <StatusMark tone={toneOf[state]}>{t(`states.${state}`)}</StatusMark>
            <div className="soft">
              {[offlineIdentity && t("offline"), slow && t("slow")].filter(Boolean).join(" · ")}
            </div>
          </Stack>
        ),
      },
      { header: t("unsent"), cell: (terminal) => <Outbox outbox={terminal.outbox} /> },
      { header: t("where"), cell: (terminal) => <Place terminal={terminal} /> },
      {
        header: t("seen"),
        cell: ({ lastSeenAt, address }) => (
          <>
            <TimeAgo at={lastSeenAt} />
            <div className="soft num">{address}</div>
          </>
        ),
      },
      { header: t("ping"), numeric: true, cell: ({ pingMs }) => (pingMs === null ? "–" : format.duration(pingMs)) },
      { header: t("clock"), cell: (terminal) => <Clock offsetMs={terminal.clockOffsetMs} /> },
      { header: t("common:version"), className: "num", cell: (terminal) => terminal.clientVersion ?? "–" },
    ],
    [t, format],
  );
}

/** Confirms with one tap that a new device is the restaurant's own. The menu of its row deletes it. */
function NewDevice({ name }: { name: string }) {
  const { t } = useTranslation("terminals");
  const confirm: Action = {
    label: t("confirmNew"),
    name: t("confirmNewOf", { name }),
    run: () => callHub("confirmTerminal", { params: { terminalId: name } }),
    done: t("confirmedNew", { name }),
  };
  return (
    <div className="button-row">
      <StatusMark tone="warn">{t("isNew")}</StatusMark>
      <ActionButton size="xs" {...confirm} />
    </div>
  );
}

function Place({ terminal: { presence, leases } }: { terminal: OperatorTerminal }) {
  const { t } = useTranslation("terminals");
  const tableName = useTableName();
  return (
    <>
      {presence?.posReference !== undefined ? (
        <OrderLink posReference={presence.posReference} place={presence.place} />
      ) : presence?.tableId !== undefined ? (
        tableName(presence.tableId)
      ) : (
        <span className="soft">–</span>
      )}
      {leases.length > 0 && (
        <div className="soft">
          <Link href="/terminals/leases">{t("inUse", { count: leases.length })}</Link>
        </div>
      )}
    </>
  );
}

function Outbox({ outbox }: Pick<OperatorTerminal, "outbox">) {
  const { t, format } = useTranslation(["terminals", "common"]);
  const now = useNow();
  if (outbox === null) return <span className="soft">{t("notReported")}</span>;
  if (outbox.pending === 0) return <span className="soft">{t("common:allSent")}</span>;
  return (
    <>
      <StatusMark tone="warn">{t("unsentCount", { count: outbox.pending })}</StatusMark>
      {outbox.payments !== null && outbox.payments > 0 && (
        <div>
          <StatusMark tone="bad">
            {t("common:unsentMoney", { count: outbox.payments, amount: format.money(outbox.amount ?? 0) })}
          </StatusMark>
        </div>
      )}
      {outbox.oldestAt !== null && (
        <div className="soft">
          {t("common:lasting", { duration: format.duration(now - Date.parse(outbox.oldestAt)) })}
        </div>
      )}
    </>
  );
}

function Clock({ offsetMs }: { offsetMs: number | null }) {
  const { t, format } = useTranslation("terminals");
  const drift = clockDrift(offsetMs);
  if (drift === null) return <span className="soft">–</span>;
  if (drift.name === "clockGood") return <span className="soft">{t("clockGood")}</span>;
  return <StatusMark tone="warn">{t(drift.name, { duration: format.duration(drift.ms) })}</StatusMark>;
}

/** Returns the actions on a terminal that open a dialog first. */
function useTerminalActions(): (terminal: OperatorTerminal) => Action[] {
  const { t, format } = useTranslation("terminals");
  return useCallback(
    ({ terminalId: name, state, outbox, ...terminal }) => {
      const params = { terminalId: name };
      const user = terminal.user?.name ?? "–";
      const pending = outbox?.pending ?? 0;
      const payments = outbox?.payments ?? 0;
      const consequences = [
        t("forgetBody"),
        state === "connected" && t("forgetConnected", { user }),
        pending > 0 && t("forgetUnsent", { count: pending }),
        payments > 0 && t("forgetMoney", { amount: format.money(outbox?.amount ?? 0) }),
      ];
      const disconnect: Action = {
        label: t("disconnect"),
        confirm: { title: t("disconnectTitle", { name }), body: t("disconnectBody", { name, user }), danger: true },
        run: () => callHub("disconnectTerminal", { params }),
        done: t("disconnected", { name }),
      };
      const forget: Action = {
        label: t("forget"),
        confirm: { title: t("forgetTitle", { name }), body: consequences.filter(Boolean).join(" "), danger: true },
        run: () => callHub("forgetTerminal", { params }),
        done: t("forgotten", { name }),
      };
      return state === "connected" ? [disconnect, forget] : [forget];
    },
    [t, format],
  );
}

interface TerminalMenuProps {
  name: string;
  actions: readonly Action[];
  onConfirm: (action: Action) => void;
}

function TerminalMenu({ name, actions, onConfirm }: TerminalMenuProps) {
  const { t } = useTranslation("terminals");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("actionsOf", { name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action.label} onClick={() => onConfirm(action)}>
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
