import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'
import { isAllSent } from './caches-in-front.ts'
import type { FrontServer } from './front-server.ts'

/** What a visitor gets of a cache in front of the site. */
export interface FrontVisit {
  readonly status: number
  readonly html: string
  /** Whether the cache answered, and not the site. */
  readonly isCached: boolean
  readonly headers: Headers
}

/** @param isHit how that cache says that it answered by itself */
export function createVisits(server: () => FrontServer, isHit: (headers: Headers) => boolean) {
  async function visit(path: string, headers: Record<string, string> = {}): Promise<FrontVisit> {
    const answer = await fetch(server().url + path, { headers, redirect: 'manual' })
    return {
      status: answer.status,
      html: await answer.text(),
      isCached: isHit(answer.headers),
      headers: answer.headers,
    }
  }
  return {
    visit,
    /** Visits pages until the cache has them. */
    async keep(...paths: string[]): Promise<void> {
      for (const path of paths) await until(async () => (await visit(path)).isCached)
    },
    /** Whether the next visitor's page comes from the site; the one after that gets it from the cache again. */
    isGone: async (path: string) => !(await visit(path)).isCached,
  }
}

/** Holds the next page that is rendered: `begun` resolves once it shows the content of now, and `release` lets it be sent. */
function holdNextPage({ host: { hooks } }: TestHost): { begun: Promise<void>; release(): void } {
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const undo = hooks.addFilter('page_html', async (html) => {
    undo()
    begun.resolve()
    await held.promise
    return html
  })
  return { begun: begun.promise, release: held.resolve }
}

/** What every cache in front of the site does, whatever it is and however it is purged. */
export function itKeepsAndPurges(host: () => TestHost, { visit, keep, isGone }: ReturnType<typeof createVisits>): void {
  const send = (path: string, body: unknown, method = 'POST') =>
    host().request(`/wp-json${path}`, { method, body, as: 'administrator' })

  it('keeps nothing that is somebody’s own, or not found', async () => {
    const answer = await send('/wp/v2/posts', { title: 'Behind a door', status: 'publish', password: 'open' })
    const { slug } = Object(await answer.json())
    for (const path of [`/${slug}/`, '/no-such-page/', '/wp-json/', '/wp-login.php']) {
      await visit(path)
      expect((await visit(path)).isCached, path).to.equal(false)
    }
    await keep('/hello-world/')
    expect((await visit('/hello-world/', { Cookie: 'pentad_session=x' })).isCached).to.equal(false)
  })

  it('shows an edited post at once, and keeps the pages that do not show it', async () => {
    await keep('/', '/hello-world/', '/sample-page/')
    expect((await send('/wp/v2/posts/1', { title: 'Good morning' }, 'PUT')).status).to.equal(200)
    for (const path of ['/hello-world/', '/'])
      await until(async () => (await visit(path)).html.includes('Good morning'))
    expect((await visit('/sample-page/')).isCached).to.equal(true)
  })

  for (const pageCache of ['on', 'off']) {
    it(`does not keep a page that a purge overtook while it was rendered, with the page cache ${pageCache}`, async () => {
      const path = '/sample-page/'
      const set = (settings: object) => send('/host/v1/settings/speed', { settings }, 'PUT')
      /** Resolves when the cache has processed the purge, which it repeats only after five seconds. */
      async function edit(title: string): Promise<void> {
        const { changes } = host().host
        const before = await changes.newest()
        expect((await send('/wp/v2/pages/2', { title }, 'PUT')).status).to.equal(200)
        await until(async () => (await changes.newest()) !== before && (await isAllSent(host())), { seconds: 60 })
      }
      expect((await set({ pageCache, preload: 'off' })).status).to.equal(200)
      await edit(`Early ${pageCache}`)
      const { begun, release } = holdNextPage(host())
      const early = visit(path)
      await begun
      await edit(`Late ${pageCache}`)
      release()
      expect((await early).html).to.contain(`Early ${pageCache}`)
      expect((await visit(path)).html).to.contain(`Late ${pageCache}`)
      await set({ pageCache: 'on', preload: 'on' })
      await keep(path)
    })
  }

  it('purges one page', async () => {
    // An earlier purge of everything, which the cache repeats after five seconds, may come between.
    await until(async () => {
      await keep('/hello-world/', '/sample-page/')
      expect((await send('/speed/v1/purge-current-page', { url: '/sample-page/' })).status).to.equal(200)
      await until(() => isGone('/sample-page/'))
      return (await visit('/hello-world/')).isCached
    })
  })
}
