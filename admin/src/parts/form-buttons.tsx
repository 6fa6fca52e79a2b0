import { Button, Group } from '@mantine/core'
import { __ } from '../i18n.ts'

interface FormButtonsProps {
  /** What is done. */
  readonly label: string
  readonly isBusy: boolean
  readonly isDisabled?: boolean
  readonly onCancel: () => void
}

/** The end of a form in a dialog. */
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
