import { settingNames, type ProposalHere, type SettingName } from "@comanda/protocol";
import type { ProposedStock } from "@comanda/protocol/proposals.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { FoldedTable } from "../../components/tables/folded-table.tsx";
import { useSettingLabel } from "../../components/labels.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { LoadedQuietly } from "../../components/tables/loaded.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useSettingValue } from "./setting-value.ts";

const tones = {
  waiting: "idle",
  conflict: "warn",
  applied: "good",
  declined: "idle",
  refused: "bad",
  expired: "idle",
  withdrawn: "idle",
} as const satisfies Record<ProposalHere["state"], string>;

/** What headquarters propose, and a manager's answer. Renders nothing if there are no proposals. */
export function ProposalPanel() {
  const { t } = useTranslation("system");
  return (
    <LoadedQuietly title={t("proposals.title")} query={useHub("chainProposals")}>
      {({ proposals }) => proposals.length > 0 && <Proposals proposals={proposals} />}
    </LoadedQuietly>
  );
}

function Proposals({ proposals }: { proposals: readonly ProposalHere[] }) {
  const { t } = useTranslation("system");
  const columns = useColumns();
  const actions = useActions();
  const rowKey = ({ proposal }: ProposalHere) => `${proposal.version} ${proposal.id}`;
  const isOpen = ({ state }: ProposalHere) => state === "waiting" || state === "conflict";
  const open = proposals.filter(isOpen);
  const closed = proposals.filter((each) => !isOpen(each));
  return (
    <Panel title={t("proposals.title")} about={t("proposals.about")} flush>
      <Table columns={columns} rows={open} rowKey={rowKey} actions={actions} empty={null} />
      <FoldedTable
        title={t("proposals.over")}
        open={open.length === 0}
        columns={columns}
        rows={closed}
        rowKey={rowKey}
      />
    </Panel>
  );
}

function useColumns(): Column<ProposalHere>[] {
  const { t, format } = useTranslation(["system", "common"]);
  return [
    {
      header: t("proposals.what"),
      width: "minmax(180px, 2fr)",
      cell: ({ proposal: { title, by, until } }) => (
        <>
          {title}
          <div className="soft">{t("proposals.by", { by, until: format.dateTime(until) })}</div>
        </>
      ),
    },
    {
      header: t("proposals.change"),
      width: "minmax(220px, 3fr)",
      isLong: true,
      cell: (here) => <Changes here={here} />,
    },
    { header: t("common:state"), width: "minmax(160px, 2fr)", isLong: true, cell: (here) => <State here={here} /> },
  ];
}

function Changes({ here: { proposal, items } }: { here: ProposalHere }) {
  const { t } = useTranslation("system");
  const settingLabel = useSettingLabel();
  const describeValue = useValueText();
  return (
    <ul className="plain-list">
      {items.map(({ key, name, want, now, differs }) => (
        <li key={key}>
          {name ?? (proposal.kind === "settings" ? settingLabel(key) : key)}:{" "}
          <strong>{describeValue(proposal.kind, key, want)}</strong>
          <div className="soft">
            {t("proposals.nowIs", { now: describeValue(proposal.kind, key, now) })}
            {differs && `, ${t("proposals.differs")}`}
          </div>
        </li>
      ))}
    </ul>
  );
}

function State({ here: { state, isAsked, decidedBy, error, proposal } }: { here: ProposalHere }) {
  const { t, format } = useTranslation("system");
  const isAccepted = state === "waiting" && decidedBy !== null;
  const message = isAccepted
    ? t("proposals.states.accepted", { by: decidedBy, at: format.dateTime(proposal.at) })
    : t(`proposals.states.${state === "waiting" && isAsked ? "needsDecision" : state}`);
  return (
    <>
      <StatusMark tone={isAsked ? "warn" : tones[state]}>{message}</StatusMark>
      {decidedBy !== null && !isAccepted && <div className="soft">{t("proposals.decidedBy", { by: decidedBy })}</div>}
      {error !== null && <div className="soft">{error}</div>}
    </>
  );
}

function useActions(): (here: ProposalHere) => Action[] {
  const { t } = useTranslation("system");
  return ({ proposal: { id, version, title, kind }, items, isAsked }) => {
    if (!isAsked) return [];
    const answer = (accept: boolean) => callHub("decideProposal", { body: { id, version, accept } });
    return [
      {
        label: t("proposals.accept"),
        name: t("proposals.acceptName", { title }),
        primary: true,
        ...(kind === "settings" && {
          confirm: { title, body: t("proposals.acceptSettings"), basis: JSON.stringify(items) },
        }),
        run: () => answer(true),
        done: t("proposals.accepted"),
      },
      {
        label: t("proposals.decline"),
        name: t("proposals.declineName", { title }),
        run: () => answer(false),
        done: t("proposals.declined"),
      },
    ];
  };
}

type Kind = ProposalHere["proposal"]["kind"];

function isSetting(key: string): key is SettingName {
  return settingNames.some((name) => name === key);
}

/** Returns a function that describes a value of an item, proposed or current. */
function useValueText(): (kind: Kind, key: string, value: unknown) => string {
  const { t, format } = useTranslation("system");
  const settingValue = useSettingValue();
  const stock = ({ state, left, until }: ProposedStock): string => {
    if (state === "out" && until != null) return t("proposals.stock.outUntil", { until: format.dateTime(until) });
    return state === "limited"
      ? t("proposals.stock.limited", { left: format.number(left ?? 0) })
      : t(`proposals.stock.${state}`);
  };
  return (kind, key, value) => {
    if (kind === "stock") return stock(value as ProposedStock);
    if (typeof value !== "string") return t("proposals.default");
    return isSetting(key) ? settingValue(key, value) : value;
  };
}
