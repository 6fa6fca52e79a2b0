import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { useOwnSite } from './own-site.ts'

onEachDatabase('the parameters of GET /wp/v2/posts', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  const made: Record<string, number> = {}
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    const { posts } = site.host.content
    const make = async (name: string, post: object) => {
      made[name] = (await posts.insert({ title: name, status: 'publish', ...post })).id
    }
    await make('Walnut', { content: 'tree', excerpt: 'shade', date: '2024-01-01T00:00:00' })
    await make('Beech', { content: 'walnut', excerpt: 'leaf', date: '2024-02-01T00:00:00' })
    await make('Oak', { content: 'acorn', excerpt: 'Walnut wood', date: '2024-03-01T00:00:00' })
    await make('Draft', { content: 'walnut', status: 'draft' })
    await make('Private', { content: 'walnut', status: 'private' })
    await make('Pending', { content: 'walnut', status: 'pending' })
  })

  const names = async (query: string, as?: string): Promise<string[]> => {
    const { body, status } = await site.ask(`GET /wp/v2/posts?_fields=id&${query}`, undefined, as)
    expect(status, JSON.stringify(body)).to.equal(200)
    const ids = Array.isArray(body) ? body.map(({ id }) => id) : []
    return ids.map((id) => Object.keys(made).find((name) => made[name] === id) ?? String(id))
  }

  it('search_columns says where the words have to be', async () => {
    const found = async (columns: string) => (await names(`search=walnut&search_columns=${columns}`)).sort()
    expect(await found('')).to.deep.equal(['Beech', 'Oak', 'Walnut'])
    expect(await found('post_title')).to.deep.equal(['Walnut'])
    expect(await found('post_content')).to.deep.equal(['Beech'])
    expect(await found('post_excerpt')).to.deep.equal(['Oak'])
    expect(await found('post_title,post_excerpt')).to.deep.equal(['Oak', 'Walnut'])
    expect(await found('post_content,post_excerpt')).to.deep.equal(['Beech', 'Oak'])
    expect(await site.outcome('GET /wp/v2/posts?search=x&search_columns=nope')).to.equal('400 rest_invalid_param')
  })

  it('status takes several, for who may see them, in one order by date', async () => {
    expect(await names('status=draft,private,pending&order=asc', admin)).to.deep.equal(['Draft', 'Private', 'Pending'])
    const all = await names('status=any&per_page=4', admin)
    const next = await names('status=any&per_page=4&page=2', admin)
    expect([...all, ...next])
      .to.include.members(Object.keys(made))
      .and.to.have.length(7)
    expect(new Set([...all, ...next]).size).to.equal(7)
    expect(await site.outcome('GET /wp/v2/posts?status=draft,publish')).to.equal('400 rest_invalid_param')
  })

  it('every order gives every post once, both ways round', async () => {
    for (const orderby of ['date', 'modified', 'id', 'title', 'slug', 'author']) {
      const up = await names(`orderby=${orderby}&order=asc&status=any&per_page=100`, admin)
      const down = await names(`orderby=${orderby}&order=desc&status=any&per_page=100`, admin)
      expect(up, orderby).to.deep.equal(down.toReversed()).and.to.have.length(7)
    }
    expect(await names('orderby=title&order=asc&per_page=3')).to.deep.equal(['Beech', '1', 'Oak'])
  })

  it('modified_after and modified_before look at the last save', async () => {
    const id = made.Walnut ?? 0
    await site.host.content.posts.update(id, { modified: '2024-06-01T00:00:00' })
    expect(await names('modified_before=2024-06-02T00:00:00')).to.deep.equal(['Walnut'])
    expect(await names('modified_after=2024-06-02T00:00:00')).to.not.include('Walnut')
    expect(await names('modified_after=2024-05-31T00:00:00&modified_before=2024-06-02T00:00:00')).to.deep.equal([
      'Walnut',
    ])
  })
})
