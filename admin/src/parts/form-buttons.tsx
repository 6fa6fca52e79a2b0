import { Button, Group } from '@mantine/core'
import { __ } from '../i18n.ts'

interface FormButtonsProps {
  /** Label of the submit button. */
  readonly label: string
  readonly isBusy: boolean
  readonly isDisabled?: boolean
  readonly onCancel: () => void
}

/** The buttons of a form in a dialog. */
export function FormButtons({ label, isBusy, isDisabled = false, onCancel }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {__('Cancel', 'pentad')}
      </Button>
      <Button type="submit" loading={isBusy} disabled={isDisabled}>
        {label}
      </Button>
    </Group>
  )
}
