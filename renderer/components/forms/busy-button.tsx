import { Button, type ButtonProps, type ElementProps } from "@mantine/core";
import { useLayoutEffect, useRef } from "react";

type BusyButtonProps = ButtonProps & ElementProps<"button", keyof ButtonProps> & { loading: boolean };

/** A button that is busy while its work runs. A disabled button loses the focus, so it gets the focus back afterwards. */
export function BusyButton({ loading, ...props }: BusyButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const wasFocused = useRef(false);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (loading) wasFocused.current = activeElement === button.current;
    // The user may have focused something else in the meantime.
    else if (wasFocused.current && activeElement === body) button.current?.focus({ preventScroll: true });
  }, [loading]);
  return <Button ref={button} loading={loading} {...props} />;
}
