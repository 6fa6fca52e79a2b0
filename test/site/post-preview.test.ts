import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import sharp from 'sharp'
import { z } from 'zod'
import { createSite } from '../../app/create-site.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { openSession, type SessionHeaders } from '../support/session.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

describe('The preview of a post', () => {
  let site: TestHost
  let postId = 0
  let changes: Record<string, unknown> = {}
  let editor: SessionHeaders

  const session = async (login: string, role: string): Promise<SessionHeaders> => {
    const user = await site.host.auth.users.create({
      ...{ login, displayName: `Writer ${login}`, email: `${login}@example.org`, roles: [role] },
      password: 'correct horse battery',
    })
    return openSession(site.host.auth, user)
  }
  const open = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })
  const text = async (url: string, headers?: Record<string, string>) => (await open(url, headers)).text()
  const preview = (body: object, headers: Record<string, string> = editor, id = postId) =>
    fetch(`${site.url}/wp-json/wp/v2/posts/${id}/preview`, {
      ...{ method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } },
      body: JSON.stringify(body),
    })
  const linkOf = async (body: object, headers?: Record<string, string>, id?: number): Promise<string> => {
    const response = await preview(body, headers, id)
    return z.object({ link: z.string() }).parse(await response.json()).link
  }

  before(async () => {
    site = await createTestHost({ services: true })
    const { content, auth } = site.host
    const upload = async (name: string) => {
      const source = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      return (await content.media.upload({ name, source })).id
    }
    const [stored, unsaved] = [await upload('stored.png'), await upload('unsaved.png')]
    const category = async (name: string) => (await content.terms.insert('category', { name })).id
    const [before, after] = [await category('Stored walks'), await category('Unsaved walks')]
    const { id: author } = await auth.users.create({
      ...{ login: 'zoe', displayName: 'Zoe Zimmer', email: 'zoe@example.org', roles: ['author'] },
    })
    const post = await content.posts.insert({
      ...{ title: 'A walk', slug: 'walk', content: 'Stored words', status: 'publish', authorId: 1 },
      terms: { category: [before] },
      meta: { _thumbnail_id: [stored], _seo_description: ['Stored description'] },
    })
    postId = post.id
    changes = {
      ...{ title: 'An unsaved walk', content: 'Unsaved words', featured_media: unsaved, categories: [after], author },
      date: '2020-05-17T08:30:00',
      meta: { _seo_title: 'Unsaved SEO title', _seo_description: 'Unsaved description' },
    }
    editor = await session('eve', 'editor')
  })
  after(() => site.close())

  it('shows all unsaved changes to the user who stored them, and saves nothing', async () => {
    const link = await linkOf(changes)
    const response = await open(link, editor)
    expect(response.headers.get('cache-control')).to.equal('private, no-store')
    const shown = await response.text()
    expect(shown).to.include('An unsaved walk').and.include('Unsaved words')
    expect(shown).to.include('unsaved.png').and.include('Unsaved walks').and.include('Zoe Zimmer')
    expect(shown).to.include('May 17, 2020').and.include('<title>Unsaved SEO title</title>')
    expect(shown).to.match(/<meta name="description" content="Unsaved description"/)
    expect(shown).to.not.match(/stored\.png|Stored (walks|words|description)/)
    const [walk, other] = [`${site.url}/walk/`, await session('edgar', 'editor')]
    for (const page of [
      await text(walk),
      await text(walk, editor),
      await text(`${walk}?preview=true`, editor),
      await text(link),
      await text(link, other),
    ]) {
      expect(page).to.include('Stored words').and.include('stored.png').and.include('Stored walks')
      expect(page).to.not.match(/unsaved/i)
    }
  })

  it('shows the unsaved template', async () => {
    expect(await text(await linkOf({ template: 'wide' }), editor)).to.include('<article class="wide ')
  })

  it('shows no terms that saving drops, such as those of a taxonomy that is not public', async () => {
    const { terms } = site.host.content
    const menu = await terms.insert('nav_menu', { name: 'Secret menu' })
    const shown = await text(await linkOf({ categories: [menu.id], tags: [menu.id] }), editor)
    expect(shown).to.include('Stored words').and.not.include('Secret menu')
  })

  it('shows an unsaved format without storing it as a term', async () => {
    const { terms } = site.host.content
    const shown = await text(await linkOf({ format: 'video' }), editor)
    expect(shown).to.include('Stored words')
    expect(await terms.getBySlug('post_format', 'post-format-video')).to.equal(undefined)
    await terms.insert('post_format', { name: 'post-format-audio', slug: 'post-format-audio' })
    expect(await text(await linkOf({ format: 'audio' }), editor)).to.include('format-audio')
  })

  it('removes image, terms, and meta', async () => {
    const shown = await text(
      await linkOf({ featured_media: 0, categories: [], meta: { _seo_description: null } }),
      editor,
    )
    expect(shown).to.include('Stored words')
    expect(shown).to.not.match(/stored\.png|Stored (walks|description)/)
  })

  it('shows the title of a private or protected post as visitors see it, and the text without asking for the password', async () => {
    const protectedPost = await text(await linkOf({ password: 'open sesame' }), editor)
    expect(protectedPost).to.include('Protected: A walk').and.include('Stored words')
    expect(protectedPost).to.not.match(/open sesame|post_password/)
    expect(await text(await linkOf({ status: 'private' }), editor)).to.include('Private: A walk')
    expect(await text(`${site.url}/walk/`)).to.not.match(/Protected|Private/)
  })

  it('shows no changes of another post', async () => {
    const link = new URL(await linkOf(changes))
    const { link: other } = site.host.content
    const draft = await site.host.content.posts.insert({ title: 'A draft', content: 'Draft words', status: 'draft' })
    const url = new URL(other(draft))
    url.search = new URLSearchParams([...url.searchParams, ...link.searchParams]).toString()
    expect(await text(url.href, editor))
      .to.include('Draft words')
      .and.not.include('Unsaved')
    expect(await text(await linkOf({ title: 'Still a draft' }, editor, draft.id), editor)).to.include('Still a draft')
    expect((await site.host.content.posts.get(draft.id))?.title).to.equal('A draft')
  })

  it('shows the image in the URL with the autosave, as WordPress’s editor asks for it', async () => {
    const autosave = await fetch(`${site.url}/wp-json/wp/v2/posts/${postId}/autosaves`, {
      ...{ method: 'POST', headers: { ...editor, 'Content-Type': 'application/json' } },
      body: JSON.stringify({ content: 'Autosaved words' }),
    })
    expect(autosave.status).to.equal(200)
    const url = `${site.url}/walk/?preview=true`
    const shown = await text(`${url}&_thumbnail_id=${changes.featured_media}`, editor)
    expect(shown).to.include('Autosaved words').and.include('unsaved.png').and.include('Stored walks')
    expect(shown).to.not.include('stored.png')
    expect(await text(`${url}&_thumbnail_id=-1`, editor)).to.not.include('stored.png')
    expect(await text(url, editor))
      .to.include('Autosaved words')
      .and.include('stored.png')
    expect(await text(`${url}&_thumbnail_id=${changes.featured_media}`)).to.not.include('unsaved.png')
  })

  it('is deleted after an hour', async () => {
    const other = await createTestHost({ now: new Date() })
    try {
      const { content, database } = other.host
      const post = await content.posts.insert({ title: 'A walk', status: 'publish' })
      const request = { method: 'POST', as: 'administrator', body: { password: 'open sesame' } } as const
      const stored = async () => (await database.db.selectFrom('previews').select('value').execute()).length
      for (let count = 0; count < 7; count++) {
        expect((await other.request(`/wp-json/wp/v2/posts/${post.id}/preview`, request)).status).to.equal(200)
      }
      expect(await stored()).to.equal(5)
      await other.clock.advance(3_500_000)
      expect(await stored()).to.equal(5)
      await other.clock.advance(1_300_000)
      await until(async () => (await stored()) === 0)
    } finally {
      await other.close()
    }
  })

  it('is not kept in files of an earlier version', async () => {
    const siteDir = temporaryFolder()
    const cache = join(siteDir, 'cache')
    const previews = join(cache, 'previews', 'post_preview')
    mkdirSync(previews, { recursive: true })
    writeFileSync(join(previews, 'key.json'), '{"post":{"password":"open sesame"}}')
    const later = await createSite({ siteDir, port: 0, logLevel: 'silent' }, { passwordCost: CHEAPEST })
    try {
      await later.listen()
      expect(readdirSync(cache)).to.not.include('previews')
    } finally {
      await later.close()
    }
  })

  it('rejects changes that the user may not save', async () => {
    const [author, contributor] = [await session('ann', 'author'), await session('carl', 'contributor')]
    expect((await preview({ title: 'Mine' }, author)).status).to.equal(403)
    expect((await preview({ title: 'Mine' }, {})).status).to.equal(401)
    const own = await site.host.auth.users.getByLogin('carl')
    const draft = await site.host.content.posts.insert({ title: 'Own', status: 'draft', authorId: own?.id ?? 0 })
    expect((await preview({ title: 'Mine' }, contributor, draft.id)).status).to.equal(200)
    expect((await preview({ author: 1 }, contributor, draft.id)).status).to.equal(403)
    expect((await preview({ status: 'publish' }, contributor, draft.id)).status).to.equal(403)
    const script = await linkOf({ content: 'Hello <script>alert(1)</script>' }, contributor, draft.id)
    expect(await text(script, contributor))
      .to.include('Hello')
      .and.not.include('alert(1)')
    expect((await preview({ template: 'unknown' })).status).to.equal(400)
  })
})
