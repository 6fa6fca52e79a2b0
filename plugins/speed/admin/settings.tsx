import { Alert } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { duration, HOUR } from 'pentad/admin/settings/duration-field.tsx'
import type { OwnField } from 'pentad/admin/settings/own-field.tsx'
import { kindOf, type SettingSchema } from 'pentad/admin/settings/schema.ts'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { PurgeMenu } from './cache-controls.tsx'

/** Custom controls in place of those generated from the schema. */
const FIELDS: Readonly<Record<string, OwnField>> = {
  cacheTtlSeconds: duration(
    'cacheTtlSeconds',
    HOUR,
    __('Number of hours after which a cached page is re-rendered.', 'pentad'),
  ),
}

/** By `risk` of the schema, in the order of display. */
const RISKS = {
  safe: {
    title: __('Safe', 'pentad'),
    description: __('These settings make the site faster without changing how pages look or behave.', 'pentad'),
  },
  moderate: {
    title: __('Moderate', 'pentad'),
    description: __(
      'These settings change how browsers load pages. Most sites work without any adjustments.',
      'pentad',
    ),
  },
  aggressive: {
    title: __('Aggressive', 'pentad'),
    description: __(
      'These settings change how pages are built, and bring the largest gains. Check your site after turning one on. If something looks wrong, turn it off and purge the cache.',
      'pentad',
    ),
  },
}

const LEVELS = ['safe', 'moderate', 'aggressive'] as const

export default function PerformanceSettings() {
  const draft = useSettings('speed')
  const { schema = {} } = draft
  return (
    <Page isForm title={__('Performance settings', 'pentad')} actions={<PurgeMenu />}>
      <Alert>
        {__('Saving does not purge the cache. To apply your changes to cached pages, purge the cache.', 'pentad')}
      </Alert>
      <SettingsForm
        draft={draft}
        fields={FIELDS}
        groups={LEVELS.map((risk) => ({ ...RISKS[risk], keys: keysOf(schema, risk) }))}
      />
    </Page>
  )
}

/** Settings without a risk count as safe. Switches come first, then their details. */
function keysOf(schema: Readonly<Record<string, SettingSchema>>, risk: string): string[] {
  const keys = Object.keys(schema).filter((key) => (schema[key]?.risk ?? 'safe') === risk)
  const isSwitch = (key: string) => kindOf(schema[key] ?? {}) === 'toggle'
  return [...keys.filter(isSwitch), ...keys.filter((key) => !isSwitch(key))]
}
