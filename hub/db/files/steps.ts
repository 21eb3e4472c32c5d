/** Maps the values that a generator yields. If the caller stops early, the inner generator is closed too. */
export function* mapSteps<From, To, Result>(
  steps: Generator<From | undefined, Result>,
  map: (step: From) => To,
): Generator<To | undefined, Result> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      yield step.value === undefined ? undefined : map(step.value);
    }
  } finally {
    steps.return(undefined as never);
  }
}

/** Runs a generator to its end and returns its result, for callers that may block. */
export function finish<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs an async generator to its end and returns its result. */
export async function finishAsync<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}
