import { Button, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Something that is shown here and nowhere else: the window stays until it is said to be saved. */
export function ShownOnce(props: {
  opened: boolean;
  title: string;
  about: string;
  onSaved: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("integrations");
  return (
    <Modal
      opened={props.opened}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      centered
      title={props.title}
    >
      {props.opened && (
        <Stack>
          <p className="no-margin">{props.about}</p>
          {props.children}
          <Button onClick={props.onSaved}>{t("saved")}</Button>
        </Stack>
      )}
    </Modal>
  );
}
