import { useEffect, useRef, useState, type ReactNode } from "react";
import "./hold-button.css";

/** How long a finger or a key must hold the button, in ms. */
const HOLD_MS = 600;

/** A button for acts that cannot be undone: acts only after a long press, whose progress it shows. */
export function HoldButton({
  kind = "danger",
  disabled = false,
  onHeld,
  children,
}: {
  kind?: "danger" | "money";
  disabled?: boolean;
  onHeld: () => void;
  children: ReactNode;
}) {
  const [isHeld, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const begin = (): void => {
    if (disabled || isHeld) return;
    setHeld(true);
    timer.current = setTimeout(() => {
      setHeld(false);
      onHeld();
    }, HOLD_MS);
  };
  const end = (): void => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  return (
    <button
      type="button"
      className="act hold"
      data-kind={kind}
      data-held={isHeld || undefined}
      disabled={disabled}
      style={{ "--hold-ms": `${HOLD_MS}ms` } as React.CSSProperties}
      onPointerDown={begin}
      onPointerUp={end}
      onPointerLeave={end}
      onPointerCancel={end}
      onBlur={end}
      onKeyDown={({ key, repeat }) => {
        if (!repeat && (key === "Enter" || key === " ")) begin();
      }}
      onKeyUp={end}
      onContextMenu={(event) => event.preventDefault()}
    >
      <span className="hold-fill" aria-hidden />
      <span className="hold-text">{children}</span>
    </button>
  );
}
