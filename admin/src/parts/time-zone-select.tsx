import { Select } from '@mantine/core'
import { __ } from '../i18n.ts'

interface TimeZoneSelectProps {
  /** An IANA name; empty for UTC. */
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (value: string) => void
}

/** Selects a time zone. */
export function TimeZoneSelect({ value, error, onChange }: TimeZoneSelectProps) {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const zone = value || 'UTC'
  return (
    <Select
      label={__('Time zone', 'pentad')}
      data={zones.includes(zone) ? zones : [zone, ...zones]}
      value={zone}
      searchable
      allowDeselect={false}
      error={error}
      onChange={(chosen) => onChange(chosen ?? zone)}
    />
  )
}
