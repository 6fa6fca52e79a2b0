import { join } from 'node:path'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'
import type {} from '../../plugins/speed/hooks.ts'
import { siteWith } from './cached-site.ts'
import { OPTIMIZER_OFF } from './optimizer-off.ts'

const SPEED = join(import.meta.dirname, '../../plugins/speed')

/** A small site with the page cache: three posts of two authors, two categories one below the other, two pages. */
export interface SpeedSite {
  readonly site: TestHost
  /** Ids by name. */
  readonly ids: Readonly<Record<Name, number>>
  /** The `X-Cache` of a visit. */
  visit(path: string): Promise<string>
  /** Visits the pages, so that each comes from the cache. */
  fill(paths: readonly string[]): Promise<void>
  /** Those of the pages that do not come from the cache any more. */
  gone(paths: readonly string[]): Promise<string[]>
}

type Name = 'ann' | 'bob' | 'travel' | 'europe' | 'food' | 'first' | 'second' | 'third' | 'about' | 'team'

/** Resolves when integrations have heard of all changes up to now. */
export async function purgesTold({ host: { hooks } }: TestHost): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const undo = hooks.addAction('speed_purged', ({ scope, tags }) => {
    if (scope === 'pages' || tags.includes('all-told')) resolve()
  })
  hooks.doAction('purge_pages', { tags: ['all-told'] })
  await promise
  undo()
}

/** Nothing renders a page anew: no preload, no file that the optimizer makes in the background, no token that grows old. */
const STEADY = { preload: 'off', ...OPTIMIZER_OFF, vitalsSampleRate: 0 }

/** @param settings of the speed service; by default nothing is rendered but for visitors */
export async function startSpeedSite(
  settings: Readonly<Record<string, unknown>> = {},
  options: TestHostOptions = {},
): Promise<SpeedSite> {
  const siteDir = siteWith({ ...STEADY, ...settings })
  const config = { siteDir, ...options.config }
  const site = await createTestHost({ ...options, config, extensions: [SPEED, ...(options.extensions ?? [])] })
  const { content, auth } = site.host
  for (const { id } of (await content.posts.query({ types: ['post', 'page'] })).items) await content.posts.delete(id)
  const user = (login: string) =>
    auth.users.create({ login, displayName: login.toUpperCase(), email: `${login}@example.org`, roles: ['editor'] })
  const [ann, bob] = [await user('ann'), await user('bob')]
  const travel = await content.terms.insert('category', { name: 'Travel' })
  const europe = await content.terms.insert('category', { name: 'Europe', parentId: travel.id })
  const food = await content.terms.insert('category', { name: 'Food' })
  const post = (title: string, authorId: number, category: number, date: string) =>
    content.posts.insert({ title, authorId, date, status: 'publish', terms: { category: [category] }, content: title })
  const first = await post('First', ann.id, europe.id, '2025-01-05T08:00:00')
  const second = await post('Second', bob.id, food.id, '2025-02-05T08:00:00')
  const third = await post('Third', ann.id, food.id, '2025-03-05T08:00:00')
  const page = (title: string, parentId: number) =>
    content.posts.insert({ type: 'page', title, parentId, status: 'publish', content: title })
  const about = await page('About', 0)
  const team = await page('Team', about.id)

  await purgesTold(site)

  const visit = async (path: string) => {
    const answer = await site.get(path)
    await answer.arrayBuffer()
    return answer.headers.get('x-cache') ?? `none (${answer.status})`
  }
  return {
    site,
    ids: {
      ...{ ann: ann.id, bob: bob.id, travel: travel.id, europe: europe.id, food: food.id },
      ...{ first: first.id, second: second.id, third: third.id, about: about.id, team: team.id },
    },
    visit,
    async fill(paths) {
      for (const path of paths) {
        await visit(path)
        const seen = await visit(path)
        if (seen !== 'HIT' && seen !== 'STALE') throw new Error(`${path} was not kept: ${seen}`)
      }
    },
    async gone(paths) {
      const seen: string[] = []
      for (const path of paths) if ((await visit(path)) === 'MISS') seen.push(path)
      return seen
    },
  }
}
