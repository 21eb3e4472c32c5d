/** Named events with typed payloads. A listener that throws stops neither the others nor the session. */
export interface Emitter<Events> {
  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void;
  has(name: keyof Events): boolean;
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void;
}

export function createEmitter<Events>(): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
  return {
    on(name, listener) {
      const own = (event: never) => listener(event);
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(own));
      return () => void set.delete(own);
    },
    has: (name) => (listeners.get(name)?.size ?? 0) > 0,
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          listener(event as never);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
  };
}
