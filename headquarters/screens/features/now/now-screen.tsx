import { ActButton } from "@comanda/ui/act-button.tsx";
import type { HqRestaurantRow } from "@comanda/protocol/headquarters.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { CoverageLine } from "../../components/coverage-line.tsx";
import { Failure } from "../../components/failure.tsx";
import { Missing } from "../../components/missing.tsx";
import { GroupSelect } from "../../components/group-select.tsx";
import { Rows, useWide } from "../../components/rows.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { Tile } from "../../components/tile.tsx";
import { useSearchParams } from "../../lib/address.ts";
import { useHq } from "../../lib/cache.ts";
import { useHasRole } from "../../lib/person.ts";
import type { AnswerOf } from "../../lib/hq.ts";
import { RestaurantRow } from "./restaurant-row.tsx";
import "./now.css";

/** All restaurants, those in trouble first. */
export function NowScreen() {
  const { t } = useTranslation("now");
  const { data, error } = useHq("now");
  const [{ search = "", group = "", only }, ask] = useSearchParams();
  const isTroubleOnly = only === "trouble";
  const isWide = useWide();
  const mayAdd = useHasRole("owner", "operations");
  if (data === undefined) return <Missing error={error} />;
  const matches = matcherOf(search);
  const rows = data.restaurants.filter(
    (row) =>
      (group === "" || row.groups.includes(group)) && (!isTroubleOnly || isInTrouble(row)) && matches(row.name, row.id),
  );
  return (
    <>
      <Summary restaurants={data.restaurants} mayAdd={mayAdd} />
      <Failure error={error} />
      <CoverageLine coverage={data.coverage} />
      <Totals now={data} />
      <div className="tools">
        <SearchField value={search} onChange={(next) => ask({ search: next }, true)} />
        <GroupSelect value={group} onChange={(next) => ask({ group: next })} />
        <ActButton
          aria-pressed={isTroubleOnly}
          onAct={() => ask({ only: isTroubleOnly ? "" : "trouble" })}
          isRepeatable
        >
          {t("onlyTrouble")}
        </ActButton>
      </div>
      {rows.length === 0 && (
        <p className="empty">{t(data.restaurants.length > 0 ? "none" : mayAdd ? "noneYet" : "noneSeen")}</p>
      )}
      {isWide && rows.length > 0 && <Heads />}
      <Rows label={t("list")} rows={rows} wideHeight={52} narrowHeight={() => 116}>
        {(row) => <RestaurantRow row={row} />}
      </Rows>
    </>
  );
}

/** The state of the chain in one line. */
function Summary({ restaurants, mayAdd }: { restaurants: readonly HqRestaurantRow[]; mayAdd: boolean }) {
  const { t } = useTranslation("now");
  const count = restaurants.filter(isInTrouble).length;
  const isReporting = restaurants.some(({ presence }) => presence !== "never");
  const tone = count > 0 ? "bad" : isReporting ? "good" : undefined;
  const nothing = restaurants.length > 0 ? "noneHeard" : mayAdd ? "noneYetTitle" : "noneSeenTitle";
  return (
    <h1 className="says" data-tone={tone}>
      {count > 0 ? t("trouble", { count }) : t(isReporting ? "allGood" : nothing)}
    </h1>
  );
}

function isInTrouble({ alerts, presence, beat }: HqRestaurantRow): boolean {
  return alerts.length > 0 || (presence === "offline" && beat?.sessionOpen === true);
}

function Heads() {
  const { t } = useTranslation("now");
  const names = ["restaurant", "state", "sold", "checks", "kitchen", "unsent", "problems"] as const;
  return (
    <div className="row-line place place-heads" aria-hidden>
      {names.map((name) => (
        <span key={name} data-name={name}>
          {t(name)}
        </span>
      ))}
    </div>
  );
}

function Totals({ now: { totals, restaurants } }: { now: AnswerOf<"now"> }) {
  const { t, format } = useTranslation("now");
  const reporting = restaurants.filter(({ presence }) => presence !== "never");
  const open = reporting.filter(({ beat }) => beat?.sessionOpen === true).length;
  const late = reporting.filter(({ beat }) => (beat?.kitchen.late ?? 0) > 0);
  const tickets = late.reduce((sum, { beat }) => sum + (beat?.kitchen.late ?? 0), 0);
  return (
    <div className="tiles">
      <Tile
        name={t("paid")}
        value={format.moneyShort(totals.paidTotal)}
        more={t("paidMore", { count: totals.paidChecks, amount: format.number(totals.paidChecks) })}
      />
      <Tile
        name={t("open")}
        value={format.moneyShort(totals.openTotal)}
        more={t("openMore", { count: totals.openChecks, amount: format.number(totals.openChecks) })}
      />
      <Tile
        name={t("openPlaces")}
        value={format.number(open)}
        more={t("openPlacesMore", { count: restaurants.length, all: format.number(restaurants.length) })}
      />
      <Tile
        name={t("late")}
        value={format.number(tickets)}
        more={t("lateMore", { count: late.length })}
        tone={tickets > 0 ? "warn" : undefined}
      />
    </div>
  );
}
