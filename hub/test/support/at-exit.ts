const left = new Set<() => void>();

process.once("exit", () => {
  for (const work of left) work();
});

/**
 * Has something done when this process ends, unless the function that is returned is called before. One listener for all:
 * Node warns of many, and the files of a worker share a process.
 */
export function atExit(work: () => void): () => void {
  left.add(work);
  return () => void left.delete(work);
}
