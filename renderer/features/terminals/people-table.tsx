import type { PinHolder } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import { useNow } from "@comanda/ui/use-now.ts";

/** Who may act with a PIN on the terminals; a manager can remove a PIN that was forgotten or seen. */
export function PeopleTable() {
  const { t } = useTranslation(["terminals", "common"]);
  const [search, setSearch] = useState("");
  const matches = matcherOf(search);
  const people = useHub("people");
  const columns = useColumns();
  const reset = ({ id, name }: PinHolder): Action => ({
    label: t("resetPin"),
    name: t("resetPinOf", { name }),
    confirm: { title: t("resetPinOf", { name }), body: t("resetPinBody", { name }), danger: true },
    run: () => callHub("resetPin", { params: { userId: String(id) } }),
    done: t("pinReset", { name }),
  });
  return (
    <Panel title={t("tabs.people")} about={t("peopleAbout")} flush>
      <div className="tools">
        <SearchField label={t("searchPeople")} value={search} onChange={setSearch} />
      </div>
      <Loaded query={people}>
        {(list) => (
          <Table
            columns={columns}
            rows={list.people.filter(({ name, role }) => matches(name, t(`common:role.${role}`)))}
            rowKey={(person) => person.id}
            actions={(person) => [reset(person)]}
            empty={
              list.people.length > 0
                ? { title: t("common:nothingFoundTitle"), children: t("common:nothingFound") }
                : { title: t("noPeopleTitle"), children: t("noPeople") }
            }
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
  const placeOf = (terminalId: string) => {
    if (terminalId === "screens:hub") return t("pinPlace.hub");
    return terminalId === "screens:network" ? t("pinPlace.network") : terminalId;
  };
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
      header: t("common:state"),
      cell: ({ locked, tooShort, passwordOnlyUntil }) => {
        if (tooShort === true) return <StatusMark tone="warn">{t("pinTooShort")}</StatusMark>;
        if (passwordOnlyUntil !== undefined && Date.parse(passwordOnlyUntil) > now) {
          return <StatusMark tone="bad">{t("pinPasswordOnly", { time: format.time(passwordOnlyUntil) })}</StatusMark>;
        }
        const active = locked.filter(({ until }) => Date.parse(until) > now);
        if (active.length === 0) return <StatusMark tone="good">{t("pinGood")}</StatusMark>;
        return active.map(({ terminalId, until }) => (
          <div key={terminalId}>
            <StatusMark tone="warn">
              {t("pinLocked", { terminal: placeOf(terminalId), time: format.time(until) })}
            </StatusMark>
          </div>
        ));
      },
    },
  ];
}
