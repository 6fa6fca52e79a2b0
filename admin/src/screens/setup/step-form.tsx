import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { __ } from '../../i18n.ts'
import { Section } from '../../parts/section.tsx'

/** How a step is left; unsaved input is discarded except by its own button. */
export interface StepMoves {
  /** Absent in the first step. */
  readonly back?: (() => Promise<void>) | undefined
  readonly next: () => Promise<void>
  readonly label: string
}

interface StepFormProps extends StepMoves {
  readonly title: string
  readonly description: string
  /** Saves the step. @returns whether that succeeded */
  readonly save: () => Promise<boolean>
  readonly isSaving: boolean
  /** Below the form, because it has forms of its own. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** The second click of a double click: the next step has its button in the same place, and would be skipped. */
const isRepeated = ({ detail }: MouseEvent) => detail > 1

/** One step of the wizard: its fields, and buttons to save it, skip it, and go back. */
export function StepForm({ title, description, save, isSaving, below, children, back, next, label }: StepFormProps) {
  const region = useRef<HTMLDivElement>(null)
  // The next step replaces this one, and with it the button that has the focus.
  useEffect(() => region.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await save()) await next()
  }
  return (
    <Stack ref={region} tabIndex={-1} style={{ outline: 'none' }}>
      <form id="setup-step" onSubmit={submit} noValidate>
        <Section title={title} description={description}>
          {children}
        </Section>
      </form>
      {below}
      <Group justify="space-between">
        <div>
          {back && (
            <Button variant="default" onClick={() => void back()}>
              {__('Back', 'pentad')}
            </Button>
          )}
        </div>
        <Group gap="xs">
          <Button variant="subtle" onClick={(event) => isRepeated(event) || void next()}>
            {__('Skip', 'pentad')}
          </Button>
          <Button
            type="submit"
            form="setup-step"
            loading={isSaving}
            onClick={(event) => isRepeated(event) && event.preventDefault()}
          >
            {label}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
