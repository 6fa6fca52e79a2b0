import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSite, type Site } from '../../app/create-site.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { startedSite } from '../support/started-site.ts'
import { until } from '../support/until.ts'
import { toObject } from './gazette.ts'
import { openOwnSite } from './own-site.ts'

/** Writes down each transition, so that it can be counted across processes. */
const DIARY = `
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineExtension } from 'pentad'
export default defineExtension({
  id: 'diary', name: 'Diary', version: '1.0.0',
  setup({ hooks, site }) {
    hooks.addAction('transition_post_status', (now, old, post) => {
      if (old === 'future') appendFileSync(join(site.dir, 'diary.txt'), old + '_to_' + now + ' ' + post.id + '\\n')
    })
  },
})
`

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)

onEachDatabase('scheduled posts', (databaseUrl) => {
  async function open(url: string | undefined, siteDir = temporaryFolder()): Promise<Site> {
    const host = await createSite(
      { siteDir, port: 0, logLevel: 'silent', adminPassword: 'a-password', databaseUrl: url },
      { runServices: false, passwordCost: CHEAPEST },
    )
    await host.listen()
    return host
  }
  const isPublished = async (host: Site, id: number) => (await host.content.posts.get(id))?.status === 'publish'

  it('are those of a moment to come, and publish themselves when it is there', async () => {
    const site = await openOwnSite(await databaseUrl())
    try {
      const admin = await site.signIn('admin', 'administrator')
      const { hooks } = site.host
      const seen: unknown[] = []
      hooks.addAction('publish_future_post', (id) => void seen.push(['publish_future_post', id]))
      hooks.addAction('transition_post_status', (now, old, post) => void seen.push([`${old} → ${now}`, post.id]))
      hooks.addAction('future_to_publish', (post) => void seen.push(['future_to_publish', post.id]))
      hooks.addAction('publish_post', (id, _post, old) => void seen.push(['publish_post', id, old]))
      hooks.addAction('save_post', (id, _post, update) => void seen.push(['save_post', id, update]))

      const later = { title: 'Next year', status: 'publish', date_gmt: inSeconds(1e7) }
      expect((await site.ask('POST /wp/v2/posts', later, admin)).item.status).to.equal('future')
      seen.length = 0
      const soon = { title: 'Soon', status: 'future', date_gmt: inSeconds(2) }
      const { item } = await site.ask('POST /wp/v2/posts', soon, admin)
      const id = Number(item.id)
      expect(item).to.include({ status: 'future', slug: 'soon' })
      expect(await site.outcome(`GET /wp/v2/posts/${id}`)).to.equal('401 rest_forbidden')
      expect((await fetch(`${site.url}/soon/`)).status).to.equal(404)
      await until(() => isPublished(site.host, id))
      await until(() => seen.length >= 7)
      expect(seen).to.deep.equal([
        ['new → future', id],
        ['save_post', id, false],
        ['publish_future_post', id],
        ['future → publish', id],
        ['future_to_publish', id],
        ['publish_post', id, 'future'],
        ['save_post', id, true],
      ])
      const published = (await site.ask(`GET /wp/v2/posts/${id}`)).item
      expect(published).to.include({ date_gmt: soon.date_gmt, modified_gmt: item.modified_gmt, slug: 'soon' })
      expect((await fetch(`${site.url}/soon/`)).status).to.equal(200)
      const category = await site.host.content.terms.get(1)
      expect(category?.count).to.equal(2)
    } finally {
      await site.close()
    }
  })

  it('are published at once with a date that is past, and drafts stay drafts', async () => {
    const site = await openOwnSite(await databaseUrl())
    try {
      const { posts } = site.host.content
      expect((await posts.insert({ title: 'a', status: 'future', date: '2020-01-01T00:00:00' })).status).to.equal(
        'publish',
      )
      const draft = await posts.insert({ title: 'b', status: 'draft', date: '2099-01-01T00:00:00' })
      expect(draft.status).to.equal('draft')
      expect((await posts.update(draft.id, { status: 'publish' })).status).to.equal('future')
      expect((await posts.update(draft.id, { date: '2020-01-01T00:00:00', status: 'publish' })).status).to.equal(
        'publish',
      )
    } finally {
      await site.close()
    }
  })

  it('that came due while nothing ran are published at the start, once', async () => {
    const url = await databaseUrl()
    const siteDir = temporaryFolder()
    const first = await open(url, siteDir)
    const { id } = await first.content.posts.insert({ title: 'Late', status: 'future', dateGmt: inSeconds(3600) })
    await first.database.db.updateTable('posts').set({ date_gmt: '2026-01-01 00:00:00' }).where('id', '=', id).execute()
    await first.close()
    const second = await open(url, siteDir)
    expect(await isPublished(second, id)).to.equal(true)
    await second.close()
  })
})

describe('scheduled posts of a site with several processes', () => {
  it('are published by one of them', async () => {
    const site = await openOwnSite()
    const posts = site.host.content.posts
    let told = 0
    site.host.hooks.addAction('publish_future_post', () => void told++)
    const dateGmt = inSeconds(3600)
    const made = await Promise.all([1, 2, 3, 4].map(() => posts.insert({ title: 'Due', status: 'future', dateGmt })))
    await site.host.database.db
      .updateTable('posts')
      .set({ date_gmt: '2026-01-01 00:00:00' })
      .where('status', '=', 'future')
      .execute()
    const counts = await Promise.all([posts.publishDue(), posts.publishDue(), posts.publishDue()])
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(made.length)
    expect(told).to.equal(made.length)
    await site.close()
  })

  it('survive kill -9, and the transition fires once', async () => {
    const siteDir = startedSite()
    mkdirSync(join(siteDir, 'extensions'), { recursive: true })
    writeFileSync(join(siteDir, 'extensions', 'diary.ts'), DIARY)
    const diary = join(siteDir, 'diary.txt')
    appendFileSync(diary, '')
    const first = await startPentad(siteDir)
    const made = await pentad(siteDir, [
      'user',
      'create',
      'rob',
      '--email',
      'rob@example.org',
      '--role',
      'administrator',
    ])
    expect(made.code, made.errors).to.equal(0)
    const password = /(\S{4}(?: \S{4}){5})/.exec(
      (await pentad(siteDir, ['user', 'app-password', 'rob', 'test'])).output,
    )?.[1]
    expect((await pentad(siteDir, ['extension', 'activate', 'diary'])).code).to.equal(0)
    const authorization = `Basic ${btoa(`rob:${password}`)}`

    const answer = await fetch(`${first.url}/wp-json/wp/v2/posts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Killed', status: 'future', date_gmt: inSeconds(2) }),
    })
    expect(answer.status).to.equal(201)
    const { id } = toObject(await answer.json())
    await first.end('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 2500))

    const [second, third] = await Promise.all([startPentad(siteDir), startPentad(siteDir)])
    try {
      const status = async () =>
        toObject(await (await fetch(`${second.url}/wp-json/wp/v2/posts/${id}?_fields=status`)).json()).status
      await until(async () => (await status()) === 'publish')
      await until(() => existsSync(diary) && readFileSync(diary, 'utf8') !== '')
    } finally {
      await Promise.all([second.end(), third.end()])
    }
    expect(readFileSync(diary, 'utf8')).to.equal(`future_to_publish ${id}\n`)
  })
})
