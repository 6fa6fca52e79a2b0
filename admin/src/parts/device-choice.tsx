import { SegmentedControl } from '@mantine/core'
import { __ } from '../i18n.ts'

interface DeviceChoiceProps {
  /** `wide` or `narrow`. */
  readonly value: string
  readonly onChange: (device: string) => void
}

/** Selects the device for a preview. */
export function DeviceChoice(props: DeviceChoiceProps) {
  return (
    <SegmentedControl
      {...props}
      size="xs"
      aria-label={__('Preview width', 'pentad')}
      data={[
        { value: 'wide', label: __('Desktop', 'pentad') },
        { value: 'narrow', label: __('Mobile', 'pentad') },
      ]}
    />
  )
}
