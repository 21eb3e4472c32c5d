import type { BackOfficeModifier, BackOfficeProduct, OrderType, StoredLine } from "@comanda/protocol";
import { useId, useState } from "react";
import { Mark } from "@comanda/ui/mark.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { newLine, withChoice, type Choice } from "../../../checks/check-lines.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Counter } from "../../../components/counter.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { limitOf, nameAmong, openChoice, type ModifierChoice } from "./modifier-choices.ts";
import { NoteField } from "./note-field.tsx";
import { CourseRing, SeatRing, type Target } from "../editing/order-target.tsx";
import { useChoice } from "./use-choice.ts";
import { sum } from "@comanda/rules";
import { type Format } from "@comanda/ui/format.ts";
import { lastChoicesOf } from "./saved-choices.ts";

interface Props {
  product: BackOfficeProduct;
  /** The line being changed; undefined for a new one. */
  line: StoredLine | undefined;
  /** Initial values of a new line. */
  start: Target & { quantity: number };
  menu: MenuIndex;
  orderType: OrderType;
  guests: number;
  onChosen: (choice: Choice) => void;
  onRemove: () => void;
  onStock: () => void;
  onClose: () => void;
}

/**
 * The sheet with all choices for a dish, for a new line or one not yet sent. Everything is visible at once. The confirm button
 * works once every required choice is made.
 */
export function ChoiceSheet({
  product,
  line,
  start,
  menu,
  orderType,
  guests,
  onChosen,
  onRemove,
  onStock,
  onClose,
}: Props) {
  const { t, format } = useTranslation(["order", "check"]);
  const id = useId();
  const chosenNow = useChoice(product, line, start);
  const { choice, groups, chosen, tapModifier, notes, allergies, setQuantity, seat, setSeat, setCourse } = chosenNow;
  const { quantity = 1, course = 1 } = choice;
  const { total = 0, taxAmount = 0 } =
    line === undefined
      ? newLine(product, { menu: menu.menu, orderType, lineId: id }, choice)
      : withChoice(line, { opened: line, choice }, { product, menu: menu.menu, orderType });
  const open = openChoice(groups, chosen);
  return (
    <Sheet title={product.name} onClose={onClose}>
      <div className="choice">
        <div className="choice-all">
          {line === undefined && (
            <LastChoiceChips product={product} onChosen={(last) => onChosen({ ...choice, ...last })} />
          )}
          {groups.map((group) => (
            <ModifierGroup
              key={group.name ?? ""}
              group={group}
              chosen={chosen}
              nameOf={(modifier) => nameAmong(choice.modifiers ?? [], modifier)}
              onTap={(modifier) => tapModifier(group, modifier)}
            />
          ))}
          <SeatRing seat={seat} guests={guests} onSeat={setSeat} />
          <section aria-label={t("courses")}>
            <h2 className="row choice-title">{t("courses")}</h2>
            <CourseRing course={course} onCourse={setCourse} />
          </section>
          <NoteField kind="note" {...notes} />
          <NoteField kind="allergy" {...allergies} />
          <div className="choice-more">
            <ActButton kind="quiet" size="small" onAct={onStock}>
              {t("stock.mode")}
            </ActButton>
            {line !== undefined && (
              <ActButton kind="danger" size="small" onAct={onRemove}>
                {t("check:remove")}
              </ActButton>
            )}
          </div>
        </div>
        <div className="choice-bar">
          <div className="row stepper">
            <Counter
              size="large"
              label={t("quantity")}
              value={quantity}
              shown={format.quantity(quantity)}
              onValue={setQuantity}
            />
          </div>
          <ActButton kind="main" className="send" disabled={open !== undefined} onAct={() => onChosen(choice)}>
            {open === undefined ? (
              <span>
                <span>{t(line === undefined ? "addLine" : "check:save")}</span>
                <span className="act-more money">
                  {format.money(total)}
                  {taxAmount > 0 && ` ${t("check:withTaxes")}`}
                </span>
              </span>
            ) : (
              t("choose", { what: open.name ?? "" })
            )}
          </ActButton>
        </div>
      </div>
    </Sheet>
  );
}

/** Chips with this device's previous choices for the dish. One tap orders it that way again. */
function LastChoiceChips({
  product,
  onChosen,
}: {
  product: BackOfficeProduct;
  onChosen: (choice: Pick<Choice, "modifiers" | "note">) => void;
}) {
  const { t, format } = useTranslation("order");
  const [choices] = useState(() => lastChoicesOf(product));
  if (choices.length === 0) return null;
  return (
    <section aria-label={t("asBefore")}>
      <h2 className="row choice-title">{t("asBefore")}</h2>
      <div className="chips">
        {choices.map((choice) => {
          const names = [...choice.modifiers.map(({ name }) => name), choice.note].filter(Boolean).join(", ");
          const extra = sum(choice.modifiers.map(({ price }) => price));
          return (
            <ActButton key={names} size="small" className="last-choice" onAct={() => onChosen(choice)}>
              {names}
              {extra !== 0 && <span className="act-more">{more(format, extra)}</span>}
            </ActButton>
          );
        })}
      </div>
    </section>
  );
}

/** Formats how much a choice adds to or takes off the price. */
function more({ price }: Format, amount: number): string {
  return amount > 0 ? `+${price(amount)}` : price(amount);
}

/** One modifier group of a dish, with the extra price of each modifier. */
function ModifierGroup({
  group,
  chosen,
  nameOf,
  onTap,
}: {
  group: ModifierChoice;
  chosen: ReadonlySet<number>;
  nameOf: (modifier: BackOfficeModifier) => string;
  onTap: (id: number) => void;
}) {
  const { t, format } = useTranslation("order");
  const limit = limitOf(group);
  return (
    <section aria-label={group.name ?? t("extras")}>
      <h2 className="row choice-title">
        {group.name ?? t("extras")}
        {limit !== null && <Mark>{t(limit, { min: group.min, max: group.max })}</Mark>}
      </h2>
      <div className="chips">
        {group.modifiers.map((modifier) => (
          <ActButton
            key={modifier.id}
            size="small"
            isRepeatable
            aria-pressed={chosen.has(modifier.id)}
            onAct={() => onTap(modifier.id)}
          >
            {nameOf(modifier)}
            {modifier.price !== 0 && <span className="act-more">{more(format, modifier.price)}</span>}
          </ActButton>
        ))}
      </div>
    </section>
  );
}
