/** What a generator yields, passed on as something else; ended early it ends the generator. */
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

/** Runs a generator to its end, for callers that may block. */
export function finish<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same for one that waits between its steps. */
export async function finishAsync<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}
