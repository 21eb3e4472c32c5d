const callbacks = new Set<() => void>();

process.once("exit", () => {
  for (const callback of callbacks) callback();
});

/**
 * Runs `callback` when this process exits, unless the returned function is called before. Uses one listener for all: Node
 * warns of many, and test files of a worker share a process.
 */
export function atExit(callback: () => void): () => void {
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}
