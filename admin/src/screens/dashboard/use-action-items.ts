import type { UseQueryResult } from '@tanstack/react-query'
import { useRead } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { can, hasService, pageData } from '../../page-data.ts'
import { type ActionItem, byImpact } from '../../parts/action-items.tsx'
import { formatTime } from '../../parts/format.ts'
import { needsLicence } from '../../parts/licensed.tsx'
import { useSpeedItems } from '../../parts/use-speed-items.ts'
import type { Providers } from '../ai/routes.ts'
import { linkOf as backupLink } from '../backup/item-link.ts'
import type { Overview as BackupOverview } from '../backup/types.ts'
import type { ExtensionReport } from '../extensions/types.ts'
import { linkOf as pwaLink } from '../pwa/item-link.ts'
import type { Score as PwaScore } from '../pwa/routes.ts'
import { linkOf as seoLink } from '../seo/item-link.ts'
import type { Overview as SeoOverview } from '../seo/routes.ts'

interface LinkedItem extends ActionItem {
  /** The screen where it is done. */
  readonly to: string
}

/** What would help, of every service that is on and of extensions that are paused, the most important first. */
export function useActionItems() {
  const backup = useRead<BackupOverview>('backup/v1/backup/overview', undefined, on('backup'))
  const seo = useRead<SeoOverview>('seo/v1/overview', undefined, on('seo'))
  const { license, items: speed } = useSpeedItems()
  const pwa = useRead<PwaScore>('pwa/v1/pwa-score/fetch', undefined, on('pwa'))
  const ai = useRead<Providers>('ai/v1/providers', undefined, on('ai'))
  const extensions = useRead<readonly ExtensionReport[]>('host/v1/extensions', undefined, {
    enabled: can('activate_plugins') && !pageData.safeMode,
  })
  const queries: readonly UseQueryResult<unknown>[] = [backup, seo, license, speed, pwa, ai, extensions]
  return {
    items: byImpact([
      ...(extensions.data ?? []).flatMap(pausedItem),
      ...unexplainedItem(pageData.unexplainedEnd),
      ...itemsOf(
        __('Backup', 'pentad'),
        backup.data?.actionItems,
        (item) => backupLink(item, backup.data) ?? '/backup',
      ),
      ...itemsOf(__('SEO', 'pentad'), seo.data?.actionItems, (item) => seoLink(item) ?? '/seo'),
      ...itemsOf(__('Performance', 'pentad'), speed.data?.items, ({ setting }) =>
        setting === undefined ? '/performance' : '/performance/settings',
      ),
      ...itemsOf(__('App', 'pentad'), pwa.data?.actionItems, (item) => pwaLink(item) ?? '/pwa'),
      ...itemsOf(__('AI', 'pentad'), ai.data && !ai.data.choices.text ? [CONNECT] : [], () => '/ai'),
    ]),
    isLoading: queries.some(({ isLoading }) => isLoading),
    failed: queries.filter(({ error }) => error && !needsLicence(error)),
  }
}

function pausedItem({ id, name, state, reason }: ExtensionReport): LinkedItem[] {
  if (state !== 'paused') return []
  const title = sprintf(__('Fix the paused extension %s', 'pentad'), name)
  return [{ id: `paused ${id}`, title, description: reason ?? '', impact: 'high', to: `/extensions/${id}` }]
}

/** A restart that no extension was paused for, so it may happen again. */
function unexplainedItem(end: typeof pageData.unexplainedEnd): LinkedItem[] {
  if (!end) return []
  const isMemory = end.kind === 'memory'
  return [
    {
      id: 'unexplained end',
      title: isMemory ? __('Find what uses up the memory', 'pentad') : __('Find what blocks the site', 'pentad'),
      description: sprintf(
        isMemory
          ? __(
              'The site restarted on %s because its memory was used up, and no extension could be named. Deactivate extensions one by one, or allow more with PENTAD_MEMORY_LIMIT_MEGABYTES.',
              'pentad',
            )
          : __(
              'The site restarted on %s because it was blocked, and no extension could be named. The log has the stack.',
              'pentad',
            ),
        formatTime(end.time),
      ),
      impact: 'high',
      to: '/extensions',
    },
  ]
}

function itemsOf<Item extends ActionItem>(
  service: string,
  items: readonly Item[] = [],
  linkOf: (item: Item) => string,
): LinkedItem[] {
  return items.map((item) => ({
    ...item,
    id: `${service} ${item.id}`,
    description: sprintf(__('%1$s · %2$s', 'pentad'), service, item.description),
    to: linkOf(item),
  }))
}

const CONNECT: ActionItem = {
  id: 'provider',
  title: __('Connect a provider of models', 'pentad'),
  description: __('The copilot, the helpdesk and the buttons of the editor need one.', 'pentad'),
  impact: 'low',
}

function on(service: string) {
  return { enabled: hasService(service) }
}
