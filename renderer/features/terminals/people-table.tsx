import type { PinHolder } from "@comanda/protocol";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Action } from "../../components/action-button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { StatusMark } from "../../components/status-mark.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { TimeAgo } from "../../components/time.tsx";
import { callHub, hubQuery } from "../../lib/hub.ts";
import { useFormat } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";

/** Who may act with a PIN on the terminals; a manager can remove a PIN that was forgotten or seen. */
export function PeopleTable() {
  const { t } = useTranslation("terminals");
  // The stream does not say when somebody sets a PIN or is locked out.
  const people = useQuery({ ...hubQuery("people"), refetchOnMount: "always" });
  const columns = useColumns();
  const reset = ({ id, name }: PinHolder): Action => ({
    label: t("resetPin"),
    name: t("resetPinOf", { name }),
    confirm: { title: t("resetPinOf", { name }), body: t("resetPinBody", { name }), danger: true },
    run: () => callHub("resetPin", { params: { userId: String(id) } }),
    done: t("pinReset", { name }),
  });
  return (
    <Panel title={t("people")} about={t("peopleAbout")} flush>
      <Loaded query={people}>
        {(list) => (
          <Table
            columns={columns}
            rows={list.people}
            rowKey={(person) => person.id}
            actions={(person) => [reset(person)]}
            empty={{ title: t("noPeopleTitle"), children: t("noPeople") }}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function useColumns(): Column<PinHolder>[] {
  const { t } = useTranslation(["terminals", "common"]);
  const format = useFormat();
  const now = useNow();
  return [
    {
      header: t("person"),
      cell: ({ name, role }) => (
        <>
          <strong>{name}</strong>
          <div className="soft">{t(`common:role.${role}`)}</div>
        </>
      ),
    },
    { header: t("pinSince"), cell: ({ pinSetAt }) => <TimeAgo at={pinSetAt} /> },
    {
      header: t("state"),
      cell: ({ locked }) => {
        const active = locked.filter(({ until }) => Date.parse(until) > now);
        if (active.length === 0) return <StatusMark tone="good">{t("pinGood")}</StatusMark>;
        return active.map(({ terminalId, until }) => (
          <div key={terminalId}>
            <StatusMark tone="warn">{t("pinLocked", { terminal: terminalId, time: format.time(until) })}</StatusMark>
          </div>
        ));
      },
    },
  ];
}
