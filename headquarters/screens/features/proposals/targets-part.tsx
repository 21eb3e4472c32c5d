import { Choices } from "@comanda/ui/choices.tsx";
import type { HqRestaurantRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { GroupSelect } from "../../components/group-select.tsx";
import type { PartProps } from "./draft.ts";
import { PickList } from "./pick-list.tsx";
import { useShortList } from "./use-short-list.ts";

const targets = ["group", "chosen", "all"] as const;
const MAX_NAMES = 12;

/** The choice of restaurants. */
export function TargetsPart({ draft, restaurants, onChange }: PartProps & { restaurants: readonly HqRestaurantRow[] }) {
  const { t } = useTranslation(["proposals", "common"]);
  const shortList = useShortList();
  const { chosen } = draft;
  const options = restaurants.map(({ id, name, groups }) => ({ id, name, more: groups.join(", ") }));
  const names = options.filter(({ id }) => chosen.has(id)).map(({ name }) => name);
  return (
    <>
      <Choices
        legend={t("chooseTargets")}
        of={targets}
        chosen={draft.targets}
        text={(each) => t(`targets.${each}`)}
        onChoose={(each) => onChange({ targets: each })}
        isRepeatable
      />
      {draft.targets === "group" && (
        <GroupSelect value={draft.group} all={t("chooseGroup")} onChange={(group) => onChange({ group })} />
      )}
      {draft.targets === "chosen" && (
        <>
          <PickList
            label={t("chooseTargets")}
            search={t("common:search")}
            empty={t("noRestaurants")}
            none={t("noRestaurant")}
            options={options}
            isChosen={(id) => chosen.has(id)}
            onChange={({ id }, isChosen) => {
              const next = new Set(chosen);
              if (isChosen) next.add(id);
              else next.delete(id);
              onChange({ chosen: next });
            }}
          />
          {names.length > 0 && <p>{t("chosenRestaurants", { names: shortList(names, MAX_NAMES) })}</p>}
        </>
      )}
    </>
  );
}
