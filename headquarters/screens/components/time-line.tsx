import "./time-line.css";

export interface TimePart {
  /** ms since 1970 */
  start: number;
  end: number;
  /** `ahead`: what nobody can know yet. */
  tone: "bad" | "warn" | "ahead";
}

/** A stretch of time with what happened in it. What it shows stands beside it in words: `said`. */
export function TimeLine({
  from,
  to,
  parts,
  said,
}: {
  from: number;
  to: number;
  parts: readonly TimePart[];
  said: string;
}) {
  const share = (ms: number): string => `${(ms / (to - from)) * 100}%`;
  return (
    <span className="time-line" aria-hidden title={said}>
      {parts.map(({ start, end, tone }) => (
        <span
          key={`${tone} ${start}`}
          data-tone={tone}
          style={{ insetInlineStart: share(start - from), inlineSize: share(end - start) }}
        />
      ))}
    </span>
  );
}

/** The part of what went on from `start` to `end` that lies between `from` and `to`; none where nothing does. */
export function within(from: number, to: number, part: TimePart): TimePart[] {
  const [start, end] = [Math.max(part.start, from), Math.min(part.end, to)];
  return end > start ? [{ ...part, start, end }] : [];
}
