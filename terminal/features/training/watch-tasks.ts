import type { Intent, Terminal } from "@comanda/terminal";
import { papersShown } from "../../practice/practice-stamp.tsx";
import { taskOf, type PracticeTask } from "./practice-tasks.ts";

/** A PIN says who acts, not what is done; the practice's own bar and list are no part of it. */
const NOT_COUNTED = ".pin-keys, .practice-bar, .practice-tasks";

export type TaskWatch = ReturnType<typeof watchTasks>;

/** Tells each task that is done, with the taps since the floor up to the one that did it. */
export function watchTasks(terminal: Terminal, onDone: (task: PracticeTask, taps: number) => void) {
  // Times by the clock of this device, as `queuedAt` is: when an act is carried out, the screen may be at the next one.
  const starts = [Date.now()];
  const taps: number[] = [];
  const acts: { at: number; intent: Intent }[] = [];

  function end(at: number, find: (acts: readonly Intent[], taps: number) => PracticeTask | null): void {
    const start = Math.max(...starts.filter((each) => each < at));
    const isOwn = (time: number) => time > start && time <= at;
    const count = taps.filter(isOwn).length;
    const own = acts.filter((act) => isOwn(act.at));
    const task = find(
      own.map(({ intent }) => intent),
      count,
    );
    if (task === null) return;
    starts.push(at);
    onDone(task, count);
  }

  function tapped({ target }: PointerEvent): void {
    if (target instanceof Element && target.closest(NOT_COUNTED) === null) taps.push(Date.now());
  }

  addEventListener("pointerdown", tapped, { capture: true });
  const stops = [
    () => removeEventListener("pointerdown", tapped, { capture: true }),
    terminal.on("acknowledged", ({ entry: { intent, queuedAt } }) => {
      const at = Date.parse(queuedAt);
      acts.push({ at, intent });
      end(at, taskOf);
    }),
    papersShown.subscribe(() => {
      if (location.hash.startsWith("#/recent")) end(Date.now(), () => "receipt");
    }),
  ];
  return {
    /** The floor is shown: whatever is tapped from now on is for the next task. */
    begin: () => void starts.push(Date.now()),
    stop(): void {
      for (const stop of stops) stop();
    },
  };
}
