import { type ExtensionHost, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { SpeedSettings } from '../settings.ts'
import type { PageCache } from '../types.ts'
import type { Collection } from '../vitals/collection.ts'
import { performanceScore } from '../vitals/performance-score.ts'
import { actionItemShape, actionItems } from './action-items.ts'

/** `GET /action-items/fetch`: available only with an active license. */
export function registerActionItems(
  { changes, hooks, rest, textsFor }: Pick<ExtensionHost, 'changes' | 'hooks' | 'rest' | 'textsFor'>,
  parts: { settings: () => SpeedSettings; cache: Pick<PageCache, 'status' | 'list'>; vitals: Collection },
): void {
  const { settings, cache, vitals } = parts
  rest.registerRoute('speed/v1', {
    method: 'GET',
    path: '/action-items/fetch',
    access: 'manage_options',
    pro: true,
    summary: 'Lists performance recommendations, highest impact first.',
    response: successSchema(z.object({ items: z.array(actionItemShape) })),
    async handler({ user }) {
      const items = actionItems({
        texts: await textsFor(user),
        settings: settings(),
        cacheStatus: cache.status(),
        pages: [...cache.list()],
        vitals: performanceScore(await vitals.samples()),
        hasCdn: changes.isFollowed || hooks.hasAction('speed_purged'),
      })
      return success({ items })
    },
  })
}
