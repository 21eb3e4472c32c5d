import type { ReactNode } from "react";
import { Link } from "wouter";
import { toneIcon, type Tone } from "./status-mark.tsx";
import "./tile.css";

interface TileProps {
  name: string;
  value: ReactNode;
  /** What the number counts, and its age. */
  note: ReactNode;
  /** Set if the number needs attention. */
  tone?: Extract<Tone, "warn" | "bad"> | undefined;
  to?: string;
}

/** A key figure. */
export function Tile({ name, value, note, tone, to }: TileProps) {
  const Icon = tone && toneIcon[tone];
  const body = (
    <>
      <span className="row tile-name">
        {Icon !== undefined && <Icon size={15} stroke={2.4} aria-hidden />}
        {name}
      </span>
      <span className="tile-value">{value}</span>
      <span className="soft tile-note">{note}</span>
    </>
  );
  return to === undefined ? (
    <div className="card tile" data-tone={tone}>
      {body}
    </div>
  ) : (
    <Link href={to} className="card tile tile-link" data-tone={tone}>
      {body}
    </Link>
  );
}
