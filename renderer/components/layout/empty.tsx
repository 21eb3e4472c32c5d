import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

export interface EmptyText {
  title: string;
  /** What the list is for, and what to do about it. */
  children?: ReactNode;
  /** Where that is done. */
  way?: { to: string; label: string };
}

interface EmptyProps extends EmptyText {
  /** It is all that the screen has: its title names the screen. */
  isScreen?: boolean;
  action?: ReactNode;
}

/** What stands in the place of an empty list, or of a screen. */
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
