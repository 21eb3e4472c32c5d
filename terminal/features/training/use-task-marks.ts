import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useTerminal } from "../../lib/connection/pos.ts";
import type { PracticeTask } from "./practice-tasks.ts";
import { watchTasks, type TaskWatch } from "./watch-tasks.ts";

/** How long the bar shows a completed task, in ms. */
const SHOWN_MS = 8_000;

export interface TaskMarks {
  /** The fewest taps taken for each task in this practice. */
  marks: ReadonlyMap<PracticeTask, number>;
  /** The task just completed. */
  latest: { task: PracticeTask; taps: number } | null;
}

export function useTaskMarks(): TaskMarks {
  const terminal = useTerminal();
  const [address] = useLocation();
  const watch = useRef<TaskWatch>(null);
  const [marks, setMarks] = useState<TaskMarks["marks"]>(new Map());
  const [latest, setLatest] = useState<TaskMarks["latest"]>(null);
  useEffect(() => {
    watch.current = watchTasks(terminal, (task, taps) => {
      setMarks((before) => new Map(before).set(task, Math.min(taps, before.get(task) ?? taps)));
      setLatest({ task, taps });
    });
    return () => watch.current?.stop();
  }, [terminal]);
  useEffect(() => {
    if (address === "/floor") watch.current?.begin();
  }, [address]);
  useEffect(() => {
    const timer = setTimeout(() => setLatest(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return { marks, latest };
}
