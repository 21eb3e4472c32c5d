import type { BackOfficeProduct, OrderType, StoredLine } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import type { MenuIndex } from "../../lib/menu-index.ts";
import { choiceOf, newLine, type Choice } from "../../checks/check-lines.ts";
import { choicesOf, openChoice, withTapped } from "./modifier-choices.ts";
import { CourseRing, SeatRing, type Target } from "./order-target.tsx";
import { readNote, writeNote } from "./quick-notes.ts";

const quickNotes = ["noSalt", "noGarlic", "notSpicy", "wellDone", "toGo", "aside"] as const;

/** Everything that can be said about a dish, for a new line or one that was not sent yet: all of it visible at once. */
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
}: {
  product: BackOfficeProduct;
  /** The line that is changed; absent for a new one. */
  line: StoredLine | undefined;
  /** Of a new line. */
  start: Target & { quantity: number };
  menu: MenuIndex;
  orderType: OrderType;
  guests: number;
  onChosen: (choice: Choice) => void;
  onRemove: () => void;
  onStock: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("order");
  const format = useFormat();
  const id = useId();
  const before: Choice =
    line === undefined
      ? { quantity: start.quantity, course: start.course, ...(start.seat !== null && { seat: start.seat }) }
      : choiceOf(line);
  const words = quickNotes.map((each) => t(`quickNotes.${each}`));
  const [quantity, setQuantity] = useState(before.quantity ?? 1);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(before.modifiers?.map((each) => each.id)));
  const [note, setNote] = useState(() => readNote(before.note ?? "", words));
  const [seat, setSeat] = useState(before.seat ?? null);
  const [course, setCourse] = useState(before.course ?? 1);
  const choices = choicesOf(product);
  const open = openChoice(choices, chosen);
  const written = writeNote(note);
  const choice: Choice = {
    quantity,
    modifiers: (product.modifiers ?? []).filter((each) => chosen.has(each.id)),
    note: written,
    course,
    ...(seat !== null && { seat }),
    ...(before.discount && { discount: before.discount }),
  };
  const unitPrice = line?.unitPrice ?? product.price;
  const { total = 0 } = newLine({ ...product, price: unitPrice }, { menu: menu.menu, orderType, lineId: id }, choice);
  return (
    <Sheet title={product.name} onClose={onClose}>
      <div className="choice">
        <div className="choice-all">
          {choices.map((group) => (
            <section key={group.name ?? ""} aria-label={group.name ?? t("extras")}>
              <h2 className="choice-title">
                {group.name ?? t("extras")}
                {group.min > 0 && <span className="mark">{t("chooseMin", { count: group.min })}</span>}
              </h2>
              <div className="chips">
                {group.modifiers.map((modifier) => (
                  <button
                    key={modifier.id}
                    type="button"
                    className="act"
                    data-size="small"
                    aria-pressed={chosen.has(modifier.id)}
                    onClick={() => setChosen(withTapped(group, chosen, modifier.id))}
                  >
                    {modifier.name}
                    {modifier.price !== 0 && <span className="act-more">+{format.price(modifier.price)}</span>}
                  </button>
                ))}
              </div>
            </section>
          ))}
          <section aria-label={t("seat")}>
            <h2 className="choice-title">{t("seat")}</h2>
            <SeatRing seat={seat} guests={guests} onSeat={setSeat} />
          </section>
          <section aria-label={t("courses")}>
            <h2 className="choice-title">{t("courses")}</h2>
            <CourseRing course={course} onCourse={setCourse} />
          </section>
          <section aria-label={t("note")}>
            <h2 className="choice-title">{t("note")}</h2>
            <div className="chips">
              {words.map((word) => (
                <button
                  key={word}
                  type="button"
                  className="act"
                  data-size="small"
                  aria-pressed={note.quick.includes(word)}
                  onClick={() =>
                    setNote({
                      ...note,
                      quick: note.quick.includes(word)
                        ? note.quick.filter((each) => each !== word)
                        : [...note.quick, word],
                    })
                  }
                >
                  {word}
                </button>
              ))}
            </div>
            <label className="field choice-note">
              <span className="visually-hidden">{t("noteText")}</span>
              <input
                value={note.free}
                placeholder={t("noteText")}
                maxLength={300}
                autoComplete="off"
                onChange={(event) => setNote({ ...note, free: event.currentTarget.value })}
              />
            </label>
          </section>
          <div className="choice-more">
            <ActButton kind="quiet" size="small" onAct={onStock}>
              {t("stock.mode")}
            </ActButton>
            {line !== undefined && (
              <ActButton kind="danger" size="small" onAct={onRemove}>
                {t("removeLine")}
              </ActButton>
            )}
          </div>
        </div>
        <div className="choice-bar">
          <div className="stepper">
            <ActButton
              isRepeatable
              aria-label={t("oneLess")}
              disabled={quantity <= 1}
              onAct={() => setQuantity(quantity - 1)}
            >
              <IconMinus size={22} aria-hidden />
            </ActButton>
            <output aria-label={t("quantity")}>{format.number(quantity)}</output>
            <ActButton isRepeatable aria-label={t("oneMore")} onAct={() => setQuantity(quantity + 1)}>
              <IconPlus size={22} aria-hidden />
            </ActButton>
          </div>
          <ActButton kind="main" className="send" disabled={open !== undefined} onAct={() => onChosen(choice)}>
            {open === undefined ? (
              <span>
                <span>{t(line === undefined ? "addLine" : "keepLine")}</span>
                <span className="act-more money">{format.money(total)}</span>
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
