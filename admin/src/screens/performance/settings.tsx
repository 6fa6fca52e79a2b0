import { Alert, Anchor, List, Text } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import { Link } from 'react-router'
import { useRead } from '../../api/query.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { kindOf, type SettingSchema } from '../../settings/schema.ts'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import type { HookReport } from '../extensions/types.ts'
import { PurgeMenu } from './cache-controls.tsx'

/** As the schema names them in `risk`, in the order in which they are shown. */
const RISKS = {
  safe: {
    title: __('Safe', 'pentad'),
    description: __('They make the site faster and change no page that anybody sees.', 'pentad'),
  },
  moderate: {
    title: __('Moderate', 'pentad'),
    description: __('They change what browsers do with a page. Hardly any site notices.', 'pentad'),
  },
  aggressive: {
    title: __('Aggressive', 'pentad'),
    description: __(
      'They change how a page is put together, and gain most. Look at the site after them; if something looks wrong, switch the last one off and purge.',
      'pentad',
    ),
  },
}

const LEVELS = ['safe', 'moderate', 'aggressive'] as const

export default function PerformanceSettings() {
  const draft = useSettings('speed')
  const { schema = {} } = draft
  return (
    <Page title={__('Performance settings', 'pentad')} actions={<PurgeMenu />}>
      <Alert>
        {__('Saving rebuilds nothing: pages that are kept stay as they are until you purge them.', 'pentad')}
      </Alert>
      <SettingsForm draft={draft} groups={LEVELS.map((risk) => ({ ...RISKS[risk], keys: keysOf(schema, risk) }))} />
      <InFront />
    </Page>
  )
}

/** What says nothing of its risk counts as safe. Switches come first, what fine-tunes them after. */
function keysOf(schema: Readonly<Record<string, SettingSchema>>, risk: string): string[] {
  const keys = Object.keys(schema).filter((key) => (schema[key]?.risk ?? 'safe') === risk)
  const isSwitch = (key: string) => kindOf(schema[key] ?? {}) === 'toggle'
  return [...keys.filter(isSwitch), ...keys.filter((key) => !isSwitch(key))]
}

/** Extensions that pass purges on to a cache in front. */
function InFront() {
  const hooks = useRead<{ readonly hooks: readonly HookReport[] }>('host/v1/hooks')
  if (!hooks.data) return null
  const listeners = hooks.data.hooks.find(({ name }) => name === 'speed_purged')?.listeners ?? []
  const owners = [...new Set(listeners.map(({ owner }) => owner))].filter((owner) => owner !== 'core')
  return (
    <Section
      title={__('Caches in front', 'pentad')}
      description={__('CDNs and proxies that hear of every purge.', 'pentad')}
    >
      {owners.length > 0 ? (
        <List size="sm">
          {owners.map((owner) => (
            <List.Item key={owner}>
              <Anchor component={Link} to="/extensions" size="sm">
                {owner}
              </Anchor>
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">
          {__('None. For Cloudflare, Fastly, Varnish, nginx and others there are', 'pentad')}{' '}
          <Anchor component={Link} to="/extensions" size="sm">
            {__('extensions that come along', 'pentad')}
          </Anchor>
        </Text>
      )}
    </Section>
  )
}
