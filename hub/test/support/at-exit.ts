const left = new Set<() => void>();

process.once("exit", () => {
  for (const work of left) work();
});

/**
 * Runs `work` when this process exits, unless the returned function is called before. Uses one listener for all: Node
 * warns of many, and test files of a worker share a process.
 */
export function atExit(work: () => void): () => void {
  left.add(work);
  return () => void left.delete(work);
}
