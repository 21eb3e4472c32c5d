import type { PinHolder } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { SearchedPanel } from "../../components/tables/searched-panel.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/hub-time.ts";

/** The people who may act with a PIN on the terminals. A manager can remove a PIN that was forgotten or seen. */
export function PeopleTable() {
  const { t } = useTranslation(["terminals", "common"]);
  const reset = ({ id, name }: PinHolder): Action => ({
    label: t("resetPin"),
    name: t("resetPinOf", { name }),
    confirm: { body: t("resetPinBody", { name }), danger: true },
    run: () => callHub("resetPin", { params: { userId: String(id) } }),
    done: t("pinReset", { name }),
  });
  return (
    <SearchedPanel
      title={t("tabs.people")}
      about={t("peopleAbout")}
      searchLabel={t("searchPeople")}
      query={useHub("people")}
      columns={useColumns()}
      rows={({ people }) => people}
      rowKey={(person) => person.id}
      textsOf={({ name, role }) => [name, t(`common:role.${role}`)]}
      actions={(person) => [reset(person)]}
      empty={{ title: t("noPeopleTitle"), children: t("noPeople") }}
    />
  );
}

function useColumns(): Column<PinHolder>[] {
  const { t, format } = useTranslation(["terminals", "common"]);
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
