import { IconUsers } from "@tabler/icons-react";
import { useState } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { COURSES } from "../../../checks/check-lines.ts";
import { Choices } from "@comanda/ui/choices.tsx";
import { GuestKeys } from "../../../components/guest-keys.tsx";

/** The seat and course of the next dishes; a `seat` of null means all guests. */
export interface Target {
  seat: number | null;
  course: number;
}

/** Guests, seat and course of the next dishes: two small buttons that each open a row. Using them is optional. */
export function OrderTarget({
  target,
  guests,
  onTarget,
  onGuests,
}: {
  target: Target;
  guests: number;
  onTarget: (target: Target) => void;
  onGuests: (guests: number) => void;
}) {
  const { t } = useTranslation(["order", "check"]);
  const [open, setOpen] = useState<"guests" | "course" | null>(null);
  const toggle = (which: "guests" | "course") => setOpen(open === which ? null : which);
  const { seat, course } = target;
  return (
    <>
      <ActButton
        size="small"
        isRepeatable
        aria-expanded={open === "guests"}
        aria-pressed={seat !== null}
        onAct={() => toggle("guests")}
      >
        <IconUsers size={20} aria-hidden />
        <Short text={seat === null ? String(guests) : `${seat}/${guests}`}>
          {seat === null ? t("guests", { count: guests }) : t("seatOf", { seat, count: guests })}
        </Short>
      </ActButton>
      <button
        type="button"
        className="act"
        data-size="small"
        aria-expanded={open === "course"}
        aria-pressed={course > 1}
        onClick={() => toggle("course")}
      >
        {t("check:course", { course })}
      </button>
      {open === "guests" && (
        <div className="row order-strip">
          <GuestKeys count={guests} onCount={onGuests} />
          <SeatRing seat={seat} guests={guests} onSeat={(next) => onTarget({ ...target, seat: next })} />
        </div>
      )}
      {open === "course" && (
        <div className="row order-strip">
          <span className="order-strip-text">{t("courses")}</span>
          <CourseRing course={course} onCourse={(next) => onTarget({ ...target, course: next })} />
        </div>
      )}
    </>
  );
}

/** Stands for all guests: no seat has this number. */
const FOR_ALL = 0;

export function SeatRing({
  seat,
  guests,
  onSeat,
}: {
  seat: number | null;
  guests: number;
  onSeat: (seat: number | null) => void;
}) {
  const { t } = useTranslation(["order", "check"]);
  const seats = Array.from({ length: Math.max(guests, seat ?? 0) }, (_, index) => index + 1);
  return (
    <Choices
      legend={t("seats")}
      of={[FOR_ALL, ...seats]}
      chosen={seat ?? FOR_ALL}
      text={(each) => (each === FOR_ALL ? t("forAll") : each)}
      label={(each) => (each === FOR_ALL ? undefined : t("check:seat", { seat: each }))}
      onChoose={(each) => onSeat(each === FOR_ALL ? null : each)}
      size="small"
      isRepeatable
    />
  );
}

export function CourseRing({ course, onCourse }: { course: number; onCourse: (course: number) => void }) {
  const { t } = useTranslation(["order", "check"]);
  return (
    <Choices<number>
      aria-label={t("courses")}
      of={COURSES}
      chosen={course}
      label={(each) => t("check:course", { course: each })}
      onChoose={onCourse}
      size="small"
      isRepeatable
    />
  );
}

/** A short visible text, with the full one for screen readers. */
function Short({ text, children }: { text: string; children: string }) {
  return (
    <>
      <span aria-hidden>{text}</span>
      <span className="visually-hidden">{children}</span>
    </>
  );
}
