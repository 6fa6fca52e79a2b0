import type { UseQueryResult } from '@tanstack/react-query'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __, sprintf } from '../../i18n.ts'
import { can, hasService, pageData } from '../../page-data.ts'
import { byImpact } from '../../parts/action-items.tsx'
import { formatTime } from '../../parts/format.ts'
import { needsLicense } from '../../parts/licensed.tsx'
import { PLACEHOLDER_EMAIL } from '../../parts/placeholder-email.ts'
import { SETTINGS } from '../../parts/site-title.ts'
import type { LinkedItem } from '../../plugins/types.ts'
import { usePageData } from '../../settings/use-settings.ts'
import type { ExtensionReport } from '../extensions/types.ts'
import { pluginDashboards } from './plugin-dashboards.ts'

/** Constant while the page is open. */
const ACTIVE = pluginDashboards
  .filter(({ id }) => hasService(id))
  .sort((one, other) => one.position.toDo - other.position.toDo)

/** Recommendations of all active services and of paused extensions, most important first. */
export function useActionItems() {
  const extensions = useRead<readonly ExtensionReport[]>('host/v1/extensions', undefined, {
    enabled: can('activate_plugins') && !pageData.safeMode,
  })
  const settings = useRead<Responses['Settings']>(SETTINGS, undefined, { enabled: can('manage_options') })
  const { site } = usePageData()
  // biome-ignore lint/correctness/useHookAtTopLevel: always the same plugins in the same order
  const found = ACTIVE.map(({ title, useToDo }) => ({ title, ...useToDo() }))
  const queries: readonly UseQueryResult<unknown>[] = [...found.flatMap((one) => one.queries), extensions, settings]
  return {
    items: byImpact([
      ...(extensions.data ?? []).flatMap(pausedItem),
      ...unexplainedItem(pageData.unexplainedEnd),
      ...mailItem(site.sendsEmail),
      ...addressItem(settings.data?.email),
      ...found.flatMap(({ title, items }) => items.map((item) => named(title, item))),
    ]),
    isLoading: queries.some(({ isLoading }) => isLoading),
    failed: queries.filter(({ error }) => error && !needsLicense(error)),
  }
}

function pausedItem({ id, name, state, reason }: ExtensionReport): LinkedItem[] {
  if (state !== 'paused') return []
  const title = sprintf(__('Fix the paused extension %s', 'pentad'), name)
  return [{ id: `paused ${id}`, title, description: reason ?? '', impact: 'high', to: `/extensions/${id}` }]
}

/** A restart for which no extension was paused, so it may happen again. */
function unexplainedItem(end: typeof pageData.unexplainedEnd): LinkedItem[] {
  if (!end) return []
  const isMemory = end.kind === 'memory'
  return [
    {
      id: 'unexplained end',
      title: isMemory
        ? __('Find out why the site ran out of memory', 'pentad')
        : __('Find out why the site stopped responding', 'pentad'),
      description: sprintf(
        isMemory
          ? __(
              'The site restarted on %s because it ran out of memory, and no extension could be identified as the cause. Deactivate extensions one at a time, or raise PENTAD_MEMORY_LIMIT_MEGABYTES.',
              'pentad',
            )
          : __(
              'The site restarted on %s because it stopped responding, and no extension could be identified as the cause. See the stack trace in the server log.',
              'pentad',
            ),
        formatTime(end.time),
      ),
      impact: 'high',
      to: '/extensions',
    },
  ]
}

function mailItem(sendsEmail: boolean): LinkedItem[] {
  if (sendsEmail || !can('manage_options')) return []
  return [
    {
      id: 'mail',
      title: __('Set up email', 'pentad'),
      description: __(
        'The site cannot send email: password resets and notifications are only stored in the site’s “mail” folder.',
        'pentad',
      ),
      impact: 'high',
      to: '/settings/mail',
    },
  ]
}

function addressItem(email: string | undefined): LinkedItem[] {
  if (email !== PLACEHOLDER_EMAIL) return []
  return [
    {
      id: 'email address',
      title: __('Set the administration email address', 'pentad'),
      description: sprintf(
        __('Notifications and contact form messages are sent to %s, an address that can’t receive email.', 'pentad'),
        email,
      ),
      impact: 'high',
      to: '/settings',
    },
  ]
}

function named(service: string, item: LinkedItem): LinkedItem {
  return {
    ...item,
    id: `${service} ${item.id}`,
    description: sprintf(__('%1$s · %2$s', 'pentad'), service, item.description),
  }
}
