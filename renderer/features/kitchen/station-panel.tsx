import { ActionIcon, Button, MultiSelect } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import type { Setting } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ErrorNotice } from "../../components/failures/error-notice.tsx";
import { useCatalogue } from "../../components/labels.ts";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { SwitchField, TextField } from "../../components/forms/form-fields.tsx";
import { callHub, hubCache, hubKey, useHub } from "../../lib/hub.ts";
import { draftsOf, hasNameProblem, settingText, type StationDraft } from "./station-draft.ts";
import { readStations, useStationSetting } from "../../lib/stations.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { BusyButton } from "../../components/forms/busy-button.tsx";
import "./station-panel.css";

/** Edits which station makes what: the setting HUB_STATIONS, by the names of the menu. */
export function StationPanel() {
  const { t } = useTranslation("kitchen");
  const setting = useStationSetting();
  return (
    <LoadedPanel title={t("stations")} about={t("stationsAbout")} query={useHub("settings")}>
      {() => setting !== undefined && <StationEditor setting={setting} />}
    </LoadedPanel>
  );
}

function StationEditor({ setting }: { setting: Setting }) {
  const { t } = useTranslation(["kitchen", "common"]);
  const saved = draftsOf(readStations(setting.value ?? ""));
  const savedText = settingText(saved);
  /** The saved text from which the drafts began. */
  const [beganAs, setBeganAs] = useDraft("stations-before", savedText);
  const [draftText, setDraftText] = useDraft("stations", JSON.stringify(saved));
  const drafts = JSON.parse(draftText) as StationDraft[];
  const setDrafts = (next: readonly StationDraft[]) => setDraftText(JSON.stringify(next));
  const text = settingText(drafts);
  const isChanged = text !== beganAs && text !== savedText;
  const begin = () => {
    setBeganAs(savedText);
    setDrafts(saved);
  };
  // Adopts stations that were saved elsewhere, unless there are changes here.
  const isBehind = savedText !== beganAs;
  if (isBehind && !isChanged) begin();
  const {
    error,
    isPending,
    mutate: save,
  } = useMutation({
    mutationFn: saveStations,
    onSuccess: (_, sent) => {
      setBeganAs(sent);
      notify(t("stationsSaved"));
    },
  });

  function put(index: number, change: Partial<StationDraft>) {
    setDrafts(drafts.map((draft, place) => (place === index ? { ...draft, ...change } : draft)));
  }
  function move(index: number, by: 1 | -1) {
    setDrafts(
      drafts.map((draft, place) =>
        place === index ? (drafts[index + by] ?? draft) : place === index + by ? (drafts[index] ?? draft) : draft,
      ),
    );
  }
  function add() {
    const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
    setDrafts([...drafts, { key, id: null, name: "", categoryIds: [], productIds: [], serving: false }]);
  }

  return (
    <div className="stack">
      {drafts.length === 0 && <p className="soft no-margin">{t("noStations")}</p>}
      <ol className="plain-list stack">
        {drafts.map((draft, index) => (
          <StationRow
            key={draft.key}
            draft={draft}
            isFirst={index === 0}
            isLast={index === drafts.length - 1}
            disabled={!setting.changeable}
            onChange={(change) => put(index, change)}
            onMove={(by) => move(index, by)}
            onRemove={() => setDrafts(drafts.filter((_, place) => place !== index))}
          />
        ))}
      </ol>
      {setting.changeable ? (
        <div className="button-row">
          <Button variant="default" onClick={add}>
            {t("addStation")}
          </Button>
          <BusyButton loading={isPending} disabled={!isChanged || hasNameProblem(drafts)} onClick={() => save(text)}>
            {t("common:save")}
          </BusyButton>
          {isChanged && (
            <Button variant="default" onClick={begin}>
              {t("discardMine")}
            </Button>
          )}
          {isChanged && hasNameProblem(drafts) && <span className="soft">{t("nameProblem")}</span>}
        </div>
      ) : (
        <p className="soft no-margin">{t("fixedElsewhere")}</p>
      )}
      {isBehind && isChanged && (
        <div role="alert">
          <StatusMark tone="warn">{t("stationsSavedElsewhere")}</StatusMark>
        </div>
      )}
      {error !== null && <ErrorNotice error={error} />}
    </div>
  );
}

async function saveStations(text: string): Promise<void> {
  const saved = await callHub("changeSettings", { body: { values: { HUB_STATIONS: text === "[]" ? null : text } } });
  // A read under way may be older than this save.
  await hubCache.cancelQueries({ queryKey: hubKey("settings") });
  hubCache.setQueryData(hubKey("settings"), saved);
}

interface StationRowProps {
  draft: StationDraft;
  isFirst: boolean;
  isLast: boolean;
  disabled: boolean;
  onChange: (change: Partial<StationDraft>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

function StationRow({ draft, isFirst, isLast, disabled, onChange, onMove, onRemove }: StationRowProps) {
  const { t } = useTranslation(["kitchen", "common"]);
  const { categories, products } = useCatalogue();
  const name = draft.name.trim() === "" ? t("newStation") : draft.name;
  const acts = [
    { label: t("moveUp", { name }), Icon: IconArrowUp, isIdle: isFirst, act: () => onMove(-1) },
    { label: t("moveDown", { name }), Icon: IconArrowDown, isIdle: isLast, act: () => onMove(1) },
    { label: t("common:removeOf", { name }), Icon: IconTrash, isIdle: false, act: onRemove },
  ];
  return (
    <li>
      <fieldset className="station" disabled={disabled}>
        <legend className="station-legend">{name}</legend>
        <div className="button-row station-order">
          {acts.map(({ label, Icon, isIdle, act }) => (
            <ActionIcon key={label} variant="default" aria-label={label} disabled={isIdle || disabled} onClick={act}>
              <Icon size={16} aria-hidden />
            </ActionIcon>
          ))}
        </div>
        <TextField
          label={t("common:name")}
          value={draft.name}
          maxLength={120}
          required
          disabled={disabled}
          onChange={(name) => onChange({ name })}
        />
        <Choice
          label={t("categories")}
          names={categories}
          chosen={draft.categoryIds}
          disabled={disabled}
          onChange={(categoryIds) => onChange({ categoryIds })}
        />
        <Choice
          label={t("products")}
          names={products}
          chosen={draft.productIds}
          disabled={disabled}
          onChange={(productIds) => onChange({ productIds })}
        />
        <SwitchField
          className="station-wide"
          label={t("serving")}
          description={t("servingAbout")}
          checked={draft.serving}
          disabled={disabled}
          onChange={(serving) => onChange({ serving })}
        />
        {isFirst && <p className="soft no-margin station-wide">{t("firstGetsRest")}</p>}
      </fieldset>
    </li>
  );
}

interface ChoiceProps {
  label: string;
  /** The options, by id. */
  names: Readonly<Record<string, string>>;
  chosen: string[];
  disabled: boolean;
  onChange: (chosen: string[]) => void;
}

function Choice({ label, names, chosen, disabled, onChange }: ChoiceProps) {
  const { t } = useTranslation(["kitchen", "common"]);
  // Options that the back-office no longer has stay in the list, so that the user can see and remove them.
  const removed = chosen.filter((id) => !Object.hasOwn(names, id));
  const data = [
    ...Object.entries(names).map(([value, name]) => ({ value, label: name })),
    ...removed.map((id) => ({ value: id, label: t("removedProduct", { id }) })),
  ];
  return (
    <MultiSelect
      label={label}
      data={data}
      value={chosen}
      onChange={onChange}
      searchable
      limit={100}
      disabled={disabled}
      nothingFoundMessage={t("common:nothingMatches")}
    />
  );
}
