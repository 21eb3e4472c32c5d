import { Button, type ButtonProps, type ElementProps } from "@mantine/core";
import { useLayoutEffect, useRef } from "react";

type BusyButtonProps = ButtonProps & ElementProps<"button", keyof ButtonProps> & { loading: boolean };

/** A button that is busy while its work runs, and has the focus again afterwards: one that cannot be pressed loses it. */
export function BusyButton({ loading, ...props }: BusyButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const wasFocused = useRef(false);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (loading) wasFocused.current = activeElement === button.current;
    // Somebody may have gone on to something else meanwhile.
    else if (wasFocused.current && activeElement === body) button.current?.focus({ preventScroll: true });
  }, [loading]);
  return <Button ref={button} loading={loading} {...props} />;
}
