import type { UseQueryResult } from '@tanstack/react-query'
import { __ } from '@wordpress/i18n'
import { useRead } from '../../api/query.ts'
import { hasService } from '../../page-data.ts'
import { needsLicence } from '../../parts/licensed.tsx'

type Impact = 'high' | 'medium' | 'low'

/** How urgent it is, as people read it. */
export const IMPACTS: Readonly<
  Record<Impact, { readonly label: string; readonly color: string; readonly rank: number }>
> = {
  high: { label: __('High', 'pentad'), color: 'red', rank: 0 },
  medium: { label: __('Medium', 'pentad'), color: 'yellow', rank: 1 },
  low: { label: __('Low', 'pentad'), color: 'gray', rank: 2 },
}

export interface ActionItem {
  readonly key: string
  readonly title: string
  readonly description: string
  readonly impact: Impact
  /** As people know it. */
  readonly service: string
  /** The screen where it is done. */
  readonly to: string
}

/** As the services tell of them: with an impact, or with points of a hundred. */
interface Told {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly impact?: Impact
  readonly weight?: number
  readonly action?: { readonly type: string; readonly target: string }
}

interface Source {
  readonly id: string
  readonly service: string
  readonly query: UseQueryResult<{ readonly items?: readonly Told[]; readonly actionItems?: readonly Told[] }>
  readonly to: (item: Told) => string
}

const SEO_SCREENS: Readonly<Record<string, string>> = {
  setup: '/seo/setup',
  '404s': '/seo/missing-pages',
  'site-settings': '/settings',
}

/** What would help, of every service that is on, the most urgent first. */
export function useActionItems() {
  const backup = useRead<{ actionItems: Told[] }>('backup/v1/backup/overview', undefined, on('backup'))
  const seo = useRead<{ actionItems: Told[] }>('seo/v1/overview', undefined, on('seo'))
  const speed = useRead<{ items: Told[] }>('speed/v1/action-items/fetch', undefined, on('speed'))
  const pwa = useRead<{ actionItems?: Told[] }>('pwa/v1/pwa-score/fetch', undefined, on('pwa'))
  const ai = useRead<{ choices: { text: unknown } }>('ai/v1/providers', undefined, on('ai'))
  const sources: readonly Source[] = [
    { id: 'backup', service: __('Backups', 'pentad'), query: backup, to: () => '/backup' },
    {
      id: 'seo',
      service: __('SEO', 'pentad'),
      query: seo,
      to: ({ action }) => (action?.type === 'screen' ? (SEO_SCREENS[action.target] ?? '/seo') : '/seo/settings'),
    },
    { id: 'speed', service: __('Performance', 'pentad'), query: speed, to: () => '/performance' },
    { id: 'pwa', service: __('App', 'pentad'), query: pwa, to: () => '/pwa' },
  ]
  const told = sources.flatMap(({ id, service, query, to }) =>
    (query.data?.actionItems ?? query.data?.items ?? []).map((item): ActionItem => {
      const { title, description } = item
      return { key: `${id} ${item.id}`, title, description, impact: impactOf(item), service, to: to(item) }
    }),
  )
  const items = [...told, ...(ai.data && !ai.data.choices.text ? [CONNECT] : [])]
  const all = [...sources.map(({ query }) => query), ai]
  return {
    items: items.sort((one, other) => IMPACTS[one.impact].rank - IMPACTS[other.impact].rank),
    isLoading: all.some(({ isLoading }) => isLoading),
    failed: sources.filter(({ query }) => query.error && !needsLicence(query.error)),
  }
}

const CONNECT: ActionItem = {
  key: 'ai provider',
  title: __('Connect a provider of models', 'pentad'),
  description: __('The copilot, the helpdesk and the buttons of the editor need one.', 'pentad'),
  impact: 'low',
  service: __('AI', 'pentad'),
  to: '/ai',
}

function on(service: string) {
  return { enabled: hasService(service) }
}

/** Points of a hundred say how much it matters. */
function impactOf({ impact, weight = 0 }: Told): Impact {
  return impact ?? (weight >= 20 ? 'high' : weight >= 10 ? 'medium' : 'low')
}
