import type { LocalOrder } from "@comanda/terminal";
import { IconFlame } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { countUnsent, heldCourses, lastSentAt } from "../../../checks/check-lines.ts";
import { sendCheck } from "../../../checks/send-check.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { useWait } from "../../../lib/connection/use-wait.ts";
import { nextAct } from "./next-act.ts";
import { SameRound } from "./same-round-button.tsx";
import { SendButton } from "./send-button.tsx";

/** The next act for the kitchen, always in the place of Send, so that no disabled button is shown there. */
export function NextAct(props: ComponentProps<typeof SendButton>) {
  const { order } = props;
  const next = order === undefined ? "send" : nextAct(order);
  if (order === undefined || next === "send") return <SendButton {...props} />;
  return next === "fire" ? <FireNext order={order} onSent={props.onSent} /> : <SameRound {...props} order={order} />;
}

/** Fires the next course, then calls `onSent` as Send does. */
function FireNext({ order, onSent }: { order: LocalOrder; onSent: () => void }) {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const { lines } = order.snapshot;
  const wait = useWait(lastSentAt(lines));
  const [next] = heldCourses(lines);
  if (next === undefined) return null;
  const count = countUnsent(next.lines);
  return (
    <ActButton
      kind="main"
      className="send"
      aria-label={t("fire", { course: next.course })}
      onAct={() => {
        if (sendCheck(terminal, order, next.lines)) onSent();
      }}
    >
      <IconFlame size={22} aria-hidden />
      <span>
        <span>{t("fire", { course: next.course })}</span>
        <span className="act-more">{joinWithDots(t("dishes", { count }), wait !== "" && t("waits", { wait }))}</span>
      </span>
    </ActButton>
  );
}
