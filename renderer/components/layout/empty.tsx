import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

export interface EmptyText {
  title: string;
  /** What the list is for, and what to do. */
  children?: ReactNode;
  /** Link to the place where to do it. */
  way?: { to: string; label: string };
}

interface EmptyProps extends EmptyText {
  /** The screen shows nothing else: the title names the screen. */
  isScreen?: boolean;
  action?: ReactNode;
}

/** Shown in place of an empty list or screen. */
export function Empty({ title, children, way, action, isScreen = false }: EmptyProps) {
  const Title = isScreen ? "h1" : "p";
  return (
    <div className="empty">
      <Title className="empty-title">{title}</Title>
      {children !== undefined && <p className="soft empty-about">{children}</p>}
      {way !== undefined && (
        <Button component={Link} href={way.to}>
          {way.label}
        </Button>
      )}
      {action}
    </div>
  );
}
