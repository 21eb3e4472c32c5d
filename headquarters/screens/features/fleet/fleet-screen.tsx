import { bytesText } from "@comanda/ui/bytes-text.ts";
import type { ChainBeat } from "@comanda/protocol/chain.ts";
import type { HqRestaurantRow } from "@comanda/protocol/headquarters.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { matcherOf } from "@comanda/ui/search.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { CoverageLine } from "../../components/coverage-line.tsx";
import { Failure } from "../../components/failure.tsx";
import { MissingScreen } from "../../components/missing.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { groupsIn } from "../../components/group-select.tsx";
import { Rows } from "../../components/rows.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { compareNames } from "@comanda/protocol/compare-names.ts";
import { useSearchParams } from "../../lib/address.ts";
import { useHq } from "../../lib/cache.ts";
import { callHq } from "../../lib/hq.ts";
import { useHasRole } from "../../lib/person.ts";
import "./fleet.css";

/** The hubs of all restaurants: versions, backups, disks. */
export function FleetScreen() {
  const { t } = useTranslation(["fleet", "shell"]);
  const { data, error } = useHq("now");
  const [{ search = "", version = "" }, ask] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const maySteer = useHasRole("owner", "operations");
  if (data === undefined) return <MissingScreen error={error} />;
  const versions = new Map(versionsOf(data.restaurants));
  const matches = matcherOf(search);
  const rows = data.restaurants
    .filter(({ id, name, beat }) => (version === "" || beat?.version === version) && matches(name, id, beat?.version))
    .toSorted(compareNames);
  return (
    <>
      <h1>{t("shell:fleet")}</h1>
      <Failure error={error} />
      <CoverageLine coverage={data.coverage} />
      <Choices
        legend={t("versions")}
        of={[...versions.keys()]}
        chosen={version}
        text={(each) => (
          <>
            {each} <span className="act-more">{t("versionPlaces", { count: versions.get(each) ?? 0 })}</span>
          </>
        )}
        onChoose={(each) => ask({ version: version === each ? "" : each })}
        isRepeatable
      />
      <div className="tools">
        <SearchField value={search} onChange={(next) => ask({ search: next }, true)} />
        {maySteer && (
          <ActButton kind="main" onAct={() => setAdding(true)}>
            {t("add")}
          </ActButton>
        )}
      </div>
      <Rows label={t("list")} rows={rows} wideHeight={46} narrowHeight={() => 92}>
        {(row) => <FleetRow row={row} />}
      </Rows>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** Returns the installed versions with their number of restaurants, the most frequent first. */
function versionsOf(restaurants: readonly HqRestaurantRow[]): [version: string, count: number][] {
  const versions = Map.groupBy(
    restaurants.flatMap(({ presence, beat }) => (presence === "never" ? [] : (beat?.version ?? []))),
    (version) => version,
  );
  return [...versions]
    .map(([version, all]): [string, number] => [version, all.length])
    .toSorted(([a, some], [b, others]) => others - some || a.localeCompare(b));
}

function FleetRow({ row }: { row: HqRestaurantRow }) {
  const { id, name, groups, beat, presence } = row;
  return (
    <Link href={`/restaurants/${id}`} className="row-line machine" data-stale={presence !== "online"}>
      <span className="machine-name">
        <strong>{name}</strong> <span className="soft">{groups.join(", ")}</span>
      </span>
      {beat !== null && <Machine beat={beat} />}
    </Link>
  );
}

function Machine({ beat: { version, lastBackupAt, freeDiskBytes, terminals } }: { beat: ChainBeat }) {
  const { t, format } = useTranslation("fleet");
  const now = useNow();
  const values = [
    ["version", version],
    ["backup", lastBackupAt === null ? t("noBackup") : format.ago(lastBackupAt, now)],
    ["disk", freeDiskBytes === null ? "–" : bytesText(format, freeDiskBytes)],
    ["terminals", format.number(terminals.connected)],
  ] as const;
  return values.map(([label, value]) => (
    <span key={label} className="num">
      <span className="soft machine-label">{t(label)} </span>
      {value}
    </span>
  ));
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["fleet", "common"]);
  const [, navigate] = useLocation();
  return (
    <FormDialog
      title={t("add")}
      action={t("add")}
      onClose={onClose}
      send={async (text) => {
        const body = { name: text("name"), groups: groupsIn(text("groups")) };
        const { id } = await callHq("addRestaurant", { body });
        navigate(`/restaurants/${id}`);
      }}
    >
      <TextField name="name" label={t("common:name")} maxLength={120} />
      <TextField name="groups" label={t("common:groups")} required={false} />
    </FormDialog>
  );
}
