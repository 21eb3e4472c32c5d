import { Choices } from "@comanda/ui/choices.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Failure } from "../../components/failure.tsx";
import { TextField } from "../../components/text-field.tsx";
import { compareNames } from "@comanda/protocol/compare-names.ts";
import { useProducts } from "../../lib/cache.ts";
import { outUntil, type PartProps } from "./draft.ts";
import { PickList } from "./pick-list.tsx";
import { useShortList } from "./use-short-list.ts";

const ends = ["day", "time", "never"] as const;
const MAX_NAMES = 12;

/** The choice of dishes, and until when they are out. */
export function StockPart({ draft, moment, onChange }: PartProps) {
  const { t, format } = useTranslation("proposals");
  const shortList = useShortList();
  const { data, error } = useProducts(true);
  const { kind, dishes } = draft;
  const options = (data?.products ?? [])
    // To sell dishes again, those that are out somewhere come first.
    .toSorted((a, b) => (kind === "resume" ? b.outAt - a.outAt : 0) || compareNames(a, b))
    .map(({ productId, name, outAt }) => ({
      id: productId,
      name,
      more: outAt === 0 ? "" : t("outAt", { count: outAt }),
    }));
  const until = kind === "out" ? outUntil(draft, moment) : null;
  return (
    <>
      <Failure error={error} />
      <PickList
        label={t("dishes")}
        search={t("findDish")}
        empty={data === undefined ? "" : t("noDishYet")}
        none={t("noDish")}
        options={options}
        isChosen={(id) => dishes.has(id)}
        onChange={({ id, name }, isChosen) => {
          const next = new Map(dishes);
          if (isChosen) next.set(id, name);
          else next.delete(id);
          onChange({ dishes: next });
        }}
      />
      {dishes.size > 0 && <p>{t("chosenDishes", { names: shortList([...dishes.values()], MAX_NAMES) })}</p>}
      {kind === "out" && (
        <Choices
          legend={t("until")}
          of={ends}
          chosen={draft.ends}
          text={(end) => t(`ends.${end}`)}
          onChoose={(end) => onChange({ ends: end })}
          isRepeatable
        />
      )}
      {kind === "out" && draft.ends === "time" && (
        <TextField
          label={t("endsAt")}
          required={false}
          type="datetime-local"
          value={draft.endsAt}
          onChange={({ target }) => onChange({ endsAt: target.value })}
        />
      )}
      {until !== null && until > moment.now && (
        <p className="soft">{t("untilTime", { time: format.upcoming(new Date(until).toISOString(), moment.now) })}</p>
      )}
    </>
  );
}
