import { SegmentedControl } from '@mantine/core'
import { __ } from '../../../i18n.ts'

interface DeviceChoiceProps {
  /** `wide` or `narrow`. */
  readonly value: string
  readonly onChange: (device: string) => void
}

/** On which device a preview is looked at. */
export function DeviceChoice(props: DeviceChoiceProps) {
  return (
    <SegmentedControl
      {...props}
      size="xs"
      aria-label={__('Width of the preview', 'pentad')}
      data={[
        { value: 'wide', label: __('Computer', 'pentad') },
        { value: 'narrow', label: __('Phone', 'pentad') },
      ]}
    />
  )
}
