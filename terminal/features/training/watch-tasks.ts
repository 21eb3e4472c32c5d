import type { Intent, Terminal } from "@comanda/terminal";
import { papersShown } from "../../practice/practice-stamp.tsx";
import { taskOf, type PracticeTask } from "./practice-tasks.ts";

/** Taps that are not part of a task: the PIN, and the practice's own bar and list. */
const NOT_COUNTED = ".pin-keys, .practice-bar, .practice-tasks";

export type TaskWatch = ReturnType<typeof watchTasks>;

/** Calls `onDone` for each completed task, with the number of taps since the floor. */
export function watchTasks(terminal: Terminal, onDone: (task: PracticeTask, taps: number) => void) {
  // Times by this device's clock, as `queuedAt`: when an act is carried out, another screen may already be shown.
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
    /** Called when the floor is shown: later taps count for the next task. */
    begin: () => void starts.push(Date.now()),
    stop(): void {
      for (const stop of stops) stop();
    },
  };
}
