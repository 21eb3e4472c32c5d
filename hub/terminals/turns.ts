/** Runs work of the same name one after the other, whether or not the work before it failed. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();

  return async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const running = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, running);
    try {
      return await running;
    } finally {
      if (last.get(name) === running) last.delete(name);
    }
  };
}
