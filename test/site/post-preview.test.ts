import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import sharp from 'sharp'
import { openSession, type SessionHeaders } from '../support/session.ts'

describe('The preview of a post', () => {
  let site: TestHost
  let query = ''
  let withoutImage = ''

  const session = async (login: string, role: string): Promise<SessionHeaders> => {
    const user = await site.host.auth.users.create({
      ...{ login, displayName: `Writer ${login}`, email: `${login}@example.org`, roles: [role] },
      password: 'correct horse battery',
    })
    return openSession(site.host.auth, user)
  }
  const text = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(site.url + path, { headers })).text()

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
    await content.posts.insert({
      ...{ title: 'A walk', slug: 'walk', content: 'Words', status: 'publish', authorId: 1 },
      terms: { category: [before] },
      meta: { _thumbnail_id: [stored] },
    })
    query = `_thumbnail_id=${unsaved}&preview_terms=${after}&preview_author=${author}`
    withoutImage = '_thumbnail_id=0&preview_terms='
  })
  after(() => site.close())

  it('shows unsaved image, terms, author, and template to its editors, and stores nothing', async () => {
    const editor = await session('eve', 'editor')
    const shown = await text(`/walk/?preview=true&${query}`, editor)
    expect(shown).to.include('unsaved.png').and.include('Unsaved walks').and.include('Zoe Zimmer')
    expect(shown).to.not.include('stored.png')
    expect(shown).to.not.include('Stored walks')
    expect(await text('/walk/?preview=true&preview_template=wide', editor)).to.include('<article class="wide ')
    const removed = await text(`/walk/?preview=true&${withoutImage}`, editor)
    expect(removed).to.not.match(/stored\.png|Stored walks/)
    for (const page of [
      await text('/walk/'),
      await text('/walk/', editor),
      await text('/walk/?preview=true', editor),
    ]) {
      expect(page).to.include('stored.png').and.include('Stored walks')
      expect(page).to.not.match(/unsaved\.png|Unsaved walks|Zoe Zimmer/)
    }
  })

  it('shows an unsaved date to its editors, and ignores one that is not valid', async () => {
    const editor = await session('dora', 'editor')
    expect(await text('/walk/?preview=true&preview_date=2031-05-17T08:30:00', editor)).to.include('May 17, 2031')
    for (const path of ['/walk/?preview=true&preview_date=2031-99-99T00:00:00', '/walk/']) {
      expect(await text(path, editor)).to.not.include('2031')
    }
    expect(await text('/walk/?preview=true&preview_date=2031-05-17T08:30:00')).to.not.include('2031')
  })

  it('shows what is stored to all others', async () => {
    const readers = [{}, await session('sam', 'subscriber'), await session('ann', 'author')]
    for (const reader of readers) {
      const shown = await text(`/walk/?preview=true&${query}`, reader)
      expect(shown).to.include('stored.png').and.include('Stored walks')
      expect(shown).to.not.match(/unsaved\.png|Unsaved walks|Zoe Zimmer/)
    }
  })
})
