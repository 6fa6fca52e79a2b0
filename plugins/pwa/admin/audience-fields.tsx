import { Select, SimpleGrid } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { countryName } from './country.ts'
import type { Audience, SubscriberSummary } from './routes.ts'

const FIELDS = [
  { key: 'device', list: 'devices', label: __('Device', 'pentad') },
  { key: 'operatingSystem', list: 'operatingSystems', label: __('Operating system', 'pentad') },
  { key: 'browser', list: 'browsers', label: __('Browser', 'pentad') },
  { key: 'country', list: 'countries', label: __('Country', 'pentad') },
] as const

interface AudienceFieldsProps {
  readonly summary: SubscriberSummary
  readonly value: Audience
  readonly onChange: (audience: Audience) => void
}

/** Selects an audience from the attributes that subscribers have. */
export function AudienceFields({ summary, value, onChange }: AudienceFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      {FIELDS.map(({ key, list, label }) => (
        <Select
          key={key}
          label={label}
          placeholder={__('All', 'pentad')}
          clearable
          clearButtonProps={{ 'aria-label': __('All', 'pentad') }}
          searchable
          value={value[key] ?? null}
          data={summary[list]
            .filter(({ name }) => name !== '')
            .map(({ name, count }) => ({
              value: name,
              label: `${key === 'country' ? countryName(name) : name} (${formatNumber(count)})`,
            }))}
          onChange={(chosen) => onChange({ ...value, [key]: chosen ?? undefined })}
        />
      ))}
    </SimpleGrid>
  )
}
