import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { toObject } from './gazette.ts'
import { useOwnSite } from './own-site.ts'

onEachDatabase('GET /host/v1/post-counts', (databaseUrl) => {
  const site = useOwnSite(databaseUrl)
  let admin: string
  let author: string
  before(async () => {
    admin = await site.signIn('admin', 'administrator')
    author = await site.signIn('annie', 'author')
    const [mine, other] = [await site.idOf('annie'), await site.idOf('admin')]
    const write = (authorId: number, status: string, date: string) =>
      site.host.content.posts.insert({ type: 'post', title: `${status} ${date}`, status, date, authorId })
    await write(mine, 'publish', '2024-03-01T10:00:00')
    await write(mine, 'draft', '2024-03-09T10:00:00')
    await write(mine, 'auto-draft', '2024-03-09T10:00:00')
    await write(other, 'publish', '2024-01-05T10:00:00')
    await write(other, 'draft', '2024-01-05T10:00:00')
    await write(other, 'trash', '2023-12-05T10:00:00')
  })

  const counts = async (as: string, type = 'post') =>
    toObject((await site.ask(`GET /host/v1/post-counts?type=${type}`, undefined, as)).item.data)

  it('counts what the caller may edit by status, without the trash in the sum', async () => {
    const told = await counts(admin)
    expect(toObject(told.statuses)).to.deep.include({ draft: 2, trash: 1, pending: 0 })
    // The first post that every new site has is one of them.
    expect(told).to.include({ all: 5, mine: 3 })
  })

  it('excludes others’ posts for users who may not edit them', async () => {
    const told = await counts(author)
    expect(told).to.deep.include({ all: 2, mine: 2, months: [{ month: '2024-03', count: 2 }] })
    expect(toObject(told.statuses)).to.deep.include({ publish: 1, draft: 1, trash: 0 })
  })

  it('returns the months by which a list can be filtered, newest first', async () => {
    const { months } = await counts(admin)
    expect(months)
      .to.be.an('array')
      .that.deep.includes.members([
        { month: '2024-03', count: 2 },
        { month: '2024-01', count: 2 },
      ])
    expect(months).to.satisfy((list: { month: string }[]) =>
      list.every(({ month }, at) => at === 0 || month < `${list[at - 1]?.month}`),
    )
  })

  it('refuses who may not edit the type, and types that there are not', async () => {
    expect(await site.outcome('GET /host/v1/post-counts?type=page', undefined, author)).to.equal(
      '403 rest_forbidden_context',
    )
    expect(await site.outcome('GET /host/v1/post-counts')).to.equal('401 rest_forbidden')
    const reader = await site.signIn('reader', 'subscriber')
    expect(await site.outcome('GET /host/v1/post-counts?type[]=x', undefined, reader)).to.equal('403 rest_forbidden')
    expect(await site.outcome('GET /host/v1/post-counts?type=none', undefined, admin)).to.equal('404 rest_type_invalid')
  })
})
