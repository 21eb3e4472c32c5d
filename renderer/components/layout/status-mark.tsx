import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconInfoCircle, IconOctagon } from "@tabler/icons-react";
import type { ReactNode } from "react";

export type Tone = "good" | "warn" | "bad" | "idle" | "accent";

/** The icon of each tone, so that colour is never the only sign. */
export const toneIcon = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconOctagon,
  idle: IconCircleDashed,
  accent: IconInfoCircle,
} as const;

/** A state as a word, with the icon and colour of its tone. */
export function StatusMark({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = toneIcon[tone];
  return (
    <span className="status-mark" data-tone={tone}>
      <Icon size={15} stroke={2.2} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
