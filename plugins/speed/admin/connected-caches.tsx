import { Anchor, List, Text } from '@mantine/core'
import type { HookReport } from 'pentad/admin'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Link } from 'react-router'

/** Extensions that forward purges to CDNs and proxies. */
export function ConnectedCaches() {
  const hooks = useRead<{ readonly hooks: readonly HookReport[] }>('host/v1/hooks')
  if (!hooks.data) return null
  const listeners = hooks.data.hooks.find(({ name }) => name === 'speed_purged')?.listeners ?? []
  const owners = [...new Set(listeners.map(({ owner }) => owner))].filter((owner) => owner !== 'core')
  return (
    <Section
      title={__('CDNs and proxies', 'pentad')}
      description={__('Purged together with the page cache.', 'pentad')}
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
          {__(
            'None connected. Pentad includes extensions for Akamai, Bunny, Cloudflare, Fastly, KeyCDN, nginx, and Varnish, and webhooks for other services.',
            'pentad',
          )}{' '}
          <Anchor component={Link} to="/extensions" size="sm">
            {__('Manage extensions', 'pentad')}
          </Anchor>
        </Text>
      )}
    </Section>
  )
}
