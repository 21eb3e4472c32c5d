export type SignTone = "good" | "warn" | "bad" | "idle";

/** A good or bad sign beside a sentence that says the same. */
export function Sign({ tone }: { tone: SignTone }) {
  return (
    <span className="sign" aria-hidden>
      {tone === "good" ? "✓" : tone === "idle" ? "·" : "!"}
    </span>
  );
}
