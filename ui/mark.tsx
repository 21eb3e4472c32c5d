import type { ReactNode } from "react";

/** A state in a word or two, in the colour of its tone if it has one. */
export function Mark({ tone, children }: { tone?: "good" | "warn" | "bad" | "idle" | "accent"; children: ReactNode }) {
  return (
    <span className="mark" data-tone={tone}>
      {children}
    </span>
  );
}
