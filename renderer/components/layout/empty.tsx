import type { ReactNode } from "react";

export interface EmptyText {
  title: string;
  /** What the list is for, and what to do about it. */
  children?: ReactNode;
  action?: ReactNode;
}

interface EmptyProps extends EmptyText {
  /** It is all that the screen has: its title names the screen. */
  isScreen?: boolean;
}

/** What stands in the place of an empty list, or of a screen. */
export function Empty({ title, children, action, isScreen = false }: EmptyProps) {
  const Title = isScreen ? "h1" : "p";
  return (
    <div className="empty">
      <Title className="empty-title">{title}</Title>
      {children !== undefined && <p className="empty-about">{children}</p>}
      {action}
    </div>
  );
}
