import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../api/error.ts'
import { __ } from '../i18n.ts'

/** A button of the dialog. What `run` returns or throws is shown as an error. */
interface Choice<Input extends readonly unknown[] = readonly []> {
  readonly label: string
  run(...input: Input): Promise<string | undefined>
}

/** A dialog that asks for a password, and stays open until one of its actions succeeds. */
export function PasswordDialog(props: {
  readonly title: string
  readonly text: string
  /** Without it, the dialog has no field for a password. */
  readonly passwordLabel?: string
  /** The field for the username, or for a code. */
  readonly children: ReactNode
  readonly submit: Choice<readonly [fields: FormData]>
  /** Another way to do the same. */
  readonly alternative?: Choice | undefined
  readonly other: Choice
  /** Without it the dialog can't be closed. */
  readonly onClose?: () => void
}) {
  const { title, text, passwordLabel, children, submit, alternative, other, onClose } = props
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function attempt(work: () => Promise<string | undefined>): Promise<void> {
    setBusy(true)
    setProblem(await work().catch(messageOf))
    setBusy(false)
  }
  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    void attempt(() => submit.run(fields))
  }

  const canClose = onClose !== undefined
  return (
    <Modal
      opened
      onClose={() => onClose?.()}
      withCloseButton={canClose}
      closeOnEscape={canClose}
      closeOnClickOutside={canClose}
      title={title}
      zIndex={400}
    >
      <form onSubmit={onSubmit}>
        <Stack>
          <Text>{text}</Text>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          {children}
          {passwordLabel !== undefined && (
            <PasswordInput
              name="password"
              label={passwordLabel}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': __('Show password', 'pentad') }}
              required
              data-autofocus
            />
          )}
          {alternative && (
            <Button variant="default" onClick={() => attempt(alternative.run)} disabled={isBusy}>
              {alternative.label}
            </Button>
          )}
          <Group justify="space-between">
            <Button variant="subtle" onClick={() => attempt(other.run)} disabled={isBusy}>
              {other.label}
            </Button>
            <Button type="submit" loading={isBusy}>
              {submit.label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
