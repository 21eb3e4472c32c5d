import { PRACTICE_PIN } from "../../../practice/practice-messages.ts";
import type { PracticeService } from "../../../practice/practice-service.ts";
import type { TerminalHandlers } from "../../handlers.ts";
import { presentPerson } from "../present-person.ts";

/** Routes for practising, on a separate hub from which nothing flows back to this one. */
export function terminalPracticeRoutes(practice: Pick<PracticeService, "enter" | "reset">) {
  return {
    async enterPractice({ user }) {
      return { token: await practice.enter(user), user: presentPerson(user), pin: PRACTICE_PIN };
    },
    resetPractice: () => practice.reset(),
  } satisfies Partial<TerminalHandlers>;
}
