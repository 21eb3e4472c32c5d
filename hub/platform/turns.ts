/** Runs work one at a time per name, in order, even if earlier work has failed. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();

  return async function inTurn<T>(work: () => Promise<T>, name = ""): Promise<T> {
    const running = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, running);
    try {
      return await running;
    } finally {
      if (last.get(name) === running) last.delete(name);
    }
  };
}
